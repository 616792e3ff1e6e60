#include "tessera/tenstorrent/ttnn_layout.h"

#include <cstddef>
#include <string>
#include <tuple>

#include "absl/strings/ascii.h"
#include "tessera/tenstorrent/layout_printing.h"

namespace tessera {
namespace tenstorrent {
namespace {

// In the order of the enumerations.
constexpr absl::string_view kBufferTypeKeywords[] = {
    "dram", "l1", "system_memory", "l1_small", "trace"};
constexpr absl::string_view kOrientationKeywords[] = {"row_major", "col_major"};
constexpr absl::string_view kShardModeKeywords[] = {"physical", "logical"};

void AppendBufferType(BufferType type, TextWriter* writer) {
  writer->Text("#ttnn.buffer_type<");
  writer->Text(KeywordOf(type));
  writer->Char('>');
}

// Appends ", <keyword>", if there is a value.
template <typename Enum>
void AppendKeyword(absl::optional<Enum> value, TextWriter* writer) {
  if (!value.has_value()) return;
  writer->Text(", <");
  writer->Text(KeywordOf(*value));
  writer->Char('>');
}

// Appends "<32x128>".
void AppendShape(const Dimensions& shape, TextWriter* writer) {
  writer->Char('<');
  AppendDimensions(shape, writer);
  writer->Char('>');
}

void AppendCore(const CoreCoordinate& core, TextWriter* writer) {
  writer->Char('(');
  writer->Int(core.x);
  writer->Char(',');
  writer->Int(core.y);
  writer->Char(')');
}

// Appends "<[#ttnn.core_range<(0,0), (7,7)>]>", or "<>" for no ranges.
void AppendCoreRanges(const CoreRanges& ranges, TextWriter* writer) {
  writer->Char('<');
  for (size_t i = 0; i < ranges.size(); ++i) {
    writer->Text(i == 0 ? "[" : ", ");
    ranges[i].AppendTo(writer);
  }
  writer->Text(ranges.empty() ? ">" : "]>");
}

// As llvm::printEscapedString does, in quotes.
void AppendString(absl::string_view text, TextWriter* writer) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  writer->Char('"');
  for (const char c : text) {
    if (c == '\\') {
      writer->Text("\\\\");
    } else if (absl::ascii_isprint(c) && c != '"') {
      writer->Char(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      writer->Char('\\');
      writer->Char(kDigits[byte / 16]);
      writer->Char(kDigits[byte % 16]);
    }
  }
  writer->Char('"');
}

}  // namespace

BufferType WholeBufferOf(BufferType type) {
  if (type == BufferType::kL1Small) return BufferType::kL1;
  return type == BufferType::kTrace ? BufferType::kDram : type;
}

bool IsSharded(TensorMemoryLayout layout) {
  return layout == TensorMemoryLayout::kHeightSharded ||
         layout == TensorMemoryLayout::kWidthSharded ||
         layout == TensorMemoryLayout::kBlockSharded;
}

std::string CoreRange::ToString() const { return PrintToString(*this); }

void CoreRange::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.core_range<");
  AppendCore(start, writer);
  writer->Text(", ");
  AppendCore(end, writer);
  writer->Char('>');
}

absl::string_view KeywordOf(BufferType type) {
  return kBufferTypeKeywords[static_cast<size_t>(type)];
}

absl::string_view KeywordOf(ShardOrientation orientation) {
  return kOrientationKeywords[static_cast<size_t>(orientation)];
}

absl::string_view KeywordOf(ShardMode mode) {
  return kShardModeKeywords[static_cast<size_t>(mode)];
}

absl::optional<BufferType> BufferTypeOf(absl::string_view keyword) {
  return ValueWithKeyword(keyword, kBufferTypes);
}

absl::optional<ShardOrientation> ShardOrientationOf(absl::string_view keyword) {
  return ValueWithKeyword(keyword, kShardOrientations);
}

absl::optional<ShardMode> ShardModeOf(absl::string_view keyword) {
  return ValueWithKeyword(keyword, kShardModes);
}

std::string TtnnMemRef::ToString() const { return PrintToString(*this); }

void TtnnMemRef::AppendTo(TextWriter* writer) const {
  AppendShaped("memref", shape, element, "ttcore", writer);
  AppendBufferType(buffer_type, writer);
  writer->Char('>');
}

std::string TtnnLayout::ToString() const { return PrintToString(*this); }

void TtnnLayout::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.ttnn_layout<");
  linear.AppendTo(writer);
  writer->Text(", ");
  AppendShape(grid, writer);
  writer->Text(", ");
  if (mesh.has_value()) {
    writer->Text("mesh = #ttcore.tensor_mesh<");
    AppendString(*mesh, writer);
    writer->Text(">, ");
  }
  memref.AppendTo(writer);
  AppendKeyword(memory_layout, writer);
  if (exact_grid) writer->Text(", exactGrid = true");
  if (ignore_physical_layout) writer->Text(", ignorePhysicalLayout = true");
  if (core_ranges.has_value()) {
    writer->Text(", core_ranges = ");
    AppendCoreRanges(*core_ranges, writer);
  }
  writer->Char('>');
}

bool operator==(const TtnnLayout& a, const TtnnLayout& b) {
  const auto parts = [](const TtnnLayout& layout) {
    return std::tie(layout.linear, layout.grid, layout.mesh, layout.memref,
                    layout.memory_layout, layout.exact_grid,
                    layout.ignore_physical_layout, layout.core_ranges);
  };
  return parts(a) == parts(b);
}

std::string TtnnTensor::ToString() const { return PrintToString(*this); }

void TtnnTensor::AppendTo(TextWriter* writer) const {
  AppendShaped("tensor", shape, element, "ttcore", writer);
  layout.AppendTo(writer);
  writer->Char('>');
}

std::string ShardSpec::ToString() const { return PrintToString(*this); }

void ShardSpec::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.shard_spec<");
  AppendCoreRanges(core_ranges, writer);
  writer->Text(", ");
  AppendShape(shape, writer);
  AppendKeyword(absl::make_optional(orientation), writer);
  AppendKeyword(mode, writer);
  if (physical_shape.has_value()) {
    writer->Text(", ");
    AppendShape(*physical_shape, writer);
  }
  writer->Char('>');
}

std::string MemoryConfig::ToString() const { return PrintToString(*this); }

void MemoryConfig::AppendTo(TextWriter* writer) const {
  writer->Text("#ttnn.memory_config<");
  AppendBufferType(buffer_type, writer);
  AppendKeyword(memory_layout, writer);
  if (shard_spec.has_value()) {
    writer->Text(", ");
    shard_spec->AppendTo(writer);
  }
  writer->Char('>');
}

}  // namespace tenstorrent
}  // namespace tessera
