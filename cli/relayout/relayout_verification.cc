#include "tessera/cli/relayout/relayout_verification.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "absl/numeric/bits.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/pages.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/index_map/slice_positions.h"

namespace tessera::cli {
namespace {

constexpr int64_t kBitsPerByte = 8;

// The element at a position.
ElementBytes ElementAt(absl::Span<const uint8_t> buffer, int64_t position,
                       int64_t bits) {
  ElementBytes element = {};
  if (bits < kBitsPerByte) {
    const int64_t bit = position * bits;
    element[0] = static_cast<uint8_t>(
        buffer[bit / kBitsPerByte] >> (bit % kBitsPerByte) & ((1 << bits) - 1));
  } else {
    const int64_t bytes = bits / kBitsPerByte;
    std::memcpy(element.data(), buffer.data() + position * bytes, bytes);
  }
  return element;
}

// Returns the origin of the element of `to` at `to_index`; nullopt if it is
// outside of the box.
std::optional<std::vector<int64_t>> FromIndex(
    const CommonBox& box, absl::Span<const int64_t> to_index) {
  std::vector<int64_t> from_index;
  for (size_t i = 0; i < to_index.size(); ++i) {
    const int64_t j = box.to_dimensions[i];
    const int64_t in_box = to_index[j] - box.to_begins[j];
    if (in_box < 0 || in_box >= box.extents[i]) return std::nullopt;
    from_index.push_back(box.from_begins[i] + in_box);
  }
  return from_index;
}

absl::Status VerifyPosition(const RelayoutToVerify& relayout,
                            int64_t position) {
  const IndexMap& to = relayout.to;
  const int64_t bits = relayout.element_bits;
  const ElementBytes found = ElementAt(relayout.out, position, bits);
  std::vector<int64_t> index(to.rank());
  TESSERA_ASSIGN_OR_RETURN(
      const PositionKind kind,
      to.MultidimensionalIndex(position, absl::MakeSpan(index)));
  const bool is_element = kind == PositionKind::kElement;
  const std::optional<std::vector<int64_t>> from_index =
      is_element ? FromIndex(relayout.box, index) : std::nullopt;
  if (!from_index.has_value()) {
    if (found == ElementAt(relayout.pad_value, 0, bits)) {
      return absl::OkStatus();
    }
    return absl::DataLossError(
        absl::StrCat("position ", position,
                     is_element ? " is outside the box" : " is padding",
                     ", and not of its value"));
  }
  const int64_t from_position = relayout.from.LinearIndexUnchecked(*from_index);
  if (found == ElementAt(relayout.in, from_position, bits)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      "element ", InParentheses(index), " at position ", position,
      " is not that at position ", from_position, " of the input"));
}

absl::StatusOr<int64_t> VerifyPositions(const RelayoutToVerify& relayout) {
  const int64_t positions = relayout.to.position_count();
  const int64_t count = std::min(positions, kVerifiedPositions);
  std::mt19937_64 random;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t position =
        positions <= kVerifiedPositions
            ? i
            : static_cast<int64_t>(random() % static_cast<uint64_t>(positions));
    TESSERA_RETURN_IF_ERROR(VerifyPosition(relayout, position));
  }
  return count;
}

// Returns the number of distinct elements of the input in the box. In a
// broadcast, several indices share an element.
absl::StatusOr<int64_t> DistinctElements(const RelayoutToVerify& relayout) {
  const IndexMap& from = relayout.from;
  if (from.kind() != IndexMap::Kind::kGeneral) return relayout.box.size();
  CommonBox::Numbers limit = relayout.box.from_begins;
  for (size_t i = 0; i < limit.size(); ++i) limit[i] += relayout.box.extents[i];
  TESSERA_ASSIGN_OR_RETURN(
      SlicePositions walk,
      SlicePositions::Create(from, relayout.box.from_begins, limit,
                             SlicePositions::Order::kLogical));
  std::vector<bool> is_seen(static_cast<size_t>(from.position_count()));
  std::vector<int64_t> positions(4096);
  int64_t distinct = 0;
  while (const size_t count = walk.Next(absl::MakeSpan(positions))) {
    for (size_t i = 0; i < count; ++i) {
      distinct += !is_seen[positions[i]];
      is_seen[positions[i]] = true;
    }
  }
  return distinct;
}

int64_t EqualBits(absl::Span<const uint8_t> a, absl::Span<const uint8_t> b) {
  int64_t count = 0;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= a.size(); i += sizeof(uint64_t)) {
    uint64_t x = 0, y = 0;
    std::memcpy(&x, a.data() + i, sizeof(x));
    std::memcpy(&y, b.data() + i, sizeof(y));
    count += absl::popcount(~(x ^ y));
  }
  for (; i < a.size(); ++i) {
    count += absl::popcount(static_cast<uint8_t>(~(a[i] ^ b[i])));
  }
  return count;
}

absl::Status VerifyWayBack(const RelayoutToVerify& relayout, int64_t bits,
                           PlanRunner run) {
  const CommonBox box = relayout.box.Inverse();
  const auto numbers = [](const CommonBox::Numbers& of_box) {
    return std::vector<int64_t>(of_box.begin(), of_box.end());
  };
  RelayoutOptions options;
  options.to_dimensions = numbers(box.to_dimensions);
  options.from_begins = numbers(box.from_begins);
  options.to_begins = numbers(box.to_begins);
  options.extents = numbers(box.extents);
  TESSERA_ASSIGN_OR_RETURN(
      const RelayoutPlan plan,
      RelayoutPlan::Create(relayout.to, relayout.from, relayout.element_bits,
                           options));
  TESSERA_ASSIGN_OR_RETURN(const Pages pages, Pages::Zeroed(plan.to_bytes()));
  // Positions that receive no element keep bits that all differ from the input:
  // so the number of equal bits must be the number of bits in the elements.
  const absl::Span<uint8_t> back = pages.bytes();
  for (size_t i = 0; i < back.size(); ++i) {
    back[i] = static_cast<uint8_t>(~relayout.in[i]);
  }
  TESSERA_RETURN_IF_ERROR(run(plan, relayout.out, back));
  const int64_t equal = EqualBits(relayout.in, back);
  if (equal == bits) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("of ", bits, " bits, ", equal, " come back as they were"));
}

}  // namespace

absl::StatusOr<int64_t> VerifyRelayout(const RelayoutToVerify& relayout,
                                       PlanRunner run) {
  TESSERA_ASSIGN_OR_RETURN(const int64_t positions, VerifyPositions(relayout));
  TESSERA_ASSIGN_OR_RETURN(const int64_t elements, DistinctElements(relayout));
  const int64_t bits = elements * relayout.element_bits;
  TESSERA_RETURN_IF_ERROR(VerifyWayBack(relayout, bits, run));
  return positions;
}

}  // namespace tessera::cli
