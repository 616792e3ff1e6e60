#include "tessera/tenstorrent/aligned_layout.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

#include "tessera/tenstorrent/layout_printing.h"

namespace tessera {
namespace tenstorrent {
namespace {

// In the order of the enumeration.
constexpr absl::string_view kMemoryLayoutKeywords[] = {"interleaved",
                                                       "sharded"};

// "[[0, 2], [2, 3]]", or "0" for nothing but zeros.
void AppendNumbers(const AlignedLayout::Intervals& intervals,
                   TextWriter* writer) {
  if (intervals.empty()) return;
  const int64_t first = intervals[0].first;
  if (std::all_of(intervals.begin(), intervals.end(),
                  [first](const AlignedLayout::Interval& interval) {
                    return interval.first == first && interval.second == first;
                  })) {
    writer->Int(first);
    return;
  }
  for (size_t i = 0; i < intervals.size(); ++i) {
    writer->Text(i == 0 ? "[[" : ", [");
    writer->Int(intervals[i].first);
    writer->Text(", ");
    writer->Int(intervals[i].second);
    writer->Char(']');
  }
  writer->Char(']');
}

template <typename Enum>
void AppendKeyword(absl::optional<Enum> value, TextWriter* writer) {
  if (!value.has_value()) return;
  writer->Text(", ");
  writer->Text(KeywordOf(*value));
}

}  // namespace

absl::string_view KeywordOf(AlignedMemoryLayout layout) {
  return kMemoryLayoutKeywords[static_cast<size_t>(layout)];
}

absl::optional<AlignedMemoryLayout> AlignedMemoryLayoutOf(
    absl::string_view keyword) {
  return ValueWithKeyword(keyword, kAlignedMemoryLayouts);
}

std::string AlignedLayout::ToString() const { return PrintToString(*this); }

void AlignedLayout::AppendTo(TextWriter* writer) const {
  writer->Text("#ttcore.metal_layout<logical_shape = ");
  AppendDimensions(logical_shape, writer);
  writer->Text(", dim_alignments = ");
  AppendDimensions(dim_alignments, writer);
  writer->Text(", collapsed_intervals = dense<");
  AppendNumbers(collapsed_intervals, writer);
  writer->Text("> : tensor<");
  writer->Int(collapsed_intervals.size());
  writer->Text("x2xi64>");
  AppendKeyword(oob_value, writer);
  AppendKeyword(memory_space, writer);
  AppendKeyword(memory_layout, writer);
  if (index_map.has_value()) {
    writer->Text(", index_map = ");
    if (index_map->is_identity()) {
      writer->Text("map(");
      writer->Int(index_map->num_dims());
      writer->Char(')');
    } else {
      index_map->AppendTo(writer);
    }
  }
  writer->Char('>');
}

bool operator==(const AlignedLayout& a, const AlignedLayout& b) {
  const auto parts = [](const AlignedLayout& layout) {
    return std::tie(layout.logical_shape, layout.dim_alignments,
                    layout.collapsed_intervals, layout.oob_value,
                    layout.memory_space, layout.memory_layout,
                    layout.index_map);
  };
  return parts(a) == parts(b);
}

std::string AlignedTensor::ToString() const { return PrintToString(*this); }

void AlignedTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "ttcore", writer);
  layout.AppendTo(writer);
  writer->Char('>');
}

}  // namespace tenstorrent
}  // namespace tessera
