#include "tessera/service/questions/hlo/hlo_passes_question.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/version/version.h"
#include "tessera/service/error.h"

namespace tessera {
namespace {

absl::Status FillDumpedArray(const DumpedArray& array, AnswerBytes* bytes,
                             PassArray* filled) {
  TESSERA_RETURN_IF_ERROR(bytes->Add(
      sizeof(PassArray) + array.instruction.size() + array.opcode.size() +
      array.computation.size() + array.shape.size() + array.op_name.size() +
      array.source_line.size()));
  filled->set_instruction(array.instruction);
  filled->set_opcode(array.opcode);
  filled->set_computation(array.computation);
  filled->set_array(array.array);
  filled->set_shape(array.shape);
  filled->set_bytes(array.bytes);
  filled->set_op_name(array.op_name);
  filled->set_source_line(array.source_line);
  return absl::OkStatus();
}

absl::Status FillLastArray(const LastArray& array,
                           const std::vector<PassChange>& passes,
                           AnswerBytes* bytes, PassArray* filled) {
  const ArrayOrigin& origin = array.origin;
  TESSERA_RETURN_IF_ERROR(FillDumpedArray(array.array, bytes, filled));
  TESSERA_RETURN_IF_ERROR(
      bytes->Add(origin.first_instruction.size() + origin.first_opcode.size()));
  filled->set_made_as(origin.first_instruction);
  filled->set_made_as_opcode(origin.first_opcode);
  TESSERA_RETURN_IF_ERROR(FillPassName(passes[origin.made_by].pass, bytes,
                                       filled->mutable_made_by()));
  if (origin.changed_by < 0) return absl::OkStatus();
  return FillPassName(passes[origin.changed_by].pass, bytes,
                      filled->mutable_changed_by());
}

}  // namespace

absl::Status FillPassName(const DumpPass& pass, AnswerBytes* bytes,
                          PassName* filled) {
  TESSERA_RETURN_IF_ERROR(bytes->Add(sizeof(PassName) + pass.file.size() +
                                     pass.pipeline.size() + pass.name.size()));
  filled->set_file(pass.file);
  if (pass.number.has_value()) filled->set_number(*pass.number);
  filled->set_pipeline(pass.pipeline);
  filled->set_name(pass.name);
  return absl::OkStatus();
}

absl::Status FillModulePass(const PassChange& pass, int64_t rows,
                            AnswerBytes* bytes, ModulePass* filled) {
  TESSERA_RETURN_IF_ERROR(bytes->Add(sizeof(ModulePass)));
  TESSERA_RETURN_IF_ERROR(
      FillPassName(pass.pass, bytes, filled->mutable_pass_name()));
  filled->set_instructions(pass.instructions);
  filled->set_new_instructions(pass.new_instructions);
  filled->set_gone_instructions(pass.gone_instructions);
  filled->set_array_count(pass.arrays.count);
  filled->set_bytes(pass.arrays.bytes);
  filled->set_before_bytes(pass.bytes_before);
  filled->set_new_count(pass.new_arrays.count);
  filled->set_new_bytes(pass.new_arrays.bytes);
  filled->set_gone_count(pass.gone_arrays.count);
  filled->set_gone_bytes(pass.gone_arrays.bytes);
  filled->set_changed_count(pass.changed_after.count);
  filled->set_changed_before_bytes(pass.changed_before.bytes);
  filled->set_changed_after_bytes(pass.changed_after.bytes);
  const int64_t count = pass.largest_new.size();
  for (int64_t i = 0; i < std::min(count, rows); ++i) {
    TESSERA_RETURN_IF_ERROR(
        FillDumpedArray(pass.largest_new[i], bytes, filled->add_new_arrays()));
  }
  return absl::OkStatus();
}

absl::Status FillPasses(const ServiceOptions& options,
                        const PassHistory& history, const HloDump& last,
                        int64_t rows, ModulePasses* result) {
  const std::vector<PassChange>& passes = history.passes();
  AnswerBytes bytes(options);
  result->set_files(passes.back().pass.module);
  result->set_module(std::string(last.modules()[0].name()));
  for (const PassChange& pass : passes) {
    TESSERA_RETURN_IF_ERROR(
        FillModulePass(pass, rows, &bytes, result->add_passes()));
  }
  result->set_array_count(passes.back().arrays.count);
  for (const LastArray& array : history.LargestArrays(last, rows)) {
    TESSERA_RETURN_IF_ERROR(
        FillLastArray(array, passes, &bytes, result->add_arrays()));
  }
  result->set_tessera_version(kVersion);
  return absl::OkStatus();
}

absl::Status AddPasses(
    const google::protobuf::RepeatedPtrField<PassText>& passes,
    std::string_view field, bool strict, HloTexts* texts, PassHistory* history,
    std::optional<HloDump>* last) {
  for (int i = 0; i < passes.size(); ++i) {
    const std::string place = absl::StrCat(std::string(field), "[", i, "].hlo");
    TESSERA_ASSIGN_OR_RETURN(HloDump dump,
                             texts->Parse(place, passes[i].hlo(), strict));
    TESSERA_RETURN_IF_ERROR(
        AddLastPass(passes[i].file(), place, dump, history));
    if (last != nullptr) *last = std::move(dump);
  }
  return absl::OkStatus();
}

absl::Status AddLastPass(const std::string& file, std::string_view field,
                         const HloDump& dump, PassHistory* history) {
  return InField(field, history->Add(DumpPassOf(file), dump));
}

absl::Status AnswerPasses(const ServiceOptions& options,
                          const PassesRequest& question, ModulePasses* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), kUsualHloRows);
  if (!rows.ok()) return InField("rows", rows.status());
  if (question.dumps().empty()) {
    return InvalidField("dumps", "expected 1 or more");
  }
  PassHistoryOptions history_options;
  history_options.rows = *rows;
  TESSERA_ASSIGN_OR_RETURN(history_options.counted,
                           CountedToAnswer(question.count()));
  HloTexts texts(options);
  PassHistory history(history_options);
  std::optional<HloDump> last;
  TESSERA_RETURN_IF_ERROR(AddPasses(
      question.dumps(), "dumps", question.strict(), &texts, &history, &last));
  return FillPasses(options, history, *last, *rows, result);
}

}  // namespace tessera
