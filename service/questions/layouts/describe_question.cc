#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/common_layout.h"
#include "tessera/cute/algebra/swizzled.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/description.h"
#include "tessera/index_util/padding.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parse_options.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tenstorrent/finding.h"
#include "tessera/service/questions/tenstorrent/tensor_buffer.h"
#include "tessera/shape/shape_index.h"
#include "tessera/shape/tpu_layout.h"
#include "tessera/strided/strided_array.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"

namespace tessera {
namespace {

// -- XLA ---------------------------------------------------------------------

template <typename Message>
void FillType(const Shape& shape, Message* message) {
  const std::string_view name = PrimitiveTypeName(shape.element_type());
  message->mutable_type()->assign(name.data(), name.size());
}

void FillSizes(const ArraySizes& from, Sizes* to) {
  to->set_elements(from.elements);
  to->set_position_count(from.physical_elements);
  to->set_unpadded_bytes(from.unpadded_bytes);
  to->set_padded_bytes(from.padded_bytes);
  SetPaddingFactor(from.padded_bytes, from.unpadded_bytes, to);
}

// Fills in the bits of one array, whose elements may be packed.
void FillBits(const ArraySizes& from, Sizes* to) {
  if (const auto bits =
          CheckedMultiply(from.elements, from.unpadded_element_bits)) {
    to->set_unpadded_bits(*bits);
  }
  if (const auto bits =
          CheckedMultiply(from.physical_elements, from.storage_bits)) {
    to->set_padded_bits(*bits);
  }
}

using DimensionPadding = IndexMap::DimensionPadding;

// Returns the padding of each dimension; null if a tile joins it with another.
std::vector<const DimensionPadding*> PaddingOfDimensions(
    const LeafDescription& described) {
  std::vector<const DimensionPadding*> padding(described.array->rank());
  if (!described.sizes.has_value()) return padding;
  for (const DimensionPadding& group : described.sizes->dimension_padding) {
    if (group.dimensions.size() == 1) padding[group.dimensions[0]] = &group;
  }
  return padding;
}

void FillDimensions(const LeafDescription& described, LeafSizes* leaf) {
  const Shape& array = *described.array;
  const std::vector<const DimensionPadding*> padding =
      PaddingOfDimensions(described);
  for (int64_t i = 0; i < array.rank(); ++i) {
    ArrayDimension& dimension = *leaf->add_dimensions();
    if (array.is_unbounded_dimension(i)) {
      dimension.set_kind(ArrayDimension::UNBOUNDED);
      continue;
    }
    dimension.set_bound(array.dimensions(i));
    if (array.is_dynamic_dimension(i)) {
      dimension.set_kind(ArrayDimension::BOUNDED);
    }
    if (padding[i] == nullptr) continue;
    dimension.set_padded(padding[i]->padded);
    SetPaddingFactor(padding[i]->padded, padding[i]->bound, &dimension);
  }
}

void FillArraySizes(const LeafDescription& described, LeafSizes* leaf) {
  const ArraySizes& sizes = *described.sizes;
  FillSizes(sizes, leaf->mutable_sizes());
  FillBits(sizes, leaf->mutable_sizes());
  for (const DimensionPadding& group : sizes.dimension_padding) {
    DimensionPaddingSizes& padding = *leaf->add_padding();
    SetNumbers(group.dimensions, padding.mutable_dimensions());
    padding.set_bound(group.bound);
    padding.set_padded(group.padded);
    SetPaddingFactor(group.padded, group.bound, &padding);
  }
  SetNumbers(described.expanded_shape, leaf->mutable_expanded_shape());
  leaf->set_tail_padding_elements(sizes.tail_elements);
  leaf->set_tile_padding_elements(sizes.physical_elements - sizes.elements -
                                  sizes.tail_elements);
  leaf->set_metadata_prefix_bytes(sizes.metadata_prefix_bytes);
  if (sizes.data_end.has_value()) leaf->set_data_end(*sizes.data_end);
  if (sizes.data_end_bytes.has_value()) {
    leaf->set_data_end_bytes(*sizes.data_end_bytes);
  }
}

// Only TPU has tiles.
bool IsOfTpu(const Description& description) {
  return std::any_of(description.leaves.begin(), description.leaves.end(),
                     [](const LeafDescription& leaf) {
                       return leaf.array.has_value() &&
                              !leaf.array->layout().tiles().empty();
                     });
}

void AddNotes(const Shape& array, bool is_of_tpu, LeafSizes* leaf) {
  const int64_t bits = array.layout().element_size_in_bits();
  if (bits == 0) return;
  const PrimitiveType type = array.element_type();
  const std::string_view name = PrimitiveTypeName(type);
  if (bits < BitWidth(type)) {
    leaf->add_notes(StrCat("E(", bits, ") is less than the ", BitWidth(type),
                           " bits of ", name));
  }
  // CpuGpuShapeVerifier: "does not support custom element sizes on non-sub-byte
  // types".
  if (!is_of_tpu && !IsSubByteNonPredType(type)) {
    leaf->add_notes(StrCat("XLA for CPU and GPU refuses E(n) on ", name,
                           ", and on every other type except those of "
                           "less than a byte, such as s4 and u2"));
  }
}

void FillLeaf(const LeafDescription& described, bool is_of_tpu,
              LeafSizes* leaf) {
  SetNumbers(described.index, leaf->mutable_shape_index());
  FillType(described.leaf, leaf);
  const std::string_view element_type = PrimitiveTypeName(
      (described.array.has_value() ? *described.array : described.leaf)
          .element_type());
  leaf->mutable_element_type()->assign(element_type.data(),
                                       element_type.size());
  if (!described.array.has_value()) return;
  const Shape& array = *described.array;
  const int64_t memory_space = array.layout().memory_space();
  leaf->set_element_bits(StorageBits(array));
  leaf->set_unpadded_element_bits(UnpaddedElementBits(array));
  leaf->set_memory_space(memory_space);
  leaf->set_memory_space_name(
      (is_of_tpu ? MemorySpaceNames::OfTpu() : MemorySpaceNames::OfAny())
          .NameOf(memory_space));
  AddNotes(array, is_of_tpu, leaf);
  leaf->set_tail_padding_alignment_in_elements(
      array.layout().tail_padding_alignment_in_elements());
  FillDimensions(described, leaf);
  if (described.sizes.has_value()) FillArraySizes(described, leaf);
}

absl::Status DescribeLayout(const Shape& shape, const ServiceOptions& options,
                            DescribeResult* result) {
  TESSERA_RETURN_IF_ERROR(CheckTableRows(options, GetLeafCount(shape)));
  TESSERA_ASSIGN_OR_RETURN(const Description description, Describe(shape));
  ShapeDescription& xla = *result->mutable_xla();
  FillSizes(description.total, xla.mutable_total());
  FillType(shape, &xla);
  xla.set_has_unbounded(!description.is_bounded);
  const bool is_of_tpu = IsOfTpu(description);
  for (const LeafDescription& leaf : description.leaves) {
    LeafSizes& added = *xla.add_leaves();
    // A shape that is not a tuple has one leaf, itself.
    added.set_canonical(leaf.index.empty() ? result->canonical()
                                           : leaf.leaf.ToString());
    FillLeaf(leaf, is_of_tpu, &added);
  }
  return absl::OkStatus();
}

// Leaves out layouts that the compiler rejects.
void FillTpuDefault(const Shape& array, LeafSizes* leaf) {
  const absl::StatusOr<Layout> layout = DefaultTpuLayout(array);
  if (!layout.ok()) return;
  const absl::StatusOr<ArraySizes> sizes =
      ComputeArraySizes(array.WithLayout(*layout));
  const absl::StatusOr<std::vector<SmallerTpuSize>> smaller =
      FindSmallerTpuSizes(array);
  if (!sizes.ok() || !smaller.ok()) return;
  TpuDefaultLayout& answer = *leaf->mutable_tpu_default();
  answer.set_layout(layout->ToString());
  answer.set_padded_bytes(sizes->padded_bytes);
  answer.set_is_own(
      Layout::Equal().IgnoreMemorySpace()(*layout, array.layout()));
  for (const SmallerTpuSize& size : *smaller) {
    SmallerSize& added = *answer.add_smaller_sizes();
    added.set_dimension(size.dimension);
    added.set_size(size.size);
    added.set_padded_bytes(size.padded_bytes);
  }
}

// `xla` has the leaves of `shape`, in the same order.
void FillTpuDefaults(const Shape& shape, ShapeDescription* xla) {
  int i = 0;
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView) {
    LeafSizes* const sizes = xla->mutable_leaves(i++);
    if (!sizes->has_sizes()) return;
    FillTpuDefault(leaf.IsBuffer() ? leaf.tuple_shapes(0) : leaf, sizes);
  });
}

