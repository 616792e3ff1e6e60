// What ReadHlo tells a handler, as text that a test can compare.
//
//   module m | is_scheduled=true
//   computation ENTRY main (x: f32[2]) -> f32[2]
//   x = f32[2] parameter'0'
//   ROOT y = f32[2] add(x, f32[2]:p#0, <negate(x)>) | metadata={op_name="a"}
//   end | execution_thread="main"
//   ! 3:4 expected an opcode, found '('

#ifndef TESSERA_TESTS_HLO_WALK_H_
#define TESSERA_TESTS_HLO_WALK_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tessera {

// One line an event, each ended by a newline.
std::string Walk(absl::string_view text);

// The same read by the grammar alone, plain instructions too.
std::string WalkByGrammar(absl::string_view text);

// The same as ForEachInstruction tells it, `window_bytes` at a time.
std::string WalkStream(absl::string_view text, size_t window_bytes);

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_WALK_H_
