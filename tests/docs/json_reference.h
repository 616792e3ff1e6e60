// docs/json.md: every question and every answer, from the comments of
// proto/layout_service.proto and from examples that are asked here and now.
//
//   google::protobuf::FileDescriptorSet files;   // with source info
//   JsonReference(files, {{"tessera parse 'f32[2]'",
//                          R"({"parse":{"text":"f32[2]"}})"}});
//   // "# Questions and answers as JSON\n..."

#ifndef TESSERA_TESTS_DOCS_JSON_REFERENCE_H_
#define TESSERA_TESTS_DOCS_JSON_REFERENCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.pb.h"

namespace tessera {

struct JsonExample {
  std::string command;  // on the command line; "" if there is no such command
  std::string request;  // as JSON
};

// Returns the page as Markdown. Errors: kInvalidArgument if a question has no
// example, an example asks no question, or a field or name has no comment.
absl::StatusOr<std::string> JsonReference(
    const google::protobuf::FileDescriptorSet& files,
    absl::Span<const JsonExample> examples);

}  // namespace tessera

#endif  // TESSERA_TESTS_DOCS_JSON_REFERENCE_H_
