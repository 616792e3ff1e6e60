#include "tessera/cli/parse_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "proto/xla_data.pb.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/output_format.h"
#include "tessera/parser/parser.h"
#include "tessera/service/json.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/text/diagnostic.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Every shape comes out on one line, whatever the format, but for binproto: the
bytes of a ShapeProto. Several, and those of standard input, are each preceded
by their length as a varint; a bad, empty or blank line gives an empty message.
Protocol Buffers read messages nested 100 deep, so that textproto and binproto
take tuples nested 97 deep; text and json take 8192.

Examples:
  tessera parse 'f32[2,3]'
  tessera parse 'F32[2]{}' --lenient
  tessera parse '(f32[2,3], token[])' --format=json
  grep -oE 'bf16\[[^ ]*' dump.txt | tessera parse | sort | uniq -c)";

// Protocol Buffers reads messages nested 100 deep. A shape's innermost array
// holds a layout, and that a tile.
constexpr int64_t kProtoNestingLimit = 97;

struct Options {
  std::vector<std::string> shapes;
  ParseOptions parse;
  bool no_layout = false;
  OutputFormat format = OutputFormat::kText;

  std::vector<std::string> arguments() const {
    if (shapes.empty()) return {std::string(kStdinArgument)};
    return shapes;
  }
  // Whether each message is preceded by its length.
  bool delimited() const {
    return shapes.size() != 1 || shapes[0] == kStdinArgument;
  }
};

void ClearLayouts(ShapeProto* proto) {
  std::vector<ShapeProto*> pending = {proto};
  while (!pending.empty()) {
    ShapeProto& shape = *pending.back();
    pending.pop_back();
    shape.clear_layout();
    for (ShapeProto& element : *shape.mutable_tuple_shapes()) {
      pending.push_back(&element);
    }
  }
}

std::string ToTextProto(const ShapeProto& proto) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(proto, &text);
  return absl::StrCat(absl::StripSuffix(text, " "), "\n");
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

std::string Print(const Shape& shape, const Options& options) {
  if (options.format == OutputFormat::kText) {
    return absl::StrCat(shape.ToString(!options.no_layout), "\n");
  }
  // On an arena, a deep nesting is not destroyed level by level.
  google::protobuf::Arena arena;
  auto* proto = google::protobuf::Arena::CreateMessage<ShapeProto>(&arena);
  ShapeToProto(shape, proto);
  if (options.no_layout) ClearLayouts(proto);
  switch (options.format) {
    case OutputFormat::kTextProto:
      return ToTextProto(*proto);
    case OutputFormat::kBinaryProto:
      return ToBinaryProto(*proto, options.delimited());
    default:
      return absl::StrCat(ProtoToJson(*proto), "\n");
  }
}

// Reads what the output format can hold.
absl::StatusOr<Shape> Parse(absl::string_view text, const Options& options) {
  const bool is_message = options.format == OutputFormat::kTextProto ||
                          options.format == OutputFormat::kBinaryProto;
  ParseOptions parse = options.parse;
  if (is_message) parse.nesting_limit = kProtoNestingLimit;
  absl::StatusOr<Shape> shape = ParseShape(text, parse);
  // Nesting is the one limit there is.
  if (!is_message ||
      shape.status().code() != absl::StatusCode::kResourceExhausted) {
    return shape;
  }
  const absl::optional<Diagnostic> diagnostic = DiagnosticOf(shape.status());
  return DiagnosticError(text, diagnostic->offset,
                         absl::StrCat(diagnostic->message, " of --format=",
                                      OutputFormatName(options.format)),
                         shape.status().code());
}

bool Run(const Options& options, Console* console) {
  return AnswerEach(options.arguments(), options.format, console,
                    [&](const Question& question, std::string* out) {
                      absl::StatusOr<Shape> shape =
                          Parse(question.text, options);
                      if (!shape.ok()) return shape.status();
                      out->append(Print(*shape, options));
                      return absl::OkStatus();
                    });
}

}  // namespace

void AddParseCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "parse", "Print the canonical text of shapes, or their ShapeProto",
      kFooter);
  command.Arguments("SHAPE", "shapes; none, or -, reads one a line",
                    Subcommand::kOptional, &options->shapes);
  command.Flag("--no-layout", "leave layouts out", &options->no_layout);
  command.Flag("--lenient", "also read F32[2] and {} after an array",
               &options->parse.lenient);
  command.Format({OutputFormat::kText, OutputFormat::kTextProto,
                  OutputFormat::kBinaryProto, OutputFormat::kJson},
                 &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
