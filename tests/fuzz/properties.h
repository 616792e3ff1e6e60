// Which properties are fuzzed and replayed?
//
//   PropertyOf("shape")("f32[3]");   // ""

#ifndef TESSERA_TESTS_FUZZ_PROPERTIES_H_
#define TESSERA_TESTS_FUZZ_PROPERTIES_H_

#include <map>
#include <string>
#include <string_view>

#include "tests/fuzz/property.h"

namespace tessera {

// By their names, which are those of the folders in tests/fuzz/corpus.
const std::map<std::string, Property, std::less<>>& Properties();

// Returns the property of that name; null if there is none.
Property PropertyOf(std::string_view name);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_PROPERTIES_H_