// -- CuTe --------------------------------------------------------------------

MapKind ToMapKind(IndexMap::Kind kind) {
  switch (kind) {
    case IndexMap::Kind::kMixedRadix:
      return MIXED_RADIX;
    case IndexMap::Kind::kInjective:
      return INJECTIVE;
    case IndexMap::Kind::kGeneral:
      break;
  }
  return GENERAL;
}

// Fills in how much of the layout can be loaded at once. `element_bits` is that
// of the question; 0 for the layout's own.
void FillContiguity(const CuteLayout& read, int64_t element_bits,
                    CuteDescription* cute) {
  if (InnerLayout(read).has_basis()) return;
  if (element_bits == 0) element_bits = read.element_bits;
  if (const auto* composed = std::get_if<cute::ComposedLayout>(&read.form)) {
    if (!std::holds_alternative<cute::Swizzle>(composed->outer())) return;
    cute->set_contiguous_elements(cute::ContiguousElements(*composed));
    cute->set_vector_elements(cute::VectorElements(*composed));
  } else {
    const auto& layout = std::get<cute::Layout>(read.form);
    cute->set_contiguous_elements(cute::ContiguousElements(layout));
    cute->set_vector_elements(cute::VectorElements(layout));
  }
  const std::optional<int64_t> bits =
      CheckedMultiply(cute->contiguous_elements(), element_bits);
  if (element_bits == 0 || !bits.has_value() || *bits % 8 != 0) return;
  cute->set_contiguous_bytes(*bits / 8);
  constexpr int64_t kWidestLoad = 16;
  // A vector is not longer than the run.
  const int64_t vector_bits = cute->vector_elements() * element_bits;
  const int64_t bytes = std::gcd(vector_bits, 8 * kWidestLoad) / 8;
  if (bytes > 0) cute->set_vector_bytes(bytes);
}

