// Prints the protos of XLA as HLO text in XLA's style, without the comments in
// lists and literals, which hlo/hlo_printer.h adds.
//
//   HloProtoText text = PrintHloProto(bytes, 1000);
//   text.text;              // "HloModule jit_f, is_scheduled=true, ..."
//   text.problem_count;     // 0
//
// `bytes` are an HloProto (module.hlo.pb), an HloModuleProto, or an XSpace
// (.xplane.pb). Every HloProto in an XSpace is printed, in order. ParseHloProto
// (hlo/parse_hlo.h) makes an HloDump of the text.
//
// Names have '%', and operands do not have shapes. Computations come before
// their callers, and instructions are in the order of the schedule if there is
// one. Mistakes in a proto are reported. They are left out, or printed so that
// the text shows them; everything else is printed. No bytes make this fail,
// recurse without bound, or take more than a fixed multiple of their size.

#ifndef TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_
#define TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/text/diagnostic.h"

namespace tessera::hlo_internal {

struct HloProtoText {
  std::string text;
  // Diagnostics without line and column; `offset` is in the proto.
  std::vector<Diagnostic> problems;
  // The number of all problems; fewer may be kept.
  int64_t problem_count = 0;
};

HloProtoText PrintHloProto(std::string_view bytes, int64_t problem_limit);

}  // namespace tessera::hlo_internal

#endif  // TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_
