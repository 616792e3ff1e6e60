// Decodes the groups of devices of a collective operation.
//
//   absl::StatusOr<ReplicaGroups> groups =
//       DecodeReplicaGroups("[2,4]<=[4,2]T(1,0)");
//   groups->num_groups();  // 2
//   groups->group_size();  // 4
//   groups->Device(1, 2);  // 5
//   groups->Group(0);      // {0, 2, 4, 6}
//
// Three forms are read:
//
//   {{0,1},{2,3}}                   lists;
//   [2,4]<=[4,2]T(1,0)              0, 1, ... 7 as an array [4,2], transposed
//                                   by T, cut into 2 groups of 4;
//   mesh['a'=2,'b'=4] {'a'}         devices in an array [2,4]; those that
//                                   differ in 'a' alone are a group.
//
// In the last, `{'b':(2)2}` is a part of an axis: 'b' is split into [2,2,rest],
// and the group goes along the second of these. Within a group, the first axis
// named varies slowest; the groups themselves are in the order of the other
// axes. `, device_ids=(3,1,0,2)` after the mesh, or `device_ids=([2,2]T(1,0))`,
// gives the device at each place; without it, devices count up.
// `maximal_mesh[device_id=3]` is a single device. The rules are those of
// xla/hlo/ir/replica_group.cc and mesh_and_axis.cc.
//
// The last two forms are kept as formulas, however many devices they have.

#ifndef TESSERA_HLO_ATTRIBUTES_REPLICA_GROUPS_H_
#define TESSERA_HLO_ATTRIBUTES_REPLICA_GROUPS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"

namespace tessera {

class ReplicaGroups {
 public:
  enum class Form { kLists, kIota, kMesh };

  // By default, Group refuses to list more devices than this.
  static constexpr int64_t kDeviceLimit = 1 << 20;

  Form form() const { return form_; }

  // 0 for "{}", which in XLA means all devices in one group.
  int64_t num_groups() const { return num_groups_; }
  // The size of every group; nullopt if sizes differ or there are no groups.
  std::optional<int64_t> group_size() const;
  // The number of devices in all groups together.
  int64_t num_devices() const { return num_devices_; }

  // Returns the number of devices in this group. Precondition: 0 <= group <
  // num_groups().
  int64_t GroupSize(int64_t group) const;

  // Returns the `index`-th device of this group, in constant time.
  // Precondition: 0 <= group < num_groups(), 0 <= index < GroupSize(group).
  int64_t Device(int64_t group, int64_t index) const;

  // Returns the devices of this group.
  //
  // Errors:
  //   kOutOfRange         group is outside [0, num_groups()).
  //   kResourceExhausted  the group has more than `limit` devices.
  absl::StatusOr<std::vector<int64_t>> Group(
      int64_t group, int64_t limit = kDeviceLimit) const;

 private:
  friend class ReplicaGroupsReader;

  // A digit of a mixed-radix number, and its weight. A list of digits, the most
  // significant first, maps the positions 0, 1, ... to numbers. Digits of size
  // 1 are left out, so a list has at most 62.
  struct Digit {
    int64_t size;
    int64_t stride;
  };
  using Digits = absl::InlinedVector<Digit, 6>;

  static int64_t Map(const Digits& digits, int64_t position);

  Form form_ = Form::kLists;
  int64_t num_groups_ = 0;
  int64_t num_devices_ = 0;
  // The size of all groups, or -1 if sizes differ.
  int64_t group_size_ = -1;
  // For kLists with groups of different sizes: their ends in devices_.
  std::vector<int64_t> group_ends_;
  // Maps a position to a place; each group has group_size_ positions. Not used
  // for kLists.
  Digits places_;
  // Maps a place to a device if devices_ is empty. Otherwise devices_ does.
  Digits device_digits_;
  std::vector<int64_t> devices_;
};

// Decodes the value of `replica_groups`.
//
// Errors, as diagnostics (base/text/diagnostic.h) that count from the start of
// `value`:
//   kInvalidArgument  the text does not have one of the forms, or its parts do
//                     not fit together: groups times size is not the number of
//                     devices, a transposition is not a permutation, axes
//                     overlap.
//   kOutOfRange       the number of devices is past int64_t.
absl::StatusOr<ReplicaGroups> DecodeReplicaGroups(std::string_view value);

// One transfer of a collective-permute.
struct SourceTargetPair {
  int64_t source = 0;
  int64_t target = 0;
};

// Decodes the value of `source_target_pairs`, such as "{{0,1},{1,0}}" or "{}".
//
// Errors, as above: kInvalidArgument, also for negative numbers.
absl::StatusOr<std::vector<SourceTargetPair>> DecodeSourceTargetPairs(
    std::string_view value);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_REPLICA_GROUPS_H_