absl::Status DescribeLayout(const CuteLayout& form, const ServiceOptions&,
                            DescribeResult* result) {
  CuteDescription& cute = *result->mutable_cute();
  const cute::Layout& layout = InnerLayout(form);
  const bool is_composed =
      std::holds_alternative<cute::ComposedLayout>(form.form);
  cute.set_form(is_composed ? "composed layout" : "layout");
  cute.set_shape(layout.shape().ToString());
  if (!layout.has_basis()) cute.set_stride(layout.stride().ToString());
  cute.set_rank(layout.rank());
  cute.set_depth(layout.depth());
  cute.set_size(layout.size());
  for (const cute::Layout& mode : layout.Modes()) {
    cute.add_mode_sizes(mode.size());
  }
  if (!is_composed && !layout.has_basis()) cute.set_cosize(layout.cosize());
  cute.set_element_bits(form.element_bits);

  const absl::StatusOr<IndexMap> map = ToIndexMap(AnyLayout(form));
  if (!map.ok()) {
    cute.set_reason(std::string(map.status().message()));
    return absl::OkStatus();
  }
  cute.set_position_count(map->position_count());
  cute.set_map_kind(ToMapKind(map->kind()));
  if (map->kind() != IndexMap::Kind::kGeneral) {
    cute.set_gaps(map->position_count() - map->element_count());
  }
  return absl::OkStatus();
}

// -- Tenstorrent -------------------------------------------------------------

// Returns the number of cells, or boxes of cells, of a grid to list, whatever
// the options allow: even a short text may have 3^rank boxes.
int64_t ListedCells(int64_t rank) { return 4096 / (1 + rank / 8); }

void FillCells(const tenstorrent::Placement& placement, int64_t limit,
               TensorDescription* description) {
  const absl::Span<const int64_t> grid = placement.geometry().grid;
  int64_t count = 1;
  for (const int64_t size : grid) count *= size;
  if (count > limit) return;
  std::vector<int64_t> cell(grid.size(), 0);
  for (int64_t number = 0; number < count; ++number) {
    CellSizes& added = *description->add_cells();
    SetNumbers(cell, added.mutable_cell());
    SetNumbers(*placement.ValidBox(cell), added.mutable_valid());
    for (size_t i = cell.size(); i > 0 && ++cell[i - 1] == grid[i - 1];) {
      cell[--i] = 0;
    }
  }
}

// The parts of a tensor's text, whether it keeps the rules or not.
struct WrittenParts {
  absl::Span<const int64_t> shape, grid, memref;
  tenstorrent::ElementType element;
};

