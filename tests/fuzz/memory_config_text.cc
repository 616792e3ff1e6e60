#include "tests/fuzz/memory_config_text.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/buffer/runtime_text.h"
#include "tessera/tenstorrent/tensor.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

using tenstorrent::Buffer;
using tenstorrent::BufferPlace;
using tenstorrent::DataType;
using tenstorrent::Dimensions;
using tenstorrent::ElementType;
using tenstorrent::MemoryConfig;
using tenstorrent::TileShape;

// The first and the last element of a tensor in `buffer`.
std::string PlacesProblem(const Buffer& buffer) {
  const Dimensions& shape = buffer.spec().shape;
  Dimensions first(shape.size(), 0), last = shape;
  for (int64_t& size : last) {
    if (size == 0) return "";
    --size;
  }
  for (const Dimensions& index : {first, last}) {
    const absl::StatusOr<BufferPlace> place = buffer.PlaceOf(index);
    if (!place.ok()) return std::string(place.status().message());
    if (place->offset() < 0 ||
        place->offset() >= buffer.sizes().taken_per_bank) {
      return absl::StrCat("offset ", place->offset(),
                          " is outside what is taken of a bank");
    }
  }
  return "";
}

std::string TensorProblem(std::string_view text) {
  const absl::StatusOr<tenstorrent::RuntimeTensor> tensor =
      tenstorrent::ParseRuntimeTensor(text);
  if (!tensor.ok()) {
    // The end of a text may be read alone.
    return ProblemWithRefusal(tensor.status(), text, kCodesOfReaders);
  }
  if (!tensor->data_type.has_value()) return "";
  ElementType element{*tensor->data_type};
  if (tensor->is_tiled.value_or(true)) {
    element.tile = tensor->tile.value_or(TileShape());
  }
  const absl::StatusOr<Buffer> buffer = BufferOf(
      *tensor->shape, element, tensor->memory_config.value_or(MemoryConfig()));
  return buffer.ok() ? PlacesProblem(*buffer) : "";
}

}  // namespace

std::string MemoryConfigTextProblem(std::string_view text) {
  const absl::StatusOr<MemoryConfig> config =
      tenstorrent::ParseRuntimeMemoryConfig(text);
  if (!config.ok()) {
    const std::string problem =
        ProblemWithRefusal(config.status(), text, kCodesOfReaders);
    return problem.empty() ? TensorProblem(text) : problem;
  }
  const std::string printed = config->ToString();
  const absl::StatusOr<MemoryConfig> again =
      tenstorrent::ParseMemoryConfig(printed);
  if (!again.ok()) {
    return absl::StrCat("printed as ", printed,
                        ", which is refused: ", again.status().message());
  }
  if (*again != *config) {
    return absl::StrCat("printed as ", printed, ", which reads back as ",
                        again->ToString());
  }
  for (const ElementType& element :
       {ElementType{DataType::kU16},
        ElementType{DataType::kBfpBf8, TileShape{32, 32}}}) {
    const absl::StatusOr<Buffer> buffer =
        BufferOf({2, 40, 70}, element, *config);
    if (!buffer.ok()) continue;
    const std::string problem = PlacesProblem(*buffer);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tessera
