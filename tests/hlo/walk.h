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

#include <string>
#include <string_view>

namespace tessera {

// One line an event, each ended by a newline.
std::string Walk(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_WALK_H_
