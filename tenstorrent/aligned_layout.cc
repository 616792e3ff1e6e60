#include "tessera/tenstorrent/aligned_layout.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/text/form_attributes.h"
#include "tessera/tenstorrent/text/layout_printing.h"
#include "tessera/tenstorrent/text/layout_reader.h"

namespace tessera::tenstorrent {
namespace {

// In the order of the enumeration.
constexpr std::string_view kMemoryLayoutKeywords[] = {"interleaved", "sharded"};

// Appends "[[0, 2], [2, 3]]", or "0" if all numbers are 0.
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
    Append(writer, i == 0 ? "[[" : ", [", intervals[i].first, ", ",
           intervals[i].second, ']');
  }
  writer->Char(']');
}

template <typename Enum>
void AppendKeyword(std::optional<Enum> value, TextWriter* writer) {
  if (value.has_value()) Append(writer, ", ", KeywordOf(*value));
}

}  // namespace

std::string_view KeywordOf(AlignedMemoryLayout layout) {
  return kMemoryLayoutKeywords[static_cast<size_t>(layout)];
}

std::optional<AlignedMemoryLayout> AlignedMemoryLayoutOf(
    std::string_view keyword) {
  return ValueWithKeyword(keyword, kAlignedMemoryLayouts);
}

std::string AlignedLayout::ToString() const { return PrintToString(*this); }

void AlignedLayout::AppendTo(TextWriter* writer) const {
  Append(writer, "#ttcore.metal_layout<logical_shape = ", logical_shape,
         ", dim_alignments = ", dim_alignments,
         ", collapsed_intervals = dense<");
  AppendNumbers(collapsed_intervals, writer);
  Append(writer, "> : tensor<", collapsed_intervals.size(), "x2xi64>");
  AppendKeyword(oob_value, writer);
  AppendKeyword(memory_space, writer);
  AppendKeyword(memory_layout, writer);
  if (index_map.has_value()) {
    writer->Text(", index_map = ");
    if (index_map->is_identity()) {
      Append(writer, "map(", index_map->num_dims(), ')');
    } else {
      index_map->AppendTo(writer);
    }
  }
  writer->Char('>');
}

std::string AlignedTensor::ToString() const { return PrintToString(*this); }

void AlignedTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "ttcore", writer);
  Append(writer, layout, '>');
}

// -- Reading ------------------------------------------------------------------

