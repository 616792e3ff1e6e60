#include "tessera/cli/tt_tensor.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/variant.h"
#include "tessera/cli/message.h"
#include "tessera/tensor_layout/aligned_verification.h"
#include "tessera/tensor_layout/layout_text.h"
#include "tessera/tensor_layout/ttnn_verification.h"
#include "tessera/text/diagnostic.h"

namespace tessera {

using tensor_layout::AlignedTensor;
using tensor_layout::Finding;
using tensor_layout::MetalTensor;
using tensor_layout::Placement;
using tensor_layout::TtnnTensor;

namespace {

void Fill(const MetalTensor& read, TtTensor* tensor) {
  tensor->order = tensor_layout::DivisionOrder::kGridFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space =
      std::string(KeywordOf(read.layout.memref.memory_space));
}

void Fill(const AlignedTensor& read, TtTensor* tensor) {
  tensor->order = tensor_layout::DivisionOrder::kTileFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space = std::string(KeywordOf(
      read.layout.memory_space.value_or(tensor_layout::MemorySpace::kSystem)));
}

void Fill(const TtnnTensor& read, TtTensor* tensor) {
  tensor->order = tensor_layout::DivisionOrder::kTileFirst;
  tensor->memory_space = std::string(KeywordOf(read.layout.memref.buffer_type));
}

}  // namespace

absl::StatusOr<TtTensor> ReadTtTensor(absl::string_view text) {
  const absl::StatusOr<tensor_layout::TensorText> read =
      tensor_layout::ReadTensorText(text);
  if (!read.ok()) return read.status();
  TtTensor tensor;
  tensor.text = tensor_layout::ToString(*read);
  absl::visit(
      [&tensor](const auto& form) {
        Fill(form, &tensor);
        tensor.verification = tensor_layout::Verify(form);
      },
      *read);
  return tensor;
}

absl::StatusOr<const Placement*> PlacementOf(const TtTensor& tensor) {
  const tensor_layout::Verification& verification = tensor.verification;
  if (!verification.ok()) {
    return absl::FailedPreconditionError(
        FindingText(verification.errors.front()));
  }
  if (verification.placement.has_value()) return &*verification.placement;
  for (const Finding& warning : verification.warnings) {
    if (warning.rule == tensor_layout::Rule::kUndecided) {
      return absl::FailedPreconditionError(FindingText(warning));
    }
  }
  return absl::FailedPreconditionError("the tensor has no locations");
}

absl::optional<TtTensor> ReadTtTensorArgument(const std::string& text,
                                              Console* console) {
  absl::StatusOr<TtTensor> tensor = ReadTtTensor(text);
  absl::Status status = tensor.status();
  if (status.ok()) status = PlacementOf(*tensor).status();
  if (status.ok()) return *std::move(tensor);
  PrintError({kArgumentName}, WithPlace(text, status), console);
  return absl::nullopt;
}

std::string FindingText(const Finding& finding) {
  return absl::StrCat(NameOf(finding.rule), ": ", finding.message);
}

Json FindingsToJson(const std::vector<Finding>& findings) {
  Json array = Json::array();
  for (const Finding& finding : findings) {
    array.push_back({{"code", JsonString(NameOf(finding.rule))},
                     {"message", finding.message}});
  }
  return array;
}

std::string SizesText(absl::Span<const int64_t> sizes) {
  return sizes.empty() ? "()" : absl::StrJoin(sizes, "x");
}

absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view text) {
  std::vector<int64_t> sizes;
  if (text == "()") return sizes;
  for (const absl::string_view part : absl::StrSplit(text, 'x')) {
    int64_t size;
    if (!absl::SimpleAtoi(part, &size) || size < 0) {
      return DiagnosticError(
          text, part.data() - text.data(),
          absl::StrCat("expected sizes such as 2x4, found '", part, "'"));
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace tessera
