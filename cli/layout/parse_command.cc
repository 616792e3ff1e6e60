#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "proto/layout_questions.pb.h"
#include "proto/xla_data.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kParseFooter[] =
    R"(A text is an XLA shape, layout or program shape, a CuTe text, a
Tenstorrent tensor or a strided array. Every format but binproto prints one line
for each text. binproto prints the bytes of a ShapeProto. With several texts, or
texts from standard input, each message follows a varint with its length, and a
bad, empty or blank line gives an empty message.

Only XLA shapes have a textproto and a binproto. Protocol Buffers read messages
nested 100 deep, so these formats accept tuples nested 97 deep; text and json
accept 8192.

Examples:
  tessera parse 'f32[2,3]'
  tessera parse 'F32[2]{}' --lenient
  tessera parse 'f32[2000,3]' --target tpu
  tessera parse '(f32[2,3], token[])' --format=json
  tessera parse '((2, 2), 3) : ((24, 2), 8)'
  grep -oE 'bf16\[[^ ]*' dump.txt | tessera parse | sort | uniq -c)";

// Protocol Buffers reads messages nested 100 deep. A shape's innermost array
// holds a layout, and that a tile.
constexpr int64_t kShapeProtoNesting = 97;

struct ParseCommandOptions {
  std::vector<std::string> texts;
  bool lenient = false;
  ParseOptions shape;
  bool without_layout = false;
  OutputFormat format = OutputFormat::kText;

  std::vector<std::string> arguments() const {
    if (texts.empty()) return {std::string(kStdinArgument)};
    return texts;
  }
  // Whether each message is preceded by its length.
  bool delimited() const {
    return texts.size() != 1 || texts[0] == kStdinArgument;
  }
  // Whether the output is the bare ShapeProto.
  bool prints_shape_proto() const {
    return format == OutputFormat::kTextProto ||
           format == OutputFormat::kBinaryProto;
  }
};

std::string ToTextProto(const ShapeProto& proto) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(proto, &text);
  return StrCat(StripSuffix(text, " "), "\n");
}

std::string ToBinaryProto(const ShapeProto& proto, bool delimited) {
  const std::string message = proto.SerializeAsString();
  std::string out;
  if (delimited) {
    google::protobuf::io::StringOutputStream stream(&out);
    google::protobuf::io::CodedOutputStream(&stream).WriteVarint64(
        message.size());
  }
  return out + message;
}

// Returns an error if only a ShapeProto was requested and the result is not a
// shape.
absl::Status CheckIsShape(const ParseResult& result, OutputFormat format) {
  if (result.kind() == ParseRequest::XLA_SHAPE) return absl::OkStatus();
  return InvalidArgumentError(
      "--format=", OutputFormatName(format),
      " prints the ShapeProto of an XLA shape, but this text is read as ",
      ParseRequest::Kind_Name(result.kind()), ", ", result.form());
}

class ParseAnswers {
 public:
  explicit ParseAnswers(const ParseCommandOptions& options)
      : options_(options) {
    // The bare message is for programs, which read it by Protocol Buffers.
    if (options.prints_shape_proto()) {
      service_.shape_nesting = kShapeProtoNesting;
    }
    request_.set_lenient(options.lenient);
    if (options.shape.tpu_layouts) request_.set_target("tpu");
    request_.set_without_layout(options.without_layout);
    request_.set_with_shape_proto(options.format != OutputFormat::kText);
  }

  absl::Status Append(const Question& question, std::string* out) {
    request_.mutable_text()->assign(question.text.data(), question.text.size());
    if (options_.format == OutputFormat::kText) {
      const absl::Status status = AnswerParse(service_, request_, &text_);
      if (status.ok()) out->append(text_.canonical()).push_back('\n');
      return status;
    }
    // An arena does not destroy a deep nesting level by level.
    google::protobuf::Arena arena;
    auto* result = google::protobuf::Arena::CreateMessage<ParseResult>(&arena);
    absl::Status status = AnswerParse(service_, request_, result);
    if (status.ok() && options_.prints_shape_proto()) {
      status = CheckIsShape(*result, options_.format);
    }
    if (!status.ok()) return status;
    switch (options_.format) {
      case OutputFormat::kTextProto:
        out->append(ToTextProto(result->shape()));
        break;
      case OutputFormat::kBinaryProto:
        out->append(ToBinaryProto(result->shape(), options_.delimited()));
        break;
      default:
        out->append(JsonLineOf(*result));
    }
    return absl::OkStatus();
  }

 private:
  const ParseCommandOptions& options_;
  ServiceOptions service_ = ServiceOptions::Unlimited();
  ParseRequest request_;
  ParseResult text_;
};

bool RunParse(const ParseCommandOptions& options, Console* console) {
  ParseAnswers answers(options);
  return AnswerEach(options.arguments(), options.format, console,
                    [&](const Question& question, std::string* out) {
                      return answers.Append(question, out);
                    });
}

}  // namespace

void AddParseCommand(CommandLine* command_line) {
  auto options = std::make_shared<ParseCommandOptions>();
  Subcommand command = command_line->Add(
      "parse", "Print the canonical text of layouts, or their ShapeProto",
      kParseFooter);
  command.Arguments("TEXT",
                    "texts of any family; none, or -, reads one per line",
                    Subcommand::kOptional, &options->texts);
  command.Flag("--no-layout", "leave out the layouts of XLA shapes",
               &options->without_layout);
  AddTargetOption(&options->shape, &command);
  command.Flag("--lenient", "also accept F32[2] and {} after an array",
               &options->lenient);
  command.Format({OutputFormat::kText, OutputFormat::kTextProto,
                  OutputFormat::kBinaryProto, OutputFormat::kJson},
                 &options->format);
  command.Run(options, RunParse);
}

}  // namespace tessera::cli
