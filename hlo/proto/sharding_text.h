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

#include "proto/hlo.pb.h"

namespace tessera {
namespace hlo_internal {

// "" for a sharding by the axes of a mesh, and for what is none of XLA's.
std::string ShardingText(const hlo_proto::OpSharding& sharding);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_SHARDING_TEXT_H_
