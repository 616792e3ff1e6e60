#include "tessera/hlo/attributes/replica_groups.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/hlo_string.h"

namespace tessera {

std::optional<int64_t> ReplicaGroups::group_size() const {
  if (group_size_ < 0) return std::nullopt;
  return group_size_;
}

int64_t ReplicaGroups::GroupSize(int64_t group) const {
  assert(0 <= group && group < num_groups_);
  if (group_size_ >= 0) return group_size_;
  return group_ends_[group] - (group == 0 ? 0 : group_ends_[group - 1]);
}

int64_t ReplicaGroups::Map(const Digits& digits, int64_t position) {
  int64_t mapped = 0;
  for (size_t i = digits.size(); i-- > 0;) {
    mapped += position % digits[i].size * digits[i].stride;
    position /= digits[i].size;
  }
  return mapped;
}

int64_t ReplicaGroups::Device(int64_t group, int64_t index) const {
  assert(0 <= index && index < GroupSize(group));
  const int64_t begin = group_size_ >= 0 ? group * group_size_
                        : group == 0     ? 0
                                         : group_ends_[group - 1];
  int64_t place = begin + index;
  if (form_ == Form::kLists) return devices_[place];
  place = Map(places_, place);
  return devices_.empty() ? Map(device_digits_, place) : devices_[place];
}

absl::StatusOr<std::vector<int64_t>> ReplicaGroups::Group(int64_t group,
                                                          int64_t limit) const {
  if (group < 0 || group >= num_groups_) {
    return OutOfRangeError("group ", group, " is outside [0, ", num_groups_,
                           ")");
  }
  const int64_t size = GroupSize(group);
  if (size > limit) {
    return ResourceExhaustedError("group ", group, " has ", size,
                                  " devices, more than the limit of ", limit);
  }
  std::vector<int64_t> devices;
  devices.reserve(size);
  for (int64_t i = 0; i < size; ++i) devices.push_back(Device(group, i));
  return devices;
}

class ReplicaGroupsReader {
 public:
  ReplicaGroupsReader(ValueReader* reader, ReplicaGroups* groups)
      : reader_(*reader), groups_(*groups) {}

  bool Read() {
    return reader_.At('{')   ? ReadLists()
           : reader_.At('[') ? ReadIota()
                             : ReadMesh();
  }

 private:
  using Form = ReplicaGroups::Form;
  using Digits = ReplicaGroups::Digits;
  using Integers = std::vector<int64_t>;

  // The meaning of `{'a':(1)2}`: a part of an axis, `size` long, or all of it.
  struct AxisPart {
    size_t at;  // in the text
    size_t axis;
    int64_t pre_size;
    int64_t size;
    bool is_whole;
    int64_t stride;
  };

  // Digits of size 1 are left out.
  static void Append(int64_t size, int64_t stride, Digits* digits) {
    if (size > 1) digits->push_back({size, stride});
  }

  bool ReadLists() {
    groups_.form_ = Form::kLists;
    bool sizes_differ = false;
    const bool is_read = reader_.ReadList('{', '}', [&] {
      const size_t begin = groups_.devices_.size();
      const bool is_group = ReadDevices('{', '}');
      const int64_t size = groups_.devices_.size() - begin;
      if (groups_.num_groups_ == 0) groups_.group_size_ = size;
      sizes_differ |= size != groups_.group_size_;
      ++groups_.num_groups_;
      groups_.group_ends_.push_back(groups_.devices_.size());
      return is_group;
    });
    if (sizes_differ) {
      groups_.group_size_ = -1;
    } else {
      groups_.group_ends_ = Integers();
    }
    groups_.num_devices_ = groups_.devices_.size();
    return is_read;
  }

  bool ReadDevices(char open, char close) {
    return reader_.ReadIntegersFrom(0, "a device", open, close,
                                    &groups_.devices_);
  }

  // Reads "[6,5]" or "[6,5]T(1,0)": the digits of the transposed array and
  // their product, the number of places.
  bool ReadTransposed(Digits* digits, int64_t* product) {
    Integers sizes;
    if (!ReadSizes(&sizes, product)) return false;
    const Integers strides = StridesOf(sizes);
    Integers order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (!ReadTransposition(&order)) return false;
    for (const int64_t i : order) Append(sizes[i], strides[i], digits);
    return true;
  }

  // Returns the strides of an array whose last axis is contiguous.
  static Integers StridesOf(const Integers& sizes) {
    Integers strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) {
      strides[i - 1] = strides[i] * sizes[i];
    }
    return strides;
  }

  // Reads "[6,5]". Each size is at least 1.
  bool ReadSizes(Integers* sizes, int64_t* product) {
    const size_t begin = reader_.offset();
    return reader_.ReadIntegersFrom(1, "a size", '[', ']', sizes) &&
           Multiply(*sizes, begin, product);
  }

