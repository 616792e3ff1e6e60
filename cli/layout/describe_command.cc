#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/arena.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/description.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kDescribeFooter[] =
    R"(A layout is an XLA shape, a CuTe layout or expression, a Tenstorrent
tensor or a strided array. The positions in memory are those that the tiles
cover, then the tail padding L(n). Each holds an element or padding. The
expanded shape is the shape after applying all tiles. Each array of a tuple is
described separately. An array with an unbounded dimension is left out of the
sizes of its tuple, with a remark ("has_unbounded" in JSON). Each layout from
standard input gets one line.

--target tpu describes shapes as the TPU compiler lays out parameters. The
answer shows whether the layout is the compiler's own choice, the bytes of the
array in that layout, and smaller sizes of a padded dimension that would take
less memory.

For a CuTe layout, "contiguous" is the run of elements along the mode of stride 1,
and the widest vector that is aligned everywhere. --element-bits adds bytes.

Examples:
  tessera describe 'bf16[9,130]{1,0:T(8,128)(2,1)}'
  tessera describe '(f32[3,5]{1,0:T(2,2)}, token[])' --format=json
  tessera describe 'bf16[9,130]' --target tpu
  tessera describe '((2,2),3):((24,2),8)' 'coalesce((2,4):(1,2))'
  tessera describe 'Sw<3,3,3> o 0 o (8,64):(64,1)' --element-bits=16
  tessera parse < shapes.txt | tessera describe - --format=json)";

struct DescribeOptions {
  std::vector<std::string> layouts;
  LayoutReading reading;
  int64_t element_bits = 0;
  OutputFormat format = OutputFormat::kText;
};

bool RunDescribe(const DescribeOptions& options, Console* console) {
  bool is_first = true;
  const ServiceOptions service = ServiceOptions::Unlimited();
  // A line's message has dozens of parts, which an arena allocates and frees
  // together.
  std::vector<char> block(size_t{1} << 14);
  google::protobuf::ArenaOptions arena_options;
  arena_options.initial_block = block.data();
  arena_options.initial_block_size = block.size();
  google::protobuf::Arena arena(arena_options);
  const auto answer = [&](const Question& question, std::string* out) {
    std::vector<Diagnostic> notes;
    TESSERA_ASSIGN_OR_RETURN(const AnyLayout layout,
                             ReadLayoutText(question.text, options.reading,
                                            question.source, console, &notes));
    arena.Reset();
    DescribeResult& result =
        *google::protobuf::Arena::CreateMessage<DescribeResult>(&arena);
    TESSERA_RETURN_IF_ERROR(AnswerDescribe(
        service, question.text, layout, &result,
        options.reading.shape.tpu_layouts, options.element_bits));
    for (const Diagnostic& note : notes) {
      TextNote& said = *result.mutable_cute()->add_notes();
      said = ToTextNote(note);
      // The number of the line, if the input has several.
      if (question.source.line > 1) {
        said.mutable_position()->set_line(said.position().line() +
                                          question.source.line - 1);
      }
    }
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
    } else if (question.is_line) {
      out->append(DescriptionToLine(result));
    } else {
      if (!is_first) out->append("\n");
      out->append(DescriptionToText(result, console->out_display));
      is_first = false;
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.layouts, options.format, console, answer);
}

}  // namespace

void AddDescribeCommand(CommandLine* command_line) {
  auto options = std::make_shared<DescribeOptions>();
  Subcommand command = command_line->Add(
      "describe", "Print how large a layout is, and how much is padding",
      kDescribeFooter);
  command.Arguments("LAYOUT", "layouts of any family; - reads one per line",
                    Subcommand::kRequired, &options->layouts);
  command.Count("--element-bits",
                "the bits of an element of a CuTe layout, for the widest load "
                "in bytes (not known)",
                &options->element_bits);
  AddTargetOption(&options->reading.shape, &command);
  AddLenientFlag(&options->reading.shape, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunDescribe);
}

}  // namespace tessera::cli
