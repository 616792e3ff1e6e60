#include "tessera/hlo/instruction_origin.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/metadata.h"

namespace tessera {
namespace {

std::string PlaceText(const HloString& file, int64_t line) {
  if (file.empty()) return "";
  return line > 0 ? StrCat(file.ToString(), ":", line) : file.ToString();
}

}  // namespace

InstructionOrigin InstructionOrigins::Of(HloInstruction instruction) {
  InstructionOrigin origin;
  const std::optional<std::string_view> value =
      instruction.attribute("metadata");
  if (!value.has_value()) return origin;
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(*value);
  if (!metadata.ok()) return origin;
  origin.op_name = metadata->op_name.ToString();
  if (!metadata->source_file.empty() || metadata->stack_frame_id == 0) {
    origin.source_line =
        PlaceText(metadata->source_file, metadata->source_line);
    return origin;
  }
  if (!tables_.has_value()) {
    tables_ =
        DecodeFrameTables(module_.frame_tables_text()).value_or(FrameTables());
  }
  const absl::StatusOr<SourceFrame> frame =
      tables_->Frame(metadata->stack_frame_id);
  if (frame.ok()) origin.source_line = PlaceText(frame->file_name, frame->line);
  return origin;
}

}  // namespace tessera
