#include "tessera/tenstorrent/mlir_file/device_memref.h"

#include <optional>
#include <string_view>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/text/attribute_reader.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {
namespace {

// Reads up to the '>' that ends the attribute, without keeping the text.
bool SkipRest(AttributeReader* reader) {
  while (reader->cursor().Take(',')) {
    AffineMap map;
    if (!reader->AtInlineMap()) return reader->FailExpected("an affine map");
    if (!reader->ReadInlineMap(&map)) return false;
  }
  return reader->Expect('>');
}

bool ReadLayoutPart(std::string_view name, AttributeReader* reader,
                    DeviceMemRef* memref) {
  const DeviceMemRef::Kind kind =
      name == "shard"         ? DeviceMemRef::kShard
      : name == "view"        ? DeviceMemRef::kView
      : name == "interleaved" ? DeviceMemRef::kInterleaved
      : name == "cb_layout"   ? DeviceMemRef::kCircularBuffer
                              : DeviceMemRef::kHost;
  // If there is a shard and a view of it, the shard has the memory.
  memref->is_viewed = memref->kind != DeviceMemRef::kCoreLocal;
  if (!memref->is_viewed || kind != DeviceMemRef::kView) memref->kind = kind;
  if (kind == DeviceMemRef::kView || kind == DeviceMemRef::kHost) {
    return reader->SkipBrackets();
  }
  if (!reader->Expect('<') || !reader->ReadSizes(&memref->strides)) {
    return false;
  }
  if (kind != DeviceMemRef::kInterleaved &&
      (!reader->Expect(',') ||
       !reader->ReadNumber("a number of buffers", &memref->buffers))) {
    return false;
  }
  return SkipRest(reader);
}

bool ReadSpace(std::string_view name, AttributeReader* reader,
               DeviceMemRef* memref) {
  if (name == "buffer_type") {
    BufferType type;
    if (!reader->Expect('<') ||
        !reader->ReadKeyword("a buffer type", kBufferTypes, &type)) {
      return false;
    }
    memref->memory_space = MemorySpaceHolding(type);
  } else {
    if (!reader->Expect('<') ||
        !reader->ReadKeyword("a memory space", kMemorySpaces,
                             &memref->memory_space.emplace())) {
      return false;
    }
  }
  return reader->Expect('>');
}

bool ReadPartOfMemRef(AttributeReader* reader, DeviceMemRef* memref) {
  if (reader->AtInlineMap()) {
    AffineMap map;
    if (memref->kind == DeviceMemRef::kCoreLocal) {
      memref->kind = DeviceMemRef::kStrided;
    }
    return reader->ReadInlineMap(&map);
  }
  if (reader->cursor().TakeKeyword("strided")) {
    memref->kind = DeviceMemRef::kStrided;
    return reader->SkipBrackets();
  }
  const MlirCursor before = reader->cursor();
  const std::string_view name = reader->cursor().TakePrefixedIdentifier('#');
  std::string_view part = name;
  if (ConsumePrefix(&part, "#ttcore.") || ConsumePrefix(&part, "#tt.")) {
    if (part == "memory_space") return ReadSpace(part, reader, memref);
    if (part == "shard" || part == "view" || part == "interleaved" ||
        part == "cb_layout" || part == "host_layout") {
      return ReadLayoutPart(part, reader, memref);
    }
  }
  if (name == "#ttnn.buffer_type") {
    return ReadSpace("buffer_type", reader, memref);
  }
  reader->cursor() = before;
  return reader->FailExpected(
      "a layout such as #ttcore.shard<16384x4096, 1> or a memory space such as "
      "#ttcore.memory_space<l1>");
}

bool HasGrid(const DeviceMemRef& memref) {
  return (memref.kind == DeviceMemRef::kShard ||
          memref.kind == DeviceMemRef::kView ||
          memref.kind == DeviceMemRef::kInterleaved) &&
         memref.shape.size() % 2 == 0;
}

}  // namespace

std::string_view NameOf(DeviceMemRef::Kind kind) {
  constexpr std::string_view kNames[] = {
      "core-local",      "shard", "view",   "interleaved",
      "circular buffer", "host",  "strided"};
  return kNames[kind];
}

bool HasMemory(const DeviceMemRef& memref) {
  return memref.kind != DeviceMemRef::kView &&
         memref.kind != DeviceMemRef::kStrided;
}

Dimensions GridOfMemRef(const DeviceMemRef& memref) {
  if (!HasGrid(memref)) return {};
  return Dimensions(memref.shape.begin(),
                    memref.shape.begin() + memref.shape.size() / 2);
}

Dimensions ShardOfMemRef(const DeviceMemRef& memref) {
  if (!HasGrid(memref)) return memref.shape;
  return Dimensions(memref.shape.begin() + memref.shape.size() / 2,
                    memref.shape.end());
}

std::optional<int64_t> BytesPerCore(const DeviceMemRef& memref) {
  const std::optional<int64_t> bytes = memref.element.bytes();
  if (!bytes.has_value()) return std::nullopt;
  Dimensions factors = ShardOfMemRef(memref);
  factors.push_back(*bytes);
  factors.push_back(memref.buffers);
  return CheckedProduct(factors);
}

std::optional<int64_t> BytesOfAll(const DeviceMemRef& memref) {
  const std::optional<int64_t> bytes = BytesPerCore(memref);
  if (!bytes.has_value()) return std::nullopt;
  Dimensions factors = GridOfMemRef(memref);
  factors.push_back(*bytes);
  return CheckedProduct(factors);
}

absl::StatusOr<DeviceMemRef> ParseDeviceMemRef(std::string_view text) {
  AttributeReader reader(text);
  DeviceMemRef memref;
  if (!reader.ReadShaped("memref", &memref.shape, &memref.element)) {
    return reader.status();
  }
  while (reader.cursor().Take(',')) {
    if (!ReadPartOfMemRef(&reader, &memref)) return reader.status();
  }
  if (!reader.Expect('>') || (!reader.cursor().AtEnd() &&
                              !reader.FailExpected("the end of the text"))) {
    return reader.status();
  }
  return memref;
}

}  // namespace tessera::tenstorrent
