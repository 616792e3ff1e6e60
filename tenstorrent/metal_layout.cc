#include "tessera/tenstorrent/metal_layout.h"

#include <cstddef>
#include <string>

#include "tessera/tenstorrent/layout_printing.h"

namespace tessera {
namespace tenstorrent {
namespace {

// In the order of the enumerations.
constexpr absl::string_view kOobKeywords[] = {"undef", "zero", "one", "inf",
                                              "neginf"};
constexpr absl::string_view kMemorySpaceKeywords[] = {"system", "mmio", "dram",
                                                      "l1", "dst"};
constexpr absl::string_view kMemoryLayoutKeywords[] = {
    "none",           "interleaved",   "single_bank",
    "height_sharded", "width_sharded", "block_sharded"};

}  // namespace

absl::string_view KeywordOf(OobValue value) {
  return kOobKeywords[static_cast<size_t>(value)];
}

absl::string_view KeywordOf(MemorySpace space) {
  return kMemorySpaceKeywords[static_cast<size_t>(space)];
}

absl::string_view KeywordOf(TensorMemoryLayout layout) {
  return kMemoryLayoutKeywords[static_cast<size_t>(layout)];
}

absl::optional<OobValue> OobValueOf(absl::string_view keyword) {
  return ValueWithKeyword(keyword, kOobValues);
}

absl::optional<MemorySpace> MemorySpaceOf(absl::string_view keyword) {
  return ValueWithKeyword(keyword, kMemorySpaces);
}

absl::optional<TensorMemoryLayout> TensorMemoryLayoutOf(
    absl::string_view keyword) {
  return ValueWithKeyword(keyword, kTensorMemoryLayouts);
}

std::string MemRef::ToString() const { return PrintToString(*this); }

void MemRef::AppendTo(TextWriter* writer) const {
  AppendShaped("memref", shape, element, "tt", writer);
  writer->Text("#tt.memory_space<");
  writer->Text(KeywordOf(memory_space));
  writer->Text(">>");
}

std::string MetalLayout::ToString() const { return PrintToString(*this); }

void MetalLayout::AppendTo(TextWriter* writer) const {
  writer->Text("#tt.metal_layout<");
  linear.AppendTo(writer);
  writer->Text(", ");
  writer->Text(KeywordOf(oob_value));
  writer->Text(", <");
  AppendDimensions(grid, writer);
  writer->Text(">, ");
  memref.AppendTo(writer);
  if (memory_layout.has_value()) {
    writer->Text(", ");
    writer->Text(KeywordOf(*memory_layout));
  }
  writer->Char('>');
}

std::string MetalTensor::ToString() const { return PrintToString(*this); }

void MetalTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "tt", writer);
  layout.AppendTo(writer);
  writer->Char('>');
}

}  // namespace tenstorrent
}  // namespace tessera
