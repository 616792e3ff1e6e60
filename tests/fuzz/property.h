// What must hold for any text whatever, and who is told when it does not?
//
// A property is a function that tries something with a text and returns what
// went wrong, or "" if nothing did. The fuzzer (tests/fuzz/fuzzer.cc) aborts
// where it returns anything; tests/fuzz/corpus_replay_test.cc runs the same
// function over the files of tests/fuzz/corpus. A new target is a property, a
// row of tests/fuzz/properties.cc, a folder of seeds, and its words in
// tests/fuzz/dictionary.py.

#ifndef TESSERA_TESTS_FUZZ_PROPERTY_H_
#define TESSERA_TESTS_FUZZ_PROPERTY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace tessera {

using Property = std::string (*)(std::string_view text);

// The body of LLVMFuzzerTestOneInput. Returns 0; aborts with the
// property's words on stderr where it does not hold.
int FuzzOneInput(Property property, const uint8_t* data, size_t size);

// Returns what is wrong with `status` as the refusal of `text`: its code, which
// is kInvalidArgument, kResourceExhausted or one of `other_codes`, or a
// Diagnostic that is missing or points outside the text. "" if nothing is.
std::string ProblemWithRefusal(
    const absl::Status& status, std::string_view text,
    absl::Span<const absl::StatusCode> other_codes = {});

// The other codes of the readers that check sizes and know forms that they do
// not support.
inline constexpr absl::StatusCode kCodesOfReaders[] = {
    absl::StatusCode::kOutOfRange, absl::StatusCode::kUnimplemented};

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_PROPERTY_H_
