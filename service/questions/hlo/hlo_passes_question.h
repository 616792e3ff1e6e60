// Answers a PassesRequest; see service/layout_service.h. A caller that has read
// the dumps itself, one after another, gets the same message as follows:
//
//   absl::StatusOr<HloDump> last = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[9,130]{1,0} parameter(0) })");
//   PassHistory history;
//   absl::Status status =
//       history.Add(DumpPassOf("m.after_optimizations.txt"), *last);
//   ModulePasses passes;
//   status = FillPasses(ServiceOptions::Unlimited(), history, *last,
//                       /*rows=*/10, &passes);
//   passes.arrays(0).made_by().name();  // "after_optimizations"

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_HLO_PASSES_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_HLO_PASSES_QUESTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/repeated_field.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/dump_pass.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerPasses(const ServiceOptions& options,
                          const PassesRequest& question, ModulePasses* result);

// Fills in the effects of the passes, and the origins of the `rows` largest
// arrays. Precondition: the history has a dump, and `last` is its last. Errors:
// kResourceExhausted for hlo_answer_bytes.
absl::Status FillPasses(const ServiceOptions& options,
                        const PassHistory& history, const HloDump& last,
                        int64_t rows, ModulePasses* result);

// Fills in the effects of one pass, with at most `rows` new arrays. Errors:
// kResourceExhausted for hlo_answer_bytes.
absl::Status FillModulePass(const PassChange& pass, int64_t rows,
                            AnswerBytes* bytes, ModulePass* filled);

// Fills in the name of a pass. Errors: as above.
absl::Status FillPassName(const DumpPass& pass, AnswerBytes* bytes,
                          PassName* filled);

// Adds the texts of a question to the history, one after another. Errors: those
// of HloTexts::Parse and PassHistory::Add, in the field of the text. Keeps the
// last dump if `last` is not null.
absl::Status AddPasses(
    const google::protobuf::RepeatedPtrField<PassText>& passes,
    std::string_view field, bool strict, HloTexts* texts, PassHistory* history,
    std::optional<HloDump>* last = nullptr);

// Adds the dump that a question is about. Errors: those of PassHistory::Add, in
// the field.
absl::Status AddLastPass(const std::string& file, std::string_view field,
                         const HloDump& dump, PassHistory* history);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_HLO_PASSES_QUESTION_H_
