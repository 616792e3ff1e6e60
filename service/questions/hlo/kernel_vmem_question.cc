#include "tessera/service/questions/hlo/kernel_vmem_question.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/hlo/memory/kernel_vmem.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/hlo_texts.h"

namespace tessera {
namespace {

constexpr int64_t kUsualBuffers = 2;
constexpr TpuGeneration kGenerations[] = {
    TpuGeneration::kV4, TpuGeneration::kV5e, TpuGeneration::kV5p,
    TpuGeneration::kV6e, TpuGeneration::kV7x};

absl::StatusOr<KernelBlock> ReadBlock(const ServiceOptions& options,
                                      std::string_view text, int64_t buffers) {
  TESSERA_RETURN_IF_ERROR(
      CheckLimit("text_bytes", "bytes", text.size(), options.text_bytes));
  TESSERA_ASSIGN_OR_RETURN(const Shape shape, ParseShape(text));
  TESSERA_RETURN_IF_ERROR(CheckAxes(options, shape.rank()));
  return LayOutKernelBlock(shape, buffers);
}

absl::Status FillKernelBlock(const KernelBlock& block,
                             KernelVmemBlock* filled) {
  filled->set_shape(block.shape.ToString());
  filled->set_unpadded_bytes(block.unpadded_bytes);
  filled->set_padded_bytes(block.padded_bytes);
  filled->set_buffers(block.buffers);
  filled->set_total_bytes(block.total_bytes);
  TESSERA_ASSIGN_OR_RETURN(const ArraySizes sizes,
                           ComputeArraySizes(block.shape));
  FillMostPadded(sizes, filled);
  return absl::OkStatus();
}

// Adds the blocks of a field.
absl::Status AddBlocks(
    const ServiceOptions& options, std::string_view field,
    const google::protobuf::RepeatedPtrField<std::string>& texts,
    int64_t buffers, bool are_scratch, KernelVmemResult* result) {
  for (int i = 0; i < texts.size(); ++i) {
    const std::string in_field = StrCat(field, "[", i, "]");
    const absl::StatusOr<KernelBlock> block =
        ReadBlock(options, texts[i], buffers);
    if (!block.ok()) return InField(in_field, block.status());
    KernelVmemBlock* const filled = result->add_blocks();
    filled->set_is_scratch(are_scratch);
    TESSERA_RETURN_IF_ERROR(FillKernelBlock(*block, filled));
    int64_t total = 0;
    if (__builtin_add_overflow(result->total_bytes(), block->total_bytes,
                               &total)) {
      return InField(in_field, absl::OutOfRangeError(
                                   "all blocks together exceed 2^63-1 bytes"));
    }
    result->set_total_bytes(total);
  }
  return absl::OkStatus();
}

void AddLimit(std::string_view generation, int64_t limit,
              KernelVmemResult* result) {
  for (KernelVmemLimit& known : *result->mutable_limits()) {
    if (known.limit_bytes() != limit) continue;
    known.add_generations(std::string(generation));
    return;
  }
  KernelVmemLimit* const added = result->add_limits();
  if (!generation.empty()) added->add_generations(std::string(generation));
  added->set_limit_bytes(limit);
  added->set_fits(result->total_bytes() <= limit);
}

// Returns an error for a limit that exceeds the VMEM of the generation, or that
// of every generation if it is not known.
absl::Status CheckIsInVmem(int64_t limit, TpuGeneration generation) {
  int64_t vmem = TpuMemoryOf(generation).vmem;
  for (const TpuGeneration each : kGenerations) {
    if (generation != TpuGeneration::kUnknown) break;
    vmem = std::max(vmem, TpuMemoryOf(each).vmem);
  }
  if (limit <= vmem) return absl::OkStatus();
  const std::string_view name = TpuGenerationName(generation);
  return InField("scoped_limit_bytes",
                 absl::OutOfRangeError(
                     StrCat(HumanBytes(limit), " exceeds all of VMEM: ",
                            name.empty() ? "no TPU has more than " : name,
                            name.empty() ? "" : " has ", HumanBytes(vmem))));
}

}  // namespace

absl::Status AnswerKernelVmem(const ServiceOptions& options,
                              const KernelVmemRequest& question,
                              KernelVmemResult* result) {
  if (question.blocks().empty() && question.scratch().empty()) {
    return InvalidField("blocks", "there is no block");
  }
  TESSERA_RETURN_IF_ERROR(CheckTableRows(
      options, question.blocks_size() + question.scratch_size()));
  const TpuGeneration generation = TpuGenerationOfName(question.target());
  if (!question.target().empty() && generation == TpuGeneration::kUnknown) {
    return InvalidField("target", "expected v4, v5e, v5p, v6e or v7x, found ",
                        question.target());
  }
  TESSERA_RETURN_IF_ERROR(CheckFromZero("buffers", question.buffers()));
  TESSERA_RETURN_IF_ERROR(
      CheckFromZero("scoped_limit_bytes", question.scoped_limit_bytes()));
  const int64_t buffers =
      question.buffers() == 0 ? kUsualBuffers : question.buffers();
  TESSERA_RETURN_IF_ERROR(AddBlocks(options, "blocks", question.blocks(),
                                    buffers, /*are_scratch=*/false, result));
  TESSERA_RETURN_IF_ERROR(AddBlocks(options, "scratch", question.scratch(),
                                    /*buffers=*/1, /*are_scratch=*/true,
                                    result));
  if (question.scoped_limit_bytes() > 0) {
    TESSERA_RETURN_IF_ERROR(
        CheckIsInVmem(question.scoped_limit_bytes(), generation));
    AddLimit("", question.scoped_limit_bytes(), result);
    return absl::OkStatus();
  }
  for (const TpuGeneration each : kGenerations) {
    if (generation != TpuGeneration::kUnknown && each != generation) continue;
    AddLimit(TpuGenerationName(each), TpuMemoryOf(each).scoped_vmem_limit,
             result);
  }
  return absl::OkStatus();
}

}  // namespace tessera
