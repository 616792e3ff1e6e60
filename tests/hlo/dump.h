// The files of tests/hlo/data.

#ifndef TESSERA_TESTS_HLO_DUMP_H_
#define TESSERA_TESTS_HLO_DUMP_H_

#include <string>
#include <string_view>

namespace tessera {

// The text of a file; fails the test if there is none.
std::string ReadDump(std::string_view file);

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_DUMP_H_
