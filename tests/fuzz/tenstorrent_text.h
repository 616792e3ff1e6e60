// What must hold for any text that is read as one of tt-mlir's tensor layouts?
//
//   TenstorrentTextProblem("tensor<8xf32, #tt.metal_layout<...>>")  // ""

#ifndef TESSERA_TESTS_FUZZ_TENSTORRENT_TEXT_H_
#define TESSERA_TESTS_FUZZ_TENSTORRENT_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of the readers of tenstorrent/: what is
// read prints as a text that reads back as the same value; what is refused says
// where. ReadTensorText reads what exactly one of the readers for one form
// reads, as the same value.
std::string TenstorrentTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_TENSTORRENT_TEXT_H_
