#include "tessera/tenstorrent/verified_tensor.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"
#include "tessera/tenstorrent/aligned_verification.h"
#include "tessera/tenstorrent/ttnn_verification.h"

namespace tessera {
namespace tenstorrent {
namespace {

void Fill(const MetalTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kGridFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space =
      std::string(KeywordOf(read.layout.memref.memory_space));
}

void Fill(const AlignedTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kTileFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space = std::string(
      KeywordOf(read.layout.memory_space.value_or(MemorySpace::kSystem)));
}

void Fill(const TtnnTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kTileFirst;
  tensor->memory_space = std::string(KeywordOf(read.layout.memref.buffer_type));
}

}  // namespace

VerifiedTensor VerifyTensor(TensorText text,
                            const VerificationOptions& options) {
  VerifiedTensor tensor;
  tensor.text = std::move(text);
  absl::visit(
      [&](const auto& form) {
        Fill(form, &tensor);
        tensor.verification = Verify(form, options);
      },
      tensor.text);
  return tensor;
}

absl::StatusOr<VerifiedTensor> ReadVerifiedTensor(
    absl::string_view text, const VerificationOptions& options) {
  absl::StatusOr<TensorText> read = ReadTensorText(text);
  if (!read.ok()) return read.status();
  return VerifyTensor(*std::move(read), options);
}

absl::StatusOr<const Placement*> PlacementOf(const VerifiedTensor& tensor) {
  const Verification& verification = tensor.verification;
  if (!verification.ok()) {
    return absl::FailedPreconditionError(
        FindingText(verification.errors.front()));
  }
  if (verification.placement.has_value()) return &*verification.placement;
  for (const Finding& warning : verification.warnings) {
    if (warning.rule == Rule::kUndecided) {
      return absl::FailedPreconditionError(FindingText(warning));
    }
  }
  return absl::FailedPreconditionError("the tensor has no locations");
}

std::vector<Finding> LocationWarnings(const Verification& verification) {
  std::vector<Finding> warnings;
  for (const Finding& warning : verification.warnings) {
    if (warning.rule == Rule::kUndecided ||
        warning.rule == Rule::kMemoryLayout) {
      warnings.push_back(warning);
    }
  }
  return warnings;
}

std::string FindingText(const Finding& finding) {
  return absl::StrCat(NameOf(finding.rule), ": ", finding.message);
}

}  // namespace tenstorrent
}  // namespace tessera
