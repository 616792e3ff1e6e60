#include "tessera/tests/docs/json_reference.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/descriptor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/layout_service.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::SourceLocation;

constexpr char kFile[] = "proto/layout_service.proto";
// What the questions and answers are made of.
constexpr const char* kPartFiles[] = {
    kFile, "proto/text_note.proto", "proto/layout_questions.proto",
    "proto/hlo_questions.proto", "proto/tt_questions.proto"};
constexpr char kCheckFile[] = "proto/memory_check.proto";
constexpr char kHead[] =
    R"(# Questions and answers as JSON

<!-- Made from the messages in proto/ by tests/docs/json_reference_test.cc; edit those, not this one:
     TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/docs:tests -->

`tessera batch` reads one request per line and writes one response per line. `POST /v1/ask` of `tessera serve` does the same
over HTTP. A response has the `id` of its request and either the answer, under the name of the question, or an `error`. With
`--format=json` a command prints only the answer, and an error as `{"error": ...}`.

A request may leave out keys. An answer has every key. `null` means absent: an optional number that does not apply,
or a message that is not given. A message with one of several members has only the key of that member. Integers are numbers
of up to 64 bits.

## The JSON of Protocol Buffers

A request may have any form of [proto3's JSON](https://protobuf.dev/programming-guides/json/), so what `MessageToJson` prints is a
request: integers are numbers or strings, names of enums or their numbers, keys as below or in lowerCamelCase, and any key may be
`null`.

Answers have one of two forms. `tessera batch --json=proto3` and `POST /v1/ask?json=proto3` choose the second; the first is the
default everywhere. `json_format.Parse` reads the second form of every answer. It reads the first form, too, except for the
objects by number of a memory space that may be `null`.

| | `tessera`, the default | `proto3` |
| --- | --- | --- |
| integer of 64 bits | `17`, which JavaScript reads exactly up to 2<sup>53</sup> | `"17"` |
| absent number or message | `null` | the key is left out |
| object by number of a memory space that may be `null` | `"by_memory_space":{"0":{...}}` | `"by_memory_space":{"spaces":{"0":{...}}}` |

Both have the keys below, the default values `0`, `false`, `""` and `[]`, the names of enums, and `"NaN"`, `"Infinity"` and
`"-Infinity"`.

)";

// A comment as one paragraph of Markdown, "" if there is none.
std::string Paragraph(std::string_view comment) {
  std::vector<std::string> words = absl::StrSplit(
      AbslView(comment), absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return absl::StrReplaceAll(absl::StrJoin(words, " "),
                             {{"|", "\\|"}, {"<", "&lt;"}, {"*", "\\*"}});
}

template <typename Described>
std::string CommentOn(const Described* described) {
  SourceLocation location;
  if (!described->GetSourceLocation(&location)) return "";
  return Paragraph(
      absl::StrCat(location.leading_comments, " ", location.trailing_comments));
}

std::string Anchor(std::string_view name) {
  return absl::StrCat("[", AbslView(name), "](#",
                      absl::AsciiStrToLower(AbslView(name)), ")");
}

// Whether the page describes the messages of a file; those of XLA it does not.
bool IsDescribed(std::string_view file) {
  return file == kCheckFile ||
         std::find(std::begin(kPartFiles), std::end(kPartFiles), file) !=
             std::end(kPartFiles);
}

std::string SingleTypeText(const FieldDescriptor* field) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      const Descriptor& type = *field->message_type();
      // The field stands in the description of the message.
      if (&type == field->containing_type()) return type.name();
      if (IsDescribed(type.file()->name())) return Anchor(type.name());
      return absl::StrCat("[", type.name(), "](../", type.file()->name(), ")");
    }
    case FieldDescriptor::CPPTYPE_ENUM:
      return Anchor(field->enum_type()->name());
    case FieldDescriptor::CPPTYPE_BOOL:
      return "boolean";
    case FieldDescriptor::CPPTYPE_STRING:
      return "string";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return "number";
    default:
      return "integer";
  }
}

std::string TypeText(const FieldDescriptor* field) {
  if (field->is_map()) {
    return absl::StrCat("object of ",
                        SingleTypeText(field->message_type()->map_value()));
  }
  if (field->is_repeated()) {
    return absl::StrCat("list of ", SingleTypeText(field));
  }
  const bool may_be_null =
      field->has_presence() && field->real_containing_oneof() == nullptr;
  return absl::StrCat(SingleTypeText(field), may_be_null ? " or null" : "");
}

// Everything that is described, with what it is made of.
class Page {
 public:
  explicit Page(const FileDescriptor* file) : file_(file) {}

  absl::Status AddQuestions(absl::Span<const JsonExample> examples) {
    const Descriptor* const request = file_->FindMessageTypeByName("Request");
    const Descriptor* const response = file_->FindMessageTypeByName("Response");
    const LayoutService service;
    size_t used = 0;
    for (int i = 0; i < request->field_count(); ++i) {
      const FieldDescriptor* const question = request->field(i);
      if (question->real_containing_oneof() == nullptr) continue;
      const FieldDescriptor* const answer =
          response->FindFieldByName(question->name());
      if (answer == nullptr) return Missing("answer", question->name());
      absl::StrAppend(&text_, "## ", question->name(), "\n\n",
                      CommentOn(question->message_type()), "\n\n");
      const std::string begin = absl::StrCat("{\"", question->name(), "\":");
      const size_t before = used;
      for (const JsonExample& example : examples) {
        if (!tessera::StartsWith(example.request, begin)) continue;
        AddExample(service, example);
        ++used;
      }
      if (used == before) return Missing("example", question->name());
      AddFields("The question", question->message_type());
      AddFields("The answer", answer->message_type());
      AddEnums(question->message_type());
      AddEnums(answer->message_type());
    }
    return used == examples.size()
               ? absl::OkStatus()
               : absl::InvalidArgumentError("an example asks no question");
  }

