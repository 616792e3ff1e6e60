#include "tessera/hlo/diff/change_groups.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

// Returns "layers_*/sin" for "layers_3/sin": a number counts layers if it is
// alone between signs. Numbers as in "bfloat16" and "shape=(8, 2048)" stay.
std::string WithoutNumbers(std::string_view op_name) {
  std::string pattern;
  for (size_t i = 0; i < op_name.size();) {
    size_t end = i;
    while (end < op_name.size() && absl::ascii_isdigit(op_name[end])) ++end;
    const bool stands_alone =
        end > i && i > 0 &&
        std::string_view("_./[").find(op_name[i - 1]) !=
            std::string_view::npos &&
        (end == op_name.size() || !absl::ascii_isalnum(op_name[end]));
    if (stands_alone) {
      pattern += '*';
    } else {
      end = std::max(end, i + 1);
      pattern.append(op_name.data() + i, end - i);
    }
    i = end;
  }
  return pattern;
}

int64_t Difference(const ChangeGroup& group) {
  return std::max(group.before_bytes, group.after_bytes) -
         std::min(group.before_bytes, group.after_bytes);
}

}  // namespace

std::vector<ChangeGroup> GroupChanges(absl::Span<const ArrayChange> changes) {
  using Key =
      std::tuple<bool, bool, bool, bool, int64_t, int64_t, int64_t, int64_t,
                 int64_t, int64_t, std::string, std::string, std::string_view>;
  std::vector<ChangeGroup> groups;
  absl::flat_hash_map<Key, size_t> indices;
  // Equal texts in a dump are one shape, so few shapes are hashed.
  absl::flat_hash_map<const Shape*, int64_t> by_pointer = {{nullptr, -1}};
  absl::flat_hash_map<Shape, int64_t> by_value;
  const auto number_of = [&](const Shape* shape) {
    const auto [entry, is_new] = by_pointer.try_emplace(shape, 0);
    if (is_new) {
      entry->second =
          by_value.try_emplace(Shape(*shape), by_value.size()).first->second;
    }
    return entry->second;
  };
  std::optional<InstructionOrigins> origins_before, origins_after;
  for (const ArrayChange& change : changes) {
    const bool is_after = change.after.has_value() &&
                          (!change.vanished || !change.before.has_value());
    const HloInstruction instruction =
        is_after ? *change.after : *change.before;
    std::optional<InstructionOrigins>& origins =
        is_after ? origins_after : origins_before;
    if (!origins.has_value()) {
      origins.emplace(instruction.computation().module());
    }
    InstructionOrigin origin = origins->Of(instruction);
    std::string pattern = WithoutNumbers(origin.op_name);
    const auto [entry, is_new] = indices.try_emplace(
        Key(change.array < 0, change.appeared, change.vanished, change.is_fused,
            number_of(change.before_shape), number_of(change.after_shape),
            change.before_bytes, change.after_bytes, change.before_pass,
            change.after_pass, pattern, origin.source_line,
            pattern.empty() ? instruction.opcode() : ""),
        groups.size());
    if (is_new) {
      groups.emplace_back();
      groups.back().op_name = std::move(origin.op_name);
      groups.back().source_line = std::move(origin.source_line);
    }
    ChangeGroup& group = groups[entry->second];
    if (!is_new && group.op_name != origin.op_name) {
      group.op_name = std::move(pattern);
    }
    group.changes.push_back(&change);
    bool is_saturated = false;
    SaturatingAdd(change.before_bytes, &group.before_bytes, &is_saturated);
    SaturatingAdd(change.after_bytes, &group.after_bytes, &is_saturated);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ChangeGroup& a, const ChangeGroup& b) {
                     return Difference(a) > Difference(b);
                   });
  return groups;
}

}  // namespace tessera
