// Descriptions for people.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/layout/description.h"
#include "tessera/cli/layout/tensor_description.h"
#include "tessera/cli/output/fact.h"
#include "tessera/layout/memory_space.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/shape/shape_index.h"

namespace tessera::cli {
namespace {

constexpr std::string_view kNoSizes = "unknown: a dimension is unbounded";
// Shown next to the sizes of a tuple.
constexpr std::string_view kNotCounted =
    "without arrays that have an unbounded dimension";

void AppendFact(std::string_view name, std::string_view fact,
                const Display& display, std::string* out) {
  constexpr size_t kNameWidth = 16;
  out->append(kIndent.data(), kIndent.size());
  cli::AppendFact(name, fact, kNameWidth, display, out);
}

std::string Positions(int64_t count) { return Counted(count, "position"); }

// -- XLA ---------------------------------------------------------------------

// "2340, padded to 8192 (8.00 KiB), 3.50x".
std::string BytesInWords(const Sizes& sizes) {
  std::string text = absl::StrCat(sizes.unpadded_bytes());
  if (sizes.padded_bytes() != sizes.unpadded_bytes()) {
    absl::StrAppend(&text, ", padded to ", sizes.padded_bytes());
  }
  if (sizes.padded_bytes() >= 1024) {
    absl::StrAppend(&text, " (", HumanBytes(sizes.padded_bytes()), ")");
  }
  return absl::StrCat(
      text, ", ", HumanFactor(sizes.padded_bytes(), sizes.unpadded_bytes()));
}

std::string ElementsInWords(const Sizes& sizes) {
  return absl::StrCat(sizes.elements(), ", in ",
                      Positions(sizes.position_count()));
}

std::string DataEndInWords(const LeafSizes& leaf) {
  // Contrived tiles; see DataEnd in index_map/element_runs.h.
  if (!leaf.has_data_end()) return "takes too long to find";
  return absl::StrCat(Positions(leaf.data_end()), ", ",
                      Counted(leaf.data_end_bytes(), "byte"));
}

std::string TailInWords(const LeafSizes& leaf) {
  if (leaf.tail_padding_elements() == 0) return "none";
  return absl::StrCat(Positions(leaf.tail_padding_elements()), ", L(",
                      leaf.tail_padding_alignment_in_elements(), ")");
}

// "?", "<=100", "9".
std::string BoundText(const ArrayDimension& dimension) {
  switch (dimension.kind()) {
    case ArrayDimension::UNBOUNDED:
      return "?";
    case ArrayDimension::BOUNDED:
      return absl::StrCat("<=", dimension.bound());
    default:
      return absl::StrCat(dimension.bound());
  }
}

Table DimensionTable(const LeafSizes& leaf) {
  Table table({{"dimension", Table::kRight},
               {"bound", Table::kRight},
               {"padded", Table::kRight},
               {"factor", Table::kRight}});
  if (!leaf.has_sizes()) {
    for (int i = 0; i < leaf.dimensions_size(); ++i) {
      table.AddRow({absl::StrCat(i), BoundText(leaf.dimensions(i)), "?", "?"});
    }
    return table;
  }
  for (const DimensionPaddingSizes& group : leaf.padding()) {
    if (group.dimensions().empty()) {
      // The padding that a tile with more dimensions than the array prepends.
      table.AddRow({"(tile)", "1", absl::StrCat(group.padded()),
                    HumanFactor(group.padded(), 1)});
      continue;
    }
    std::vector<std::string> bounds;
    for (const int64_t i : group.dimensions()) {
      bounds.push_back(BoundText(leaf.dimensions(i)));
    }
    table.AddRow({absl::StrJoin(group.dimensions(), ","),
                  absl::StrJoin(bounds, "*"), absl::StrCat(group.padded()),
                  HumanFactor(group.padded(), group.bound())});
  }
  if (leaf.unpadded_element_bits() != leaf.element_bits()) {
    table.AddRow(
        {"(element)", Counted(leaf.unpadded_element_bits(), "bit"),
         Counted(leaf.element_bits(), "bit"),
         HumanFactor(leaf.element_bits(), leaf.unpadded_element_bits())});
  }
  return table;
}

// Returns "VMEM S(1)", or "S(1), VMEM on TPU, collective on GPU" if the backend
// is not known.
std::string MemorySpaceInWords(const LeafSizes& leaf) {
  const int64_t number = leaf.memory_space();
  std::string text = HumanMemorySpace(number, leaf.memory_space_name());
  const MemorySpaceNames& any = MemorySpaceNames::OfAny();
  if (leaf.memory_space_name() != any.NameOf(number)) return text;
  struct Target {
    std::string_view name;
    const MemorySpaceNames& names;
  };
  const Target kTargets[] = {{"TPU", MemorySpaceNames::OfTpu()},
                             {"GPU", MemorySpaceNames::OfGpu()},
                             {"CPU", MemorySpaceNames::OfCpu()}};
  for (const Target& target : kTargets) {
    const std::string name = target.names.NameOf(number);
    if (name == any.NameOf(number)) continue;
    StrAppend(&text, ", ", name, " on ", target.name);
  }
  return text;
}

void AppendSizes(const LeafSizes& leaf, const Display& display,
                 std::string* out) {
  auto fact = [&](std::string_view name, std::string_view text) {
    AppendFact(name, text, display, out);
  };
  if (!leaf.has_sizes()) {
    fact("sizes", kNoSizes);
    return;
  }
  fact("elements", ElementsInWords(leaf.sizes()));
  fact("bytes", BytesInWords(leaf.sizes()));
  fact("data end", DataEndInWords(leaf));
  fact("tail padding", TailInWords(leaf));
  if (leaf.metadata_prefix_bytes() > 0) {
    fact("metadata", absl::StrCat(Counted(leaf.metadata_prefix_bytes(), "byte"),
                                  " before the array"));
  }
  fact("expanded shape",
       absl::StrCat("[", absl::StrJoin(leaf.expanded_shape(), ","), "]"));
}

// Returns "this layout", or the default layout and the size of the array in it.
std::string TpuDefaultInWords(const LeafSizes& leaf) {
  const TpuDefaultLayout& tpu = leaf.tpu_default();
  if (tpu.is_own()) return "this layout";
  return absl::StrCat(tpu.layout(), ", ", Counted(tpu.padded_bytes(), "byte"));
}

// "8 instead of 9 in dimension 0: 4096 bytes".
std::string SmallerInWords(const LeafSizes& leaf, const SmallerSize& smaller) {
  return absl::StrCat(smaller.size(), " instead of ",
                      BoundText(leaf.dimensions(smaller.dimension())),
                      " in dimension ", smaller.dimension(), ": ",
                      Counted(smaller.padded_bytes(), "byte"));
}

void AppendTpuDefault(const LeafSizes& leaf, const Display& display,
                      std::string* out) {
  if (!leaf.has_tpu_default()) return;
  AppendFact("TPU default", TpuDefaultInWords(leaf), display, out);
  std::string_view name = "smaller size";
  for (const SmallerSize& smaller : leaf.tpu_default().smaller_sizes()) {
    AppendFact(name, SmallerInWords(leaf, smaller), display, out);
    name = "";
  }
}

// Tokens and opaque handles have no elements.
bool IsArray(const LeafSizes& leaf) { return leaf.element_bits() > 0; }

void AppendLeaf(const LeafSizes& leaf, const Display& display,
                std::string* out) {
  if (!IsArray(leaf)) {
    AppendFact("type", absl::StrCat(leaf.type(), ", takes no memory"), display,
               out);
    return;
  }
  AppendFact("type",
             absl::StrCat(leaf.element_type(), ", ",
                          Counted(leaf.element_bits(), "bit"), " an element"),
             display, out);
  AppendFact("memory space", MemorySpaceInWords(leaf), display, out);
  AppendSizes(leaf, display, out);
  AppendTpuDefault(leaf, display, out);
  const Table dimensions = DimensionTable(leaf);
  if (!dimensions.empty()) {
    absl::StrAppend(out, dimensions.ToString(kIndent, display));
  }
  for (const std::string& note : leaf.notes()) {
    AppendFact("note", note, display, out);
  }
}

bool IsTuple(const ShapeDescription& shape) { return shape.type() == "tuple"; }

void AppendText(const ShapeDescription& shape, const Display& display,
                std::string* out) {
  if (IsTuple(shape)) {
    AppendFact("type", shape.type(), display, out);
    AppendFact("leaves", absl::StrCat(shape.leaves_size()), display, out);
    AppendFact("elements", ElementsInWords(shape.total()), display, out);
    AppendFact("bytes", BytesInWords(shape.total()), display, out);
    if (shape.has_unbounded()) AppendFact("", kNotCounted, display, out);
  }
  for (const LeafSizes& leaf : shape.leaves()) {
    if (IsTuple(shape)) {
      absl::StrAppend(
          out, "\n",
          Paint(ShapeIndexToString(leaf.shape_index()), Color::kCyan, display),
          " ", Paint(leaf.canonical(), Color::kBold, display), "\n");
    }
    AppendLeaf(leaf, display, out);
  }
}

std::string LineOf(const ShapeDescription& shape) {
  if (shape.has_unbounded() && !IsTuple(shape)) {
    return StrCat("sizes ", kNoSizes);
  }
  return StrCat("elements ", ElementsInWords(shape.total()), "; bytes ",
                BytesInWords(shape.total()), shape.has_unbounded() ? "; " : "",
                shape.has_unbounded() ? kNotCounted : "");
}

// -- CuTe --------------------------------------------------------------------

// Whether a CuTe layout or a strided array of `elements` is: "yes, without
// gaps".
template <typename Description>
std::string OneToOneInWords(int64_t elements, const Description& layout) {
  if (elements > layout.position_count()) return "no, indices share positions";
  if (!layout.has_gaps()) return "unknown, indices may share positions";
  return layout.gaps() == 0
             ? "yes, without gaps"
             : absl::StrCat("yes, ", Counted(layout.gaps(), "gap"));
}

std::string SizeInWords(const CuteDescription& cute) {
  if (!cute.has_position_count()) return absl::StrCat(cute.size());
  return absl::StrCat(cute.size(), ", in ", Positions(cute.position_count()));
}

// "64 elements, 128 bytes; loads of 8 elements, 16 bytes".
std::string ContiguityInWords(const CuteDescription& cute) {
  std::string words = Counted(cute.contiguous_elements(), "element");
  if (cute.has_contiguous_bytes()) {
    absl::StrAppend(&words, ", ", Counted(cute.contiguous_bytes(), "byte"));
  }
  absl::StrAppend(&words, "; aligned vectors of ",
                  Counted(cute.vector_elements(), "element"));
  if (cute.has_vector_bytes()) {
    absl::StrAppend(&words, ", loads of up to ",
                    Counted(cute.vector_bytes(), "byte"));
  }
  return words;
}

void AppendText(const CuteDescription& cute, const Display& display,
                std::string* out) {
  const auto fact = [&](std::string_view name, std::string_view text) {
    AppendFact(name, text, display, out);
  };
  fact("form", cute.form());
  fact("shape", cute.shape());
  if (!cute.stride().empty()) fact("stride", cute.stride());
  fact("rank", absl::StrCat(cute.rank(), ", depth ", cute.depth()));
  fact("mode sizes", absl::StrJoin(cute.mode_sizes(), ","));
  fact("size", SizeInWords(cute));
  if (cute.has_cosize()) fact("cosize", absl::StrCat(cute.cosize()));
  if (cute.element_bits() != 0) {
    fact("element", Counted(cute.element_bits(), "bit"));
  }
  if (cute.has_position_count()) {
    fact("one to one", OneToOneInWords(cute.size(), cute));
  } else {
    fact("positions", absl::StrCat("not counted: ", cute.reason()));
  }
  if (cute.has_contiguous_elements()) {
    fact("contiguous", ContiguityInWords(cute));
  }
}

std::string LineOf(const CuteDescription& cute) {
  std::string line = absl::StrCat("size ", SizeInWords(cute));
  if (cute.has_cosize()) absl::StrAppend(&line, "; cosize ", cute.cosize());
  if (cute.has_position_count()) {
    absl::StrAppend(&line,
                    "; one to one: ", OneToOneInWords(cute.size(), cute));
  }
  return line;
}

// -- Strided arrays ----------------------------------------------------------

std::string SizeInWords(const StridedDescription& array) {
  return absl::StrCat(array.elements(), ", in ",
                      Positions(array.position_count()));
}

void AppendText(const StridedDescription& array, const Display& display,
                std::string* out) {
  const auto fact = [&](std::string_view name, std::string_view text) {
    AppendFact(name, text, display, out);
  };
  fact("type",
       absl::StrCat(array.element_type(), ", ",
                    Counted(array.element_bits(), "bit"), " an element"));
  fact("strides",
       absl::StrCat("(", absl::StrJoin(array.strides(), ", "), ") elements"));
  fact("offset", Counted(array.offset(), "element"));
  fact("elements", SizeInWords(array));
  fact("bytes", absl::StrCat(array.padded_bytes(), " up to the last element"));
  fact("one to one", OneToOneInWords(array.elements(), array));
}

std::string LineOf(const StridedDescription& array) {
  return absl::StrCat(
      "elements ", SizeInWords(array), "; bytes ", array.padded_bytes(),
      "; one to one: ", OneToOneInWords(array.elements(), array));
}

}  // namespace

std::string DescriptionToText(const DescribeResult& result,
                              const Display& display) {
  std::string out =
      absl::StrCat(Paint(result.canonical(), Color::kBold, display), "\n");
  switch (result.description_case()) {
    case DescribeResult::kXla:
      AppendText(result.xla(), display, &out);
      break;
    case DescribeResult::kCute:
      AppendText(result.cute(), display, &out);
      break;
    case DescribeResult::kTensor:
      out += TensorDescriptionToText(result.tensor(), display);
      break;
    case DescribeResult::kStrided:
      AppendText(result.strided(), display, &out);
      break;
    case DescribeResult::DESCRIPTION_NOT_SET:
      break;
  }
  return out;
}

std::string DescriptionToLine(const DescribeResult& result) {
  std::string line = absl::StrCat(result.canonical(), ": ");
  switch (result.description_case()) {
    case DescribeResult::kXla:
      line += LineOf(result.xla());
      break;
    case DescribeResult::kCute:
      line += LineOf(result.cute());
      break;
    case DescribeResult::kTensor:
      line += TensorDescriptionToLine(result.tensor());
      break;
    case DescribeResult::kStrided:
      line += LineOf(result.strided());
      break;
    case DescribeResult::DESCRIPTION_NOT_SET:
      break;
  }
  return line + "\n";
}

}  // namespace tessera::cli
