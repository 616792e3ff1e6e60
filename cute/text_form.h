// File: cute/text_form.h
//
// The notation in which a CuTe value is printed.
//
//   #include "tessera/cute/layout.h"
//   #include "tessera/cute/swizzle.h"
//
//   const Layout layout = *Layout::Create({{2, 2}, 3}, {{24, 2}, 8});
//   layout.ToString();        // "((2,2),3):((24,2),8)"
//
//   TextForm form;
//   form.marks_compile_time = true;
//   layout.ToString(form);    // "((_2,_2),_3):((_24,_2),_8)"
//
//   form.dialect = Dialect::kIr;
//   Swizzle::Create(2, 0, 3)->ToString(form);   // "S<2,0,3>"

#ifndef TESSERA_CUTE_TEXT_FORM_H_
#define TESSERA_CUTE_TEXT_FORM_H_

#include <cstdint>

namespace tessera {
namespace cute {

// The dialects agree on layouts and int tuples, and differ in tilers and
// swizzles.
enum class Dialect : uint8_t {
  kCpp,            // (3:4,8:2)   Sw<2,0,3>   cute::print of include/cute
  kIr,             // [3:4;8:2]   S<2,0,3>    cutegen and the CuTe IR
  kDocumentation,  // <3:4, 8:2>  Sw<2,0,3>   CUTLASS's documentation
};

struct TextForm {
  Dialect dialect = Dialect::kCpp;
  // Whether to print integers as C++ prints compile-time ones: _12.
  bool marks_compile_time = false;
};

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_TEXT_FORM_H_