  bool Multiply(absl::Span<const int64_t> sizes, size_t at, int64_t* product) {
    const std::optional<int64_t> checked = CheckedProduct(sizes);
    if (!checked.has_value()) {
      return reader_.Fail(at, "the product of the sizes is past 2^63-1",
                          absl::StatusCode::kOutOfRange);
    }
    *product = *checked;
    return true;
  }

  // Reads "T(1,0)" or nothing. Before, `*order` is 0, 1, ...
  bool ReadTransposition(Integers* order) {
    const size_t begin = reader_.offset();
    const std::string_view word = reader_.TakeIdentifier();
    if (word.empty()) return true;
    if (word != "T") {
      reader_.MoveTo(begin);
      return reader_.FailExpected("'T' or the end");
    }
    Integers read;
    if (!reader_.ReadIntegersFrom(0, "a dimension", '(', ')', &read)) {
      return false;
    }
    Integers sorted = read;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != *order) {
      return reader_.Fail(begin, StrCat("T(...) is not a permutation of the ",
                                        order->size(), " dimensions"));
    }
    *order = std::move(read);
    return true;
  }

  bool ReadIota() {
    groups_.form_ = Form::kIota;
    Integers sizes;
    const size_t begin = reader_.offset();
    if (!ReadSizes(&sizes, &groups_.num_devices_)) return false;
    if (sizes.size() != 2) {
      return reader_.Fail(begin, StrCat("expected [groups,size], found ",
                                        sizes.size(), " numbers"));
    }
    groups_.num_groups_ = sizes[0];
    groups_.group_size_ = sizes[1];
    if (!reader_.TakePair('<', '=')) return reader_.FailExpected("'<='");
    const size_t at = reader_.offset();
    int64_t devices = 0;
    if (!ReadTransposed(&groups_.places_, &devices)) return false;
    if (devices != groups_.num_devices_) {
      return reader_.Fail(
          at, StrCat(groups_.num_groups_, " groups of ", groups_.group_size_,
                     " are not ", devices, " devices"));
    }
    Append(groups_.num_devices_, 1, &groups_.device_digits_);
    return true;
  }

  bool ReadMesh() {
    groups_.form_ = Form::kMesh;
    const size_t begin = reader_.offset();
    const std::string_view word = reader_.TakeIdentifier();
    if (word == "mesh") return ReadMeshAxes();
    if (word == "maximal_mesh") return ReadMaximalMesh();
    reader_.MoveTo(begin);
    return reader_.FailExpected("'{', '[' or mesh");
  }

  // Reads "[device_id=3]", perhaps followed by "{}".
  bool ReadMaximalMesh() {
    if (!reader_.Read('[')) return false;
    if (reader_.TakeIdentifier() != "device_id") {
      return reader_.FailExpected("device_id");
    }
    groups_.num_groups_ = groups_.group_size_ = groups_.num_devices_ = 1;
    return reader_.Read('=') &&
           reader_.ReadIntegerFrom(0, "a device",
                                   &groups_.devices_.emplace_back()) &&
           reader_.Read(']') && (!reader_.Take('{') || reader_.Read('}'));
  }

  bool ReadMeshAxes() {
    const size_t begin = reader_.offset();
    const bool is_read = reader_.ReadList('[', ']', [&] {
      const size_t at = reader_.offset();
      std::string_view name;
      if (!ReadAxisName(&name)) return false;
      if (!axis_numbers_.emplace(name, sizes_.size()).second) {
        return reader_.Fail(at, "the axis is given twice");
      }
      return reader_.Read('=') &&
             reader_.ReadIntegerFrom(1, "a size", &sizes_.emplace_back());
    });
    if (!is_read || !Multiply(sizes_, begin, &groups_.num_devices_)) {
      return false;
    }
    if (sizes_.empty()) return reader_.Fail(begin, "a mesh without axes");
    if (reader_.Take(',') && !ReadDeviceIds()) return false;
    if (groups_.devices_.empty() && groups_.device_digits_.empty()) {
      Append(groups_.num_devices_, 1, &groups_.device_digits_);
    }
    return ReadAxisParts() && ArrangeDigits();
  }

  // Reads 'a' or a. Escapes are not decoded, because a name has one spelling.
  bool ReadAxisName(std::string_view* name) {
    if (reader_.AtString()) {
      HloString string;
      if (!reader_.ReadString(&string)) return false;
      *name = string.raw();
      return true;
    }
    *name = reader_.TakeIdentifier();
    return !name->empty() || reader_.FailExpected("the name of an axis");
  }

  // Reads "device_ids=(3,1,0,2)" or "device_ids=([2,2]T(1,0))".
  bool ReadDeviceIds() {
    if (reader_.TakeIdentifier() != "device_ids") {
      return reader_.FailExpected("device_ids");
    }
    if (!reader_.Read('=')) return false;
    const size_t begin = reader_.offset();
    if (!reader_.Read('(')) return false;
    if (reader_.At('[')) {
      int64_t devices = 0;
      return ReadTransposed(&groups_.device_digits_, &devices) &&
             reader_.Read(')') && HaveDevices(devices, begin);
    }
    reader_.MoveTo(begin);
    return ReadDevices('(', ')') &&
           HaveDevices(groups_.devices_.size(), begin) && IsPermutation(begin);
  }

  bool HaveDevices(int64_t devices, size_t at) {
    return devices == groups_.num_devices_ ||
           reader_.Fail(at, StrCat("the mesh has ", groups_.num_devices_,
                                   " devices and not ", devices));
  }

  bool IsPermutation(size_t at) {
    std::vector<bool> is_seen(groups_.devices_.size());
    for (const int64_t device : groups_.devices_) {
      if (static_cast<uint64_t>(device) >= is_seen.size() || is_seen[device]) {
        return reader_.Fail(
            at, StrCat("device ", device,
                       " makes this not a permutation of the devices [0, ",
                       is_seen.size(), ")"));
      }
      is_seen[device] = true;
    }
    return true;
  }

  // Reads "{'a','b':(1)2}".
  bool ReadAxisParts() {
    return reader_.ReadList('{', '}', [&] {
      AxisPart part;
      part.at = reader_.offset();
      std::string_view name;
      if (!ReadAxisName(&name)) return false;
      const auto number = axis_numbers_.find(name);
      if (number == axis_numbers_.end()) {
        return reader_.Fail(part.at, "the mesh has no such axis");
      }
      part.axis = number->second;
      part.pre_size = 1;
      part.size = sizes_[part.axis];
      part.is_whole = !reader_.Take(':');
      if (!part.is_whole && !ReadSubAxis(&part)) return false;
      parts_.push_back(part);
      return true;
    });
  }

  // Reads "(1)2".
  bool ReadSubAxis(AxisPart* part) {
    const int64_t size = sizes_[part->axis];
    if (!reader_.Read('(') ||
        !reader_.ReadIntegerFrom(1, "the size before", &part->pre_size) ||
        !reader_.Read(')') ||
        !reader_.ReadIntegerFrom(2, "a size", &part->size)) {
      return false;
    }
    if (size % part->pre_size == 0 && size / part->pre_size % part->size == 0) {
      return true;
    }
    return reader_.Fail(part->at,
                        StrCat("(", part->pre_size, ")", part->size,
                               " does not divide an axis of size ", size));
  }

  // Splits every axis at its parts. The groups count along the rest of the
  // axes. The devices of a group count along the parts, in the order of the
  // text.
  bool ArrangeDigits() {
    std::vector<AxisPart*> sorted;
    for (AxisPart& part : parts_) sorted.push_back(&part);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const AxisPart* a, const AxisPart* b) {
                       return a->axis != b->axis ? a->axis < b->axis
                                                 : a->pre_size < b->pre_size;
                     });
    size_t next = 0;
    const Integers strides = StridesOf(sizes_);
    for (size_t i = 0; i < sizes_.size(); ++i) {
      int64_t before = 1;  // the product of the sizes split off so far
      const size_t first = next;
      for (; next < sorted.size() && sorted[next]->axis == i; ++next) {
        AxisPart& part = *sorted[next];
        const bool is_shared = next > first;
        if (part.pre_size % before != 0 ||
            (is_shared && (part.is_whole || sorted[next - 1]->is_whole))) {
          return reader_.Fail(part.at,
                              "the axis overlaps another part of the group");
        }
        Append(part.pre_size / before, sizes_[i] / part.pre_size * strides[i],
               &groups_.places_);
        before = part.pre_size * part.size;
        part.stride = sizes_[i] / before * strides[i];
      }
      Append(sizes_[i] / before, strides[i], &groups_.places_);
    }
    groups_.group_size_ = 1;
    for (const AxisPart& part : parts_) {
      Append(part.size, part.stride, &groups_.places_);
      groups_.group_size_ *= part.size;
    }
    groups_.num_groups_ = groups_.num_devices_ / groups_.group_size_;
    return true;
  }

  ValueReader& reader_;
  ReplicaGroups& groups_;
  // The axes of a mesh, by name.
  TextMap<std::string_view, size_t> axis_numbers_;
  Integers sizes_;
  std::vector<AxisPart> parts_;
};

absl::StatusOr<ReplicaGroups> DecodeReplicaGroups(std::string_view value) {
  return DecodeAll<ReplicaGroups>(
      value, "replica groups", [](ValueReader* reader, ReplicaGroups* groups) {
        return ReplicaGroupsReader(reader, groups).Read();
      });
}

absl::StatusOr<std::vector<SourceTargetPair>> DecodeSourceTargetPairs(
    std::string_view value) {
  return DecodeList<SourceTargetPair>(
      value, "source-target pairs", /*is_loose=*/false,
      [](ValueReader* reader, SourceTargetPair* pair) {
        return reader->Read('{') &&
               reader->ReadIntegerFrom(0, "a source", &pair->source) &&
               reader->Read(',') &&
               reader->ReadIntegerFrom(0, "a target", &pair->target) &&
               reader->Read('}');
      });
}

}  // namespace tessera
