#include "tessera/hlo/proto/sharding_text.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tessera {
namespace hlo_internal {
namespace {

// XLA's OpSharding.Type.
enum Type {
  kReplicated = 0,
  kMaximal = 1,
  kTuple = 2,
  kOther = 3,
  kManual = 4,
  kUnknown = 5,
  kUnreduced = 6,
};

// "" for a type that has no word.
std::string TypeWord(int type) {
  switch (type) {
    case kReplicated:
      return "replicated";
    case kManual:
      return "manual";
    case kUnknown:
      return "unknown";
    case kUnreduced:
      return "unreduced";
    default:
      return "";
  }
}

std::string TiledText(const hlo_proto::OpSharding& sharding) {
  std::string text = absl::StrCat(
      "{devices=[", absl::StrJoin(sharding.tile_assignment_dimensions(), ","),
      "]");
  if (sharding.iota_reshape_dims_size() == 0) {
    absl::StrAppend(&text,
                    absl::StrJoin(sharding.tile_assignment_devices(), ","));
  } else {
    absl::StrAppend(&text, IotaText(sharding));
  }
  if (sharding.replicate_on_last_tile_dim()) {
    absl::StrAppend(&text, " last_tile_dim_replicate");
  }
  std::vector<std::string> last;
  for (const int type : sharding.last_tile_dims()) {
    last.push_back(TypeWord(type));
    if (last.back().empty()) return "";
  }
  if (!last.empty()) {
    absl::StrAppend(&text, " last_tile_dims={", absl::StrJoin(last, ", "), "}");
  }
  return text + "}";
}

std::string LeafText(const hlo_proto::OpSharding& sharding) {
  if (sharding.type() == kMaximal &&
      sharding.tile_assignment_devices_size() == 1) {
    return absl::StrCat("{maximal device=", sharding.tile_assignment_devices(0),
                        "}");
  }
  if (sharding.type() == kOther &&
      sharding.tile_assignment_dimensions_size() > 0) {
    return TiledText(sharding);
  }
  const std::string word = TypeWord(sharding.type());
  return word.empty() ? "" : absl::StrCat("{", word, "}");
}

}  // namespace

std::string ShardingText(const hlo_proto::OpSharding& sharding) {
  if (sharding.type() != kTuple) return LeafText(sharding);
  std::string text = "{";
  for (int i = 0; i < sharding.tuple_shardings_size(); ++i) {
    const std::string leaf = LeafText(sharding.tuple_shardings(i));
    if (leaf.empty()) return "";
    if (i > 0) absl::StrAppend(&text, ", ");
    absl::StrAppend(&text, leaf);
  }
  return text + "}";
}

}  // namespace hlo_internal
}  // namespace tessera
