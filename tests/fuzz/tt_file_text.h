// The property of files with layouts of Tenstorrent's tensors: any bytes are
// read, places are places of the text, and peaks are sums of what is live.
//
//   TtFileTextProblem("%0 = \"a.b\"() : () -> tensor<2xf32>");   // ""

#ifndef TESSERA_TESTS_FUZZ_TT_FILE_TEXT_H_
#define TESSERA_TESTS_FUZZ_TT_FILE_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// What is wrong with how the text is read, or "".
std::string TtFileTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_TT_FILE_TEXT_H_
