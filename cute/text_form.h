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
//
//   TextForm cpp;
//   cpp.style = Style::kCpp;
//   layout.ToString(cpp);
//       // "Layout<Shape<Shape<_2,_2>,_3>,Stride<Stride<_24,_2>,_8>>{}"
//   TextForm python;
//   python.style = Style::kPython;
//   layout.ToString(python);
//       // "cute.make_layout(((2, 2), 3), stride=((24, 2), 8))"

#ifndef TESSERA_CUTE_TEXT_FORM_H_
#define TESSERA_CUTE_TEXT_FORM_H_

#include <cstdint>

namespace tessera::cute {

// The dialects agree on layouts and int tuples, and differ in tilers and
// swizzles.
enum class Dialect : uint8_t {
  kCpp,            // (3:4,8:2)   Sw<2,0,3>   cute::print of include/cute
  kIr,             // [3:4;8:2]   S<2,0,3>    cutegen and the CuTe IR
  kDocumentation,  // <3:4, 8:2>  Sw<2,0,3>   CUTLASS's documentation
};

// Whether a value is printed or written as source, which compiles to it.
enum class Style : uint8_t {
  kPrint,   // (4,2):(1,16), as the dialect has it
  kCpp,     // Layout<Shape<_4,_2>,Stride<_1,_16>>{}
  kPython,  // cute.make_layout((4, 2), stride=(1, 16)), of the CuTe DSL
};

struct TextForm {
  Dialect dialect = Dialect::kCpp;
  // Whether to print integers as C++ prints compile-time ones: _12.
  bool marks_compile_time = false;
  // Source does not have a dialect, and its integers have the marks of the
  // language.
  Style style = Style::kPrint;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_TEXT_FORM_H_
