// Answers a PeakRequest; see service/layout_service.h. A caller that has
// already read the dump gets the same message as follows:
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })");
//   PeakResult result;
//   absl::Status status = FillPeak(ServiceOptions::Unlimited(), *dump,
//                                  PeakTable(), &result);
//   const ModulePeak& peak = result.modules(0);
//   peak.by_memory_space().spaces().at(0).peak_bytes();  // 8

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_HLO_PEAK_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_HLO_PEAK_QUESTION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/questions/hlo/space_map.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerPeak(const ServiceOptions& options,
                        const PeakRequest& question, PeakResult* result);

// The fields of a PeakRequest other than the text.
struct PeakTable {
  std::string file;
  int64_t rows = kUsualHloRows;  // 0: none
  bool series = false;
  bool map = false;
  MapColors colors = MapColors::kOpcode;  // of the map
  std::optional<int64_t> at;  // the step whose values are listed, too
  MemoryOptions question;
  // XLA's own assignments; nullptr if there are none.
  const HloAssignments* assignments = nullptr;
};

// Fills in the peaks of all modules. Errors: kResourceExhausted for
// hlo_answer_bytes.
absl::Status FillPeak(const ServiceOptions& options, const HloDump& dump,
                      const PeakTable& table, PeakResult* result);

// Like FillPeak, for one module, as a part of an answer that has `bytes` so
// far.
absl::Status FillModulePeak(const HloDump& dump, HloModule module,
                            const PeakTable& table, AnswerBytes* bytes,
                            ModulePeak* peak);

// Returns the bytes that the module reserves in a memory space; nullopt if they
// are not known.
std::optional<ReservedBytes> ReservedBytesOf(const SpacePeak& space);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_HLO_PEAK_QUESTION_H_
