// Descriptions for people.

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/description.h"
#include "tessera/cli/fact.h"
#include "tessera/cli/table.h"
#include "tessera/cli/units.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

constexpr absl::string_view kIndent = "  ";

constexpr absl::string_view kNoSizes = "unknown: a dimension is unbounded";
// Beside the sizes of a tuple.
constexpr absl::string_view kNotCounted =
    "without arrays that have an unbounded dimension";

void AppendFact(absl::string_view name, absl::string_view fact,
                const Display& display, std::string* out) {
  constexpr size_t kNameWidth = 16;
  out->append(kIndent.data(), kIndent.size());
  AppendFact(name, fact, kNameWidth, display, out);
}

// "2340, padded to 8192 (8.0 KiB), 3.50x".
std::string BytesInWords(const ArraySizes& sizes) {
  std::string text = absl::StrCat(sizes.unpadded_bytes);
  if (sizes.padded_bytes != sizes.unpadded_bytes) {
    absl::StrAppend(&text, ", padded to ", sizes.padded_bytes);
  }
  if (sizes.padded_bytes >= 1024) {
    absl::StrAppend(&text, " (", HumanBytes(sizes.padded_bytes), ")");
  }
  return absl::StrCat(text, ", ",
                      HumanFactor(sizes.padded_bytes, sizes.unpadded_bytes));
}

std::string Positions(int64_t count) { return Counted(count, "position"); }

std::string ElementsInWords(const ArraySizes& sizes) {
  return absl::StrCat(sizes.elements, ", in ",
                      Positions(sizes.physical_elements));
}

std::string DataEndInWords(const ArraySizes& sizes) {
  // Contrived tiles; see DataEnd in index_map/element_runs.h.
  if (!sizes.data_end.has_value()) return "takes too long to find";
  return absl::StrCat(Positions(*sizes.data_end), ", ",
                      Counted(*sizes.data_end_bytes, "byte"));
}

std::string TailInWords(const Shape& array, const ArraySizes& sizes) {
  if (sizes.tail_elements == 0) return "none";
  return absl::StrCat(Positions(sizes.tail_elements), ", L(",
                      array.layout().tail_padding_alignment_in_elements(), ")");
}

// "?", "<=100", "9".
std::string BoundText(const Shape& array, int64_t dimension) {
  if (array.is_unbounded_dimension(dimension)) return "?";
  return absl::StrCat(array.is_dynamic_dimension(dimension) ? "<=" : "",
                      array.dimensions(dimension));
}

Table DimensionTable(const LeafDescription& leaf) {
  const Shape& array = *leaf.array;
  Table table({{"dimension", Table::kRight},
               {"bound", Table::kRight},
               {"padded", Table::kRight},
               {"factor", Table::kRight}});
  if (!leaf.sizes.has_value()) {
    for (int64_t i = 0; i < array.rank(); ++i) {
      table.AddRow({absl::StrCat(i), BoundText(array, i), "?", "?"});
    }
    return table;
  }
  for (const IndexMap::DimensionPadding& group :
       leaf.sizes->dimension_padding) {
    if (group.dimensions.empty()) {
      // What a tile of more dimensions than the array puts in front.
      table.AddRow({"(tile)", "1", absl::StrCat(group.padded),
                    HumanFactor(group.padded, 1)});
      continue;
    }
    std::vector<std::string> bounds;
    for (int64_t i : group.dimensions) bounds.push_back(BoundText(array, i));
    table.AddRow({absl::StrJoin(group.dimensions, ","),
                  absl::StrJoin(bounds, "*"), absl::StrCat(group.padded),
                  HumanFactor(group.padded, group.bound)});
  }
  return table;
}

void AppendSizes(const LeafDescription& leaf, const Display& display,
                 std::string* out) {
  auto fact = [&](absl::string_view name, absl::string_view text) {
    AppendFact(name, text, display, out);
  };
  if (!leaf.sizes.has_value()) {
    fact("sizes", kNoSizes);
    return;
  }
  const ArraySizes& sizes = *leaf.sizes;
  fact("elements", ElementsInWords(sizes));
  fact("bytes", BytesInWords(sizes));
  fact("data end", DataEndInWords(sizes));
  fact("tail padding", TailInWords(*leaf.array, sizes));
  if (sizes.metadata_prefix_bytes > 0) {
    fact("metadata", absl::StrCat(Counted(sizes.metadata_prefix_bytes, "byte"),
                                  " before the array"));
  }
  fact("expanded shape",
       absl::StrCat("[", absl::StrJoin(leaf.expanded_shape, ","), "]"));
}

void AppendArray(const LeafDescription& leaf, const Display& display,
                 std::string* out) {
  const Shape& array = *leaf.array;
  AppendFact("type",
             absl::StrCat(PrimitiveTypeName(array.element_type()), ", ",
                          Counted(StorageBits(array), "bit"), " an element"),
             display, out);
  AppendFact("memory space", HumanMemorySpace(array.layout().memory_space()),
             display, out);
  AppendSizes(leaf, display, out);
  const Table dimensions = DimensionTable(leaf);
  if (!dimensions.empty()) {
    absl::StrAppend(out, dimensions.ToString(kIndent, display));
  }
}

}  // namespace

std::string DescriptionToText(const Description& description,
                              const Display& display) {
  std::string out = absl::StrCat(
      Paint(description.shape.ToString(), Color::kBold, display), "\n");
  if (description.shape.IsTuple()) {
    AppendFact("type", "tuple", display, &out);
    AppendFact("leaves", absl::StrCat(description.leaves.size()), display,
               &out);
    AppendFact("elements", ElementsInWords(description.total), display, &out);
    AppendFact("bytes", BytesInWords(description.total), display, &out);
    if (!description.is_bounded) {
      AppendFact("", kNotCounted, display, &out);
    }
  }
  for (const LeafDescription& leaf : description.leaves) {
    if (description.shape.IsTuple()) {
      absl::StrAppend(
          &out, "\n",
          Paint(ShapeIndexToString(leaf.index), Color::kCyan, display), " ",
          Paint(leaf.leaf.ToString(), Color::kBold, display), "\n");
    }
    if (leaf.array.has_value()) {
      AppendArray(leaf, display, &out);
    } else {
      AppendFact("type",
                 absl::StrCat(PrimitiveTypeName(leaf.leaf.element_type()),
                              ", takes no memory"),
                 display, &out);
    }
  }
  return out;
}

std::string DescriptionToLine(const Description& description) {
  const std::string canonical = description.shape.ToString();
  if (!description.is_bounded && !description.shape.IsTuple()) {
    return absl::StrCat(canonical, ": sizes ", kNoSizes, "\n");
  }
  return absl::StrCat(
      canonical, ": elements ", ElementsInWords(description.total), "; bytes ",
      BytesInWords(description.total), description.is_bounded ? "" : "; ",
      description.is_bounded ? "" : kNotCounted, "\n");
}

}  // namespace tessera