  // Adds what is not described yet of the files.
  absl::Status AddParts(std::string_view title,
                        absl::Span<const FileDescriptor* const> files) {
    absl::StrAppend(&text_, "## ", AbslView(title), "\n\n");
    for (const FileDescriptor* file : files) {
      for (int i = 0; i < file->enum_type_count(); ++i) {
        AddEnum(file->enum_type(i));
      }
    }
    for (const FileDescriptor* file : files) AddMessages(file);
    if (undocumented_.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("no comment says what these are: ",
                     absl::StrJoin(undocumented_, ", ")));
  }

  std::string text() && {
    absl::StripTrailingAsciiWhitespace(&text_);
    return text_ + "\n";
  }

 private:
  void AddMessages(const FileDescriptor* file) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      const Descriptor* const message = file->message_type(i);
      static constexpr std::string_view kWrappers[] = {
          "Request", "Response", "BatchRequest", "BatchResponse"};
      const bool is_wrapper =
          std::find(std::begin(kWrappers), std::end(kWrappers),
                    message->name()) != std::end(kWrappers);
      if (!is_wrapper && described_.count(message) == 0) AddPart(message);
    }
  }

  // The comment, which must be there.
  template <typename Described>
  std::string RequiredComment(const Described* described) {
    std::string comment = CommentOn(described);
    if (comment.empty()) undocumented_.push_back(described->full_name());
    return comment;
  }

  std::string FieldTable(const Descriptor* message) {
    std::string table = "| key | type | |\n| --- | --- | --- |\n";
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor* const field = message->field(i);
      absl::StrAppend(&table, "| `", field->name(), "` | ", TypeText(field),
                      " | ", RequiredComment(field), " |\n");
    }
    return absl::StrCat(table, "\n");
  }

  std::string EnumTable(const EnumDescriptor* names) {
    std::string table = "| name | |\n| --- | --- |\n";
    for (int i = 0; i < names->value_count(); ++i) {
      absl::StrAppend(&table, "| `", names->value(i)->name(), "` | ",
                      RequiredComment(names->value(i)), " |\n");
    }
    return absl::StrCat(table, "\n");
  }

  static absl::Status Missing(std::string_view what, std::string_view whose) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the question ", AbslView(whose), " has no ", AbslView(what)));
  }

  void AddExample(const LayoutService& service, const JsonExample& example) {
    if (!example.command.empty()) {
      absl::StrAppend(&text_, "`", example.command,
                      " --format=json` asks this and prints the answer "
                      "alone.\n\n");
    }
    absl::StrAppend(&text_, "```json\n", example.request, "\n",
                    AnswerJson(service, example.request), "\n```\n\n");
  }

  void AddEnum(const EnumDescriptor* names) {
    absl::StrAppend(&text_, "### ", names->name(), "\n\n");
    AddComment(names);
    text_.append(EnumTable(names));
  }

  void AddPart(const Descriptor* message) {
    absl::StrAppend(&text_, "### ", message->name(), "\n\n");
    AddComment(message);
    text_.append(FieldTable(message));
    AddEnums(message);
  }

  template <typename Described>
  void AddComment(const Described* described) {
    const std::string comment = CommentOn(described);
    if (!comment.empty()) absl::StrAppend(&text_, comment, "\n\n");
  }

  void AddFields(std::string_view title, const Descriptor* message) {
    described_.insert(message);
    absl::StrAppend(&text_, "**", AbslView(title), "**\n\n",
                    FieldTable(message));
  }

  void AddEnums(const Descriptor* message) {
    for (int i = 0; i < message->enum_type_count(); ++i) {
      AddEnum(message->enum_type(i));
    }
  }

  const FileDescriptor* file_;
  std::set<const Descriptor*> described_;
  std::vector<std::string> undocumented_;
  std::string text_ = kHead;
};

}  // namespace

absl::StatusOr<std::string> JsonReference(
    const google::protobuf::FileDescriptorSet& files,
    absl::Span<const JsonExample> examples) {
  DescriptorPool pool;
  for (const google::protobuf::FileDescriptorProto& file : files.file()) {
    if (pool.BuildFile(file) == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(file.name(), " does not build"));
    }
  }
  std::vector<const FileDescriptor*> parts;
  for (const char* name : kPartFiles) {
    parts.push_back(pool.FindFileByName(name));
    if (parts.back() == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("there is no ", name));
    }
  }
  const FileDescriptor* const check_file = pool.FindFileByName(kCheckFile);
  if (check_file == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("there is no ", kCheckFile));
  }
  Page page(parts.front());
  absl::Status status = page.AddQuestions(examples);
  if (status.ok()) {
    status = page.AddParts("Parts of questions and answers", parts);
  }
  if (status.ok()) {
    status = page.AddParts("Baselines and budgets of memory", {check_file});
  }
  if (!status.ok()) return status;
  return std::move(page).text();
}

}  // namespace tessera