namespace {

constexpr std::string_view kTooManyIntervals =
    "a layout has at most 1024 intervals";

bool ReadInterval(LayoutReader* reader, AlignedLayout::Interval* interval) {
  return reader->Expect('[') &&
         reader->ReadInteger("an integer", &interval->first) &&
         reader->Expect(',') &&
         reader->ReadInteger("an integer", &interval->second) &&
         reader->Expect(']');
}

bool ReadIntervalsType(LayoutReader* reader, int64_t* size) {
  const char* const begin = reader->position();
  Dimensions shape;
  ElementType element;
  if (!reader->ReadShaped("tensor", &shape, &element)) return false;
  if (shape.size() != 2 || shape[1] != 2 ||
      element != ElementType{DataType::kI64}) {
    return reader->Fail(begin,
                        "expected the type of pairs, such as tensor<2x2xi64>");
  }
  *size = shape[0];
  return reader->Expect('>');
}

bool ReadIntervals(LayoutReader* reader, AlignedLayout::Intervals* intervals) {
  if (!reader->ExpectKeyword("dense") || !reader->Expect('<')) return false;
  // The single number that applies to all entries.
  std::optional<int64_t> number;
  if (reader->cursor().Take('[')) {
    do {
      if (intervals->size() == LayoutReader::kMaxSizes) {
        return reader->FailTooMany(kTooManyIntervals);
      }
      intervals->emplace_back();
      if (!ReadInterval(reader, &intervals->back())) return false;
    } while (reader->cursor().Take(','));
    if (!reader->cursor().Take(']')) return reader->FailExpected("',' or ']'");
    if (!reader->Expect('>')) return false;
  } else if (!reader->cursor().Take('>')) {
    number.emplace();
    if (!reader->ReadInteger("'[', '>' or an integer", &*number) ||
        !reader->Expect('>')) {
      return false;
    }
  }
  if (!reader->Expect(':')) return false;
  const char* const begin = reader->position();
  int64_t size;
  if (!ReadIntervalsType(reader, &size)) return false;
  if (!number.has_value()) {
    const int64_t given = intervals->size();
    return size == given ||
           reader->Fail(
               begin,
               absl::StrCat("expected tensor<", given,
                            "x2xi64>, the type of the intervals before it"));
  }
  if (size > static_cast<int64_t>(LayoutReader::kMaxSizes)) {
    return reader->Fail(begin, kTooManyIntervals,
                        absl::StatusCode::kResourceExhausted);
  }
  intervals->assign(size, {*number, *number});
  return reader->Spend(size);
}

bool ReadIndexMap(LayoutReader* reader, AffineMap* map) {
  if (!reader->cursor().TakeKeyword("map")) return reader->ReadMap(map);
  if (!reader->Expect('(')) return false;
  const char* const begin = reader->position();
  int64_t rank;
  if (!reader->ReadNumber("a number of dimensions", &rank)) return false;
  if (rank > AffineExpression::kMaxDims) {
    return reader->Fail(begin, "an affine map has at most 1024 dimensions",
                        absl::StatusCode::kResourceExhausted);
  }
  *map = AffineMap::Identity(rank);
  return reader->Expect(')') && reader->Spend(*map);
}

bool ReadAlignedLayoutBody(LayoutReader* reader, AlignedLayout* layout) {
  if (!reader->Expect('<') || !reader->ExpectKeyword("logical_shape") ||
      !reader->Expect('=') || !reader->ReadSizes(&layout->logical_shape) ||
      !reader->Expect(',') || !reader->ExpectKeyword("dim_alignments") ||
      !reader->Expect('=') || !reader->ReadSizes(&layout->dim_alignments) ||
      !reader->Expect(',')) {
    return false;
  }
  if (!reader->cursor().TakeKeyword("collapse_dims") &&
      !reader->ExpectKeyword("collapsed_intervals")) {
    return false;
  }
  if (!reader->Expect('=') ||
      !ReadIntervals(reader, &layout->collapsed_intervals)) {
    return false;
  }
  // The next part that may follow, in this order.
  enum { kOob, kSpace, kLayout, kIndexMap, kEnd } next = kOob;
  while (next != kEnd && reader->cursor().Take(',')) {
    OobValue oob_value;
    MemorySpace memory_space;
    AlignedMemoryLayout memory_layout;
    if (next <= kOob && reader->TakeKeyword(kOobValues, &oob_value)) {
      layout->oob_value = oob_value;
      next = kSpace;
    } else if (next <= kSpace &&
               reader->TakeKeyword(kMemorySpaces, &memory_space)) {
      layout->memory_space = memory_space;
      next = kLayout;
    } else if (next <= kLayout &&
               reader->TakeKeyword(kAlignedMemoryLayouts, &memory_layout)) {
      layout->memory_layout = memory_layout;
      next = kIndexMap;
    } else if (reader->cursor().TakeKeyword("index_map") ||
               reader->cursor().TakeKeyword("view_affine_map")) {
      layout->index_map.emplace();
      if (!reader->Expect('=') || !ReadIndexMap(reader, &*layout->index_map))
        return false;
      next = kEnd;
    } else {
      std::vector<std::string_view> known;
      if (next <= kOob) LayoutReader::AppendKeywords(kOobValues, &known);
      if (next <= kSpace) LayoutReader::AppendKeywords(kMemorySpaces, &known);
      if (next <= kLayout)
        LayoutReader::AppendKeywords(kAlignedMemoryLayouts, &known);
      known.push_back("index_map");
      return reader->FailExpected(
          known.size() == 1 ? "'index_map'" : LayoutReader::OneOf(known));
    }
  }
  return reader->cursor().Take('>') ||
         reader->FailExpected(next == kEnd ? "'>'" : "',' or '>'");
}

}  // namespace

constexpr KindOf<AlignedLayout> kAlignedLayoutKind(
    "a layout with a logical shape", ReadAlignedLayoutBody);

absl::Span<const AttributeName> AlignedAttributes() {
  constexpr std::string_view kFirst = "logical_shape";
  static constexpr AttributeName kNames[] = {
      {"#ttcore.metal_layout", &kAlignedLayoutKind, kFirst},
      {"#tt.metal_layout", &kAlignedLayoutKind, kFirst},
      {"#tt.layout", &kAlignedLayoutKind, kFirst},
  };
  return kNames;
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, AlignedLayout)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, AlignedTensor)
