// The common part of questions about HLO: their texts and answers, both within
// the limits of the service.
//
//   const ServiceOptions options;
//   HloTexts texts(options);
//   absl::StatusOr<HloDump> dump = texts.Parse("hlo", R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })", /*strict=*/false);
//   dump->modules()[0].name();  // "m"
//   DumpReading reading;
//   FillDumpReading(*dump, /*rows=*/10, &reading);
//   reading.diagnostic_count();  // 0
//   AnswerBytes bytes(options);
//   bytes.Add(int64_t{1} << 40);  // RESOURCE_EXHAUSTED: hlo_answer_bytes: ...

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_HLO_TEXTS_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_HLO_TEXTS_H_

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/padding.h"
#include "tessera/service/error.h"
#include "tessera/service/service_options.h"
#include "tessera/shape/shape.h"

namespace tessera {

// The number of rows of a table if the question does not set it.
inline constexpr int64_t kUsualHloRows = 10;
// The number of mistakes of a text that are listed individually.
inline constexpr int64_t kToldDiagnostics = 100;

// Reads a shape as leniently as those of instructions.
absl::StatusOr<Shape> ReadShapeOfHlo(std::string_view text);

// The texts of one question. Each is refused in its own field; hlo_bytes and
// hlo_computations limit all of them together.
class HloTexts {
 public:
  explicit HloTexts(const ServiceOptions& options) : options_(options) {}

  // Reads a text, which must outlive the dump. Errors: kResourceExhausted for
  // hlo_bytes, hlo_shape_bytes and hlo_computations; those of ParseHloView.
  absl::StatusOr<HloDump> Parse(std::string_view field, std::string_view text,
                                bool strict);

 private:
  // Reads a text without building a model of it.
  absl::Status CheckLimits(std::string_view text);

  const ServiceOptions& options_;
  int64_t bytes_ = 0;
  int64_t computations_ = 0;
};

// Fills in the part that is padded most, if anything is padded.
void SetMostPadded(const PaddingBlame& blame, MostPadded* filled);
// The same for the `most_padded` of a message, if the sizes are known.
template <typename SomeMessage>
void FillMostPadded(const absl::StatusOr<ArraySizes>& sizes,
                    SomeMessage* message) {
  if (!sizes.ok()) return;
  const PaddingBlame blame = BlamePadding(*sizes);
  if (blame.cause == PaddingCause::kNone) return;
  SetMostPadded(blame, message->mutable_most_padded());
}

// Sets the target of that name. An empty name sets nothing: the target is then
// inferred. Errors: kInvalidArgument, in the field `target`, for other names.
absl::Status SetTargetToAnswer(std::string_view name, MemoryOptions* options);

// Returns the arrays to count that `name` selects; buffers if it is empty.
// Errors: kInvalidArgument, in the field `count`, for other names.
absl::StatusOr<CountedArrays> CountedToAnswer(std::string_view name);

// Returns whether the only mistake of the dump is that it is cut off.
bool IsMerelyCutOff(const HloDump& dump);

// Fills in how much of a dump was read, and at most `rows` of its mistakes: the
// fields of a DumpReading, which SummarizeResult has too.
template <typename SomeMessage>
void FillDumpReading(const HloDump& dump, int64_t rows, SomeMessage* reading) {
  const int64_t told = std::min<int64_t>(rows, dump.diagnostics().size());
  for (int64_t i = 0; i < told; ++i) {
    *reading->add_diagnostics() = ToTextNote(dump.diagnostics()[i]);
  }
  reading->set_diagnostic_count(dump.diagnostic_count());
  reading->set_is_merely_cut_off(IsMerelyCutOff(dump));
}

// Fills in the fields of an ArraySum, which MemorySum has too.
template <typename SomeMessage>
void FillTotals(const MemoryTotals& totals, SomeMessage* sum) {
  sum->set_arrays(totals.arrays);
  sum->set_unpadded_bytes(totals.unpadded_bytes);
  sum->set_padded_bytes(totals.padded_bytes);
  sum->set_is_saturated(totals.is_saturated);
}

// Counts the size of an answer. A name may occur once in the text and in every
// row of the answer, so an answer can be much longer than the text.
class AnswerBytes {
 public:
  explicit AnswerBytes(ServiceOptions options)
      : options_(std::move(options)), limit_(options_.hlo_answer_bytes) {}

  // Counts `bytes` more. Call it before adding them to the answer. Errors:
  // kResourceExhausted for hlo_answer_bytes; now and then, those of
  // options.go_on.
  absl::Status Add(int64_t bytes);

  // Returns the number of bytes that are left; 0 at or beyond the limit.
  int64_t room() const { return std::max(limit_ - bytes_, int64_t{0}); }

 private:
  const ServiceOptions options_;
  const int64_t limit_;
  int64_t bytes_ = 0;
  int64_t calls_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_HLO_TEXTS_H_
