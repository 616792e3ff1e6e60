// Options for shape texts that differ from what XLA prints today.
//
//   #include "tessera/parser/parser.h"
//
//   ParseOptions options;
//   options.lenient = true;
//   ParseShape("F32[2,3]{}", options)->ToString();  // "f32[2,3]{1,0}"
//   options.tpu_layouts = true;
//   ParseShape("F32[2,3]{}", options)->ToString();  // "f32[2,3]{1,0:T(2,128)}"

#ifndef TESSERA_PARSER_PARSE_OPTIONS_H_
#define TESSERA_PARSER_PARSE_OPTIONS_H_

#include <cstdint>

namespace tessera {

struct ParseOptions {
  // Gives every array without a layout the default one, {r-1,...,1,0}, as XLA
  // does. If false, such an array stays without a layout, scalars included (XLA
  // gives these a layout in any case).
  bool fill_missing_layouts = true;

  // Fills in the layout that the TPU compiler would give every array, if the
  // text lacks it: WithTpuLayouts (shape/tpu_layout.h). Its errors have the
  // place of the array. fill_missing_layouts is then ignored.
  bool tpu_layouts = false;

  // Also accepts upper-case type names, as XLA's documents print them (F32[2];
  // F32 or f32, but not Bf16).
  bool upper_case_types = false;

  // Also accepts upper-case type names, and {} after an array for an array
  // without a layout.
  bool lenient = false;

  // The limit on the nesting of tuples. The default is XLA's limit.
  int64_t nesting_limit = 8192;
};

}  // namespace tessera

#endif  // TESSERA_PARSER_PARSE_OPTIONS_H_
