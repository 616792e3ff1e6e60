#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/hlo/kernel_vmem_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloVmemFooter[] =
    R"(A Pallas kernel with a grid reads and writes its operands and results block by
block (BlockSpec). Each block lies in VMEM, tiled as Mosaic tiles it, and a
second time while the next one is fetched: --buffers=2. A kernel without a grid
has one of each: --buffers=1. Scratch has one. If the sum exceeds the limit of
scoped VMEM, the compiler fails with E1001. pltpu.CompilerParams
(vmem_limit_bytes=...) sets a limit for one kernel, --scoped-limit here.

The compiler adds memory of its own. Operands and results that XLA keeps in VMEM
as a whole do not count. 'tessera hlo peak DIR' lists what compiled kernels use,
if XLA has dumped *after_codegen.txt.

Examples:
  tessera hlo vmem --block 'bf16[512,1024]' --block 'bf16[1024,512]'
  tessera hlo vmem --block 'f32[8,130]' --scratch 'f32[512,512]' --target=v5e
  tessera hlo vmem --block 'bf16[2048,2048]' --buffers=1 --scoped-limit=24MiB)";

struct HloVmemOptions {
  std::vector<std::string> blocks;
  std::vector<std::string> scratch;
  int64_t buffers = 2;
  int64_t scoped_limit = 0;
  std::string target;
  OutputFormat format = OutputFormat::kText;
};

bool RunHloVmem(const HloVmemOptions& options, Console* console) {
  KernelVmemRequest question;
  for (const std::string& block : options.blocks) question.add_blocks(block);
  for (const std::string& each : options.scratch) question.add_scratch(each);
  question.set_buffers(options.buffers);
  question.set_target(options.target);
  question.set_scoped_limit_bytes(options.scoped_limit);
  KernelVmemResult result;
  const absl::Status status =
      AnswerKernelVmem(ServiceOptions::Unlimited(), question, &result);
  if (!status.ok()) return PrintError({kArgumentName}, status, console);
  *console->out << (options.format == OutputFormat::kJson
                        ? JsonLineOf(result)
                        : KernelVmemToText(result, console->out_display));
  return true;
}

}  // namespace

void AddHloVmemCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloVmemOptions>();
  Subcommand command = hlo->Add(
      "vmem", "Print how much scoped VMEM the blocks of a Pallas kernel take",
      kHloVmemFooter);
  command.Texts("--block", "SHAPE",
                "the block of an operand or of a result; may be repeated",
                &options->blocks);
  command.Texts("--scratch", "SHAPE",
                "an array of scratch in VMEM; may be repeated",
                &options->scratch);
  command.Count("--buffers", "how many buffers a block has (2)",
                &options->buffers);
  command.Value("--target", "v4|v5e|v5p|v6e|v7x",
                "the generation of the TPU (all of them)",
                [options](const std::string& text) -> std::string {
                  if (TpuGenerationOfName(text) == TpuGeneration::kUnknown) {
                    return absl::StrCat(
                        "expected v4, v5e, v5p, v6e or v7x, found ", text);
                  }
                  options->target = text;
                  return "";
                });
  command.ByteSize("--scoped-limit",
                   "the most scoped VMEM that the kernel may take (that of the "
                   "generation)",
                   &options->scoped_limit);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) { return RunHloVmem(*options, console); },
      [options]() -> std::string {
        if (options->blocks.empty() && options->scratch.empty()) {
          return "give a block, --block or --scratch";
        }
        return options->buffers == 0 ? "--buffers is 1 or more" : "";
      });
}

}  // namespace tessera::cli