WrittenParts PartsOf(const tenstorrent::MetalTensor& tensor) {
  return {tensor.shape, tensor.layout.grid, tensor.layout.memref.shape,
          tensor.layout.memref.element};
}

WrittenParts PartsOf(const tenstorrent::TtnnTensor& tensor) {
  return {tensor.shape, tensor.layout.grid, tensor.layout.memref.shape,
          tensor.layout.memref.element};
}

WrittenParts PartsOf(const tenstorrent::AlignedTensor& tensor) {
  const absl::Span<const int64_t> shape = tensor.shape;
  return {tensor.layout.logical_shape, shape.first(shape.size() / 2),
          shape.subspan(shape.size() / 2), tensor.element};
}

void FillWrittenParts(const tenstorrent::VerifiedTensor& tensor,
                      TensorDescription* description) {
  const WrittenParts parts =
      std::visit([](const auto& form) { return PartsOf(form); }, tensor.text);
  SetNumbers(parts.shape, description->mutable_shape());
  SetNumbers(parts.grid, description->mutable_grid());
  SetNumbers(parts.memref, description->mutable_memref());
  description->set_element(parts.element.ToString());
  if (parts.element.is_tile()) {
    SetNumbers({parts.element.tile->height, parts.element.tile->width},
               description->mutable_tile_shape());
  }
  const std::optional<int64_t> bytes = parts.element.bytes();
  if (bytes.has_value()) description->set_element_bytes(*bytes);
  description->set_elements(CheckedProduct(parts.shape).value_or(0));
}

absl::Status FillPlacement(const tenstorrent::Placement& placement,
                           const ServiceOptions& options,
                           TensorDescription* description) {
  const tenstorrent::Geometry& geometry = placement.geometry();
  const tenstorrent::PlaceCounts& counts = placement.counts();
  const int64_t rows =
      std::min(options.table_rows, ListedCells(geometry.rank()));
  const absl::StatusOr<std::vector<tenstorrent::CellBox>> boxes =
      placement.CellBoxes(rows);
  if (!boxes.ok()) return CheckLimit("table_rows", "rows", rows + 1, rows);
  SetNumbers(geometry.grid, description->mutable_grid());
  SetNumbers(geometry.extent, description->mutable_extent());
  SetNumbers(geometry.shard, description->mutable_shard());
  SetNumbers(geometry.memref, description->mutable_memref());
  description->set_exponent_bytes(*geometry.element.bytes() -
                                  *geometry.element.bytes_without_exponents());
  description->set_bytes_per_shard(geometry.bytes_per_shard);
  description->set_bytes(geometry.bytes);
  description->set_elements(counts.elements);
  description->set_position_count(counts.all());
  SetPaddingFactor(counts.all(), counts.elements, description);
  description->set_tile_padding(counts.tile);
  description->set_grid_padding(counts.grid);
  description->set_gaps(counts.gap);
  description->set_empty_cells(placement.empty_cells());
  FillCells(placement, rows, description);
  for (const tenstorrent::CellBox& box : *boxes) {
    CellBoxSizes& added = *description->add_cell_boxes();
    SetNumbers(box.first, added.mutable_first());
    SetNumbers(box.last, added.mutable_last());
    SetNumbers(box.valid, added.mutable_valid());
  }
  if (geometry.index_map.has_value() && !geometry.index_map->is_identity()) {
    SetNumbers(placement.storage_grid(), description->mutable_storage_grid());
    SetNumbers(placement.storage_memref(),
               description->mutable_storage_memref());
  }
  return absl::OkStatus();
}

void FillBuffer(const tenstorrent::VerifiedTensor& tensor,
                const CardChoice& card, TensorDescription* description) {
  const absl::StatusOr<tenstorrent::WrittenSize> written =
      tenstorrent::WrittenSizeOf(tensor.text);
  if (written.ok()) {
    description->set_written_bytes_per_shard(written->bytes_per_bank);
    description->set_written_bytes(written->bytes);
  }
  const absl::StatusOr<tenstorrent::Buffer> buffer = BufferOnCard(tensor, card);
  if (buffer.ok()) {
    FillTensorBuffer(*buffer, card, description->mutable_buffer());
    AddShardCores(*buffer, description->mutable_buffer());
  } else {
    description->set_buffer_reason(std::string(buffer.status().message()));
  }
}

