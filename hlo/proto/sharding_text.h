// File: hlo/proto/sharding_text.h
//
// Prints an OpSharding as the value of sharding=.
//
//   hlo_proto::OpSharding sharding;
//   sharding.set_type(1);
//   sharding.add_tile_assignment_devices(3);
//   ShardingText(sharding);   // "{maximal device=3}"

#ifndef TESSERA_HLO_PROTO_SHARDING_TEXT_H_
#define TESSERA_HLO_PROTO_SHARDING_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"

namespace tessera {
namespace hlo_internal {

// "" for a sharding by the axes of a mesh, and for what is none of XLA's.
std::string ShardingText(const hlo_proto::OpSharding& sharding);

// "<=[4,2]T(1,0)": the devices of a sharding or of replica groups.
template <typename Proto>
std::string IotaText(const Proto& iota) {
  const auto& order = iota.iota_transpose_perm();
  return absl::StrCat("<=[", absl::StrJoin(iota.iota_reshape_dims(), ","), "]",
                      order.size() > 1
                          ? absl::StrCat("T(", absl::StrJoin(order, ","), ")")
                          : "");
}

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_SHARDING_TEXT_H_
