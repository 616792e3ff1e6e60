#include "tessera/tenstorrent/metal_layout.h"

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/text/form_attributes.h"
#include "tessera/tenstorrent/text/layout_printing.h"
#include "tessera/tenstorrent/text/layout_reader.h"

namespace tessera::tenstorrent {
namespace {

// In the order of the enumerations.
constexpr std::string_view kOobKeywords[] = {"undef", "zero", "one", "inf",
                                             "neginf"};
constexpr std::string_view kMemorySpaceKeywords[] = {"system", "mmio", "dram",
                                                     "l1", "dst"};
constexpr std::string_view kMetalMemoryLayoutKeywords[] = {
    "none",          "interleaved",   "single_bank", "height_sharded",
    "width_sharded", "block_sharded", "nd_sharded"};

}  // namespace

std::string_view KeywordOf(OobValue value) {
  return kOobKeywords[static_cast<size_t>(value)];
}

std::string_view KeywordOf(MemorySpace space) {
  return kMemorySpaceKeywords[static_cast<size_t>(space)];
}

std::string_view KeywordOf(TensorMemoryLayout layout) {
  return kMetalMemoryLayoutKeywords[static_cast<size_t>(layout)];
}

std::optional<OobValue> OobValueOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kOobValues);
}

std::optional<MemorySpace> MemorySpaceOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kMemorySpaces);
}

std::optional<TensorMemoryLayout> TensorMemoryLayoutOf(
    std::string_view keyword) {
  return ValueWithKeyword(keyword, kTtnnMemoryLayouts);
}

std::string MemRef::ToString() const { return PrintToString(*this); }

void MemRef::AppendTo(TextWriter* writer) const {
  AppendShaped("memref", shape, element, "tt", writer);
  Append(writer, "#tt.memory_space<", KeywordOf(memory_space), ">>");
}

std::string MetalLayout::ToString() const { return PrintToString(*this); }

void MetalLayout::AppendTo(TextWriter* writer) const {
  Append(writer, "#tt.metal_layout<", linear, ", ", KeywordOf(oob_value), ", <",
         grid, ">, ", memref);
  if (memory_layout.has_value()) {
    Append(writer, ", ", KeywordOf(*memory_layout));
  }
  writer->Char('>');
}

std::string MetalTensor::ToString() const { return PrintToString(*this); }

void MetalTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "tt", writer);
  Append(writer, layout, '>');
}

// -- Reading ------------------------------------------------------------------

namespace {

constexpr std::string_view kMemorySpaceExpected =
    "a memory space such as #tt.memory_space<l1>";

constexpr KindOf<MemorySpace> kMemorySpaceKind(
    "a memory space", [](LayoutReader* reader, MemorySpace* value) {
      return reader->ReadKeywordBody("a memory space", kMemorySpaces, value);
    });

bool ReadMemRef(LayoutReader* reader, MemRef* memref) {
  return reader->ReadShaped("memref", &memref->shape, &memref->element) &&
         reader->ReadMemRefMap(kMemorySpaceExpected, memref->shape.size()) &&
         reader->ReadPart(kMemorySpaceExpected, kMemorySpaceKind,
                          &memref->memory_space) &&
         reader->Expect('>');
}

bool ReadMetalLayoutBody(LayoutReader* reader, MetalLayout* layout) {
  if (!reader->Expect('<')) return false;
  if (!reader->AtInlineMap() &&
      MlirCursor(reader->cursor()).TakePrefixedIdentifier('#').empty()) {
    return reader->FailExpected(
        StrCat(LayoutReader::kMapExpected, ", or 'logical_shape'"));
  }
  Grid grid;
  if (!reader->ReadMap(&layout->linear) || !reader->Expect(',') ||
      !reader->ReadKeyword("an out-of-bounds value", kOobValues,
                           &layout->oob_value) ||
      !reader->Expect(',') || !reader->ReadGrid(&grid) ||
      !reader->Expect(',') || !ReadMemRef(reader, &layout->memref)) {
    return false;
  }
  layout->grid = std::move(grid.sizes);
  if (reader->cursor().Take(',')) {
    layout->memory_layout.emplace(TensorMemoryLayout::kNone);
    // The name of `none` in 2024-09.
    if (!reader->cursor().TakeKeyword("none_layout") &&
        !reader->ReadKeyword("a memory layout", kTensorMemoryLayouts,
                             &*layout->memory_layout)) {
      return false;
    }
  }
  return reader->cursor().Take('>') ||
         reader->FailExpected(layout->memory_layout.has_value() ? "'>'"
                                                                : "',' or '>'");
}

}  // namespace

constexpr KindOf<MetalLayout> kMetalLayoutKind("a layout with a memref",
                                               ReadMetalLayoutBody);

absl::Span<const AttributeName> MetalAttributes() {
  // The dialect tt became ttcore in 2025-06 (820a520791), and #tt.layout became
  // #tt.metal_layout in 2024-11 (f3f3f0ec33).
  static constexpr AttributeName kNames[] = {
      {"#ttcore.metal_layout", &kMetalLayoutKind},
      {"#tt.metal_layout", &kMetalLayoutKind},
      {"#tt.layout", &kMetalLayoutKind},
      {"#ttcore.memory_space", &kMemorySpaceKind},
      {"#tt.memory_space", &kMemorySpaceKind},
  };
  return kNames;
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, MemRef)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, MetalLayout)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, MetalTensor)