absl::Status DescribeTensor(const tenstorrent::VerifiedTensor& tensor,
                            const ServiceOptions& options,
                            const CardChoice& card,
                            TensorDescription* description) {
  TESSERA_RETURN_IF_ERROR(
      ToChip(card, tenstorrent::BufferType::kDram).status());
  FillWrittenParts(tensor, description);
  const tenstorrent::Verification& verification = tensor.verification;
  const absl::StatusOr<const tenstorrent::Placement*> found = SizesOf(tensor);
  if (found.ok()) {
    TESSERA_RETURN_IF_ERROR(FillPlacement(**found, options, description));
  } else if (verification.placement.has_value()) {
    // Only the memref breaks a rule; these are the sizes by the rules.
    TESSERA_RETURN_IF_ERROR(
        FillPlacement(*verification.placement, options, description));
  } else {
    description->set_reason(std::string(found.status().message()));
  }
  FillBuffer(tensor, card, description);
  description->set_memory_space_name(tensor.memory_space);
  if (tensor.oob_value.has_value()) {
    description->set_oob_value(std::string(KeywordOf(*tensor.oob_value)));
  }
  description->set_tiles_first(tensor.order ==
                               tenstorrent::DivisionOrder::kTileFirst);
  AddFindings(verification.errors, description->mutable_errors());
  AddFindings(verification.warnings, description->mutable_warnings());
  if (const auto* map = LinearMapOf(tensor.text)) {
    description->set_map(map->ToString());
  }
  return absl::OkStatus();
}

// -- Strided -----------------------------------------------------------------

absl::Status DescribeLayout(const StridedArray& array, const ServiceOptions&,
                            DescribeResult* result) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap map, ToIndexMap(array));
  const int64_t bytes = array.element_bytes();
  StridedDescription& strided = *result->mutable_strided();
  SetNumbers(array.dimensions, strided.mutable_shape());
  SetNumbers(array.strides, strided.mutable_strides());
  strided.set_offset(array.offset);
  strided.set_element_type(std::string(PrimitiveTypeName(array.element_type)));
  strided.set_element_bits(8 * bytes);
  strided.set_elements(map.element_count());
  strided.set_position_count(map.position_count());
  // In a broadcast, more elements than fit may share one position.
  if (const auto all = CheckedMultiply(map.element_count(), bytes)) {
    strided.set_unpadded_bytes(*all);
  }
  strided.set_padded_bytes(map.position_count() * bytes);
  strided.set_map_kind(ToMapKind(map.kind()));
  if (map.kind() != IndexMap::Kind::kGeneral) {
    strided.set_gaps(map.position_count() - map.element_count());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AnswerDescribe(const ServiceOptions& options,
                            const DescribeRequest& question,
                            DescribeResult* result) {
  ParseOptions shape;
  TESSERA_RETURN_IF_ERROR(SetLayoutTarget(question.target(), &shape));
  std::vector<Diagnostic> notes;
  const absl::StatusOr<AnyLayout> read =
      ReadLayout(question.layout(), options, shape, &notes);
  if (!read.ok()) return InField("layout", read.status());
  if (question.element_bits() < 0) {
    return InvalidField("element_bits", question.element_bits(),
                        " is less than 0");
  }
  // Only expressions of CuTe have notes.
  for (const Diagnostic& note : notes) {
    *result->mutable_cute()->add_notes() = ToTextNote(note);
  }
  return AnswerDescribe(options, question.layout(), *read, result,
                        shape.tpu_layouts, question.element_bits(),
                        question.card());
}

absl::Status AnswerDescribe(const ServiceOptions& options,
                            std::string_view text, const AnyLayout& layout,
                            DescribeResult* result, bool is_for_tpu,
                            int64_t element_bits, const CardChoice& card) {
  result->set_canonical(ToString(layout));
  absl::Status status = layout.Visit([&](const auto& form) {
    if constexpr (std::is_same_v<std::decay_t<decltype(form)>,
                                 tenstorrent::VerifiedTensor>) {
      return DescribeTensor(form, options, card, result->mutable_tensor());
    } else {
      return DescribeLayout(form, options, result);
    }
  });
  if (const CuteLayout* cute = layout.As<CuteLayout>()) {
    FillContiguity(*cute, element_bits, result->mutable_cute());
  }
  if (status.ok() && is_for_tpu && layout.As<Shape>() != nullptr) {
    FillTpuDefaults(*layout.As<Shape>(), result->mutable_xla());
  }
  // A limit is not about a place in the text.
  if (!status.ok() && !absl::IsResourceExhausted(status)) {
    status = WithPlaceInLayout(text, layout, status);
  }
  return InField("layout", std::move(status));
}

}  // namespace tessera
