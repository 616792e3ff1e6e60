// The protos of XLA -> HLO text as XLA would print it, but for the comments in
// lists and literals, which hlo/hlo_printer.h puts in.
//
//   HloProtoText text = PrintHloProto(bytes, 1000);
//   text.text;              // "HloModule jit_f, is_scheduled=true, ..."
//   text.problem_count;     // 0
//
// `bytes` are an HloProto (module.hlo.pb), an HloModuleProto, or an XSpace
// (.xplane.pb), of which every HloProto is printed, one after the other, in its
// order. ParseHloProto (hlo/parse_hlo.h) makes an HloDump of them.
//
// Names have '%', operands no shapes; computations stand before their callers,
// and instructions in the order of the schedule if there is one. What a proto
// gets wrong is told and left out, or printed so that it reads as wrong; all
// else is printed. No bytes make this fail, recurse without bound, or take more
// than a fixed multiple of their size.

#ifndef TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_
#define TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace hlo_internal {

struct HloProtoText {
  std::string text;
  // Without line and column; `offset` is that in the proto.
  std::vector<Diagnostic> problems;
  // There may be more than are kept.
  int64_t problem_count = 0;
};

HloProtoText PrintHloProto(std::string_view bytes, int64_t problem_limit);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_HLO_PROTO_TEXT_H_
