// File: hlo/proto/header_text.h
//
// Prints the HloModule line and the frame tables of an HloModuleProto.
//
//   hlo_proto::HloModuleProto proto;
//   proto.set_name("jit_f");
//   std::string text;
//   AppendModuleHeader(proto, "jit_f", &text);
//   text;   // "HloModule jit_f\n\n"
//
// replica_count and num_partitions are no part of a proto, and are not printed.

#ifndef TESSERA_HLO_PROTO_HEADER_TEXT_H_
#define TESSERA_HLO_PROTO_HEADER_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "proto/hlo.pb.h"

namespace tessera {
namespace hlo_internal {

// Returns what could not be printed, one message each. `name` is the module's,
// as it is printed.
std::vector<std::string> AppendModuleHeader(
    const hlo_proto::HloModuleProto& proto, std::string_view name,
    std::string* out);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_HEADER_TEXT_H_
