// Reads and writes baseline files, which hold the bytes that modules took
// earlier: see proto/memory_check.proto.
//
//   absl::StatusOr<MemoryBaseline> baseline = ParseMemoryBaseline(R"(
//       {"tessera_baseline":1,"modules":[
//         {"module":"jit_step","by_memory_space":{
//           "0":{"reserved_bytes":7168,"peak_bytes":6144}}}]})");
//   baseline->modules(0).module();  // "jit_step"
//   ParseMemoryBaseline(R"({"tessera_baseline":2})").status();
//       // 1:21: tessera_baseline = 2 is not 1, the version that is read here

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_BASELINE_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_BASELINE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/memory_check.pb.h"

namespace tessera {

// Distinguishes a baseline from HLO: returns whether the text begins with a
// brace.
bool IsMemoryBaseline(std::string_view text);

// Reads the output of MemoryBaselineText, or of `tessera hlo peak
// --format=json`: one ModulePeak per line. Every memory space of the result has
// both numbers.
//
// Errors, with their place in the text if they have one: those of JsonToProto
// (service/json.h); kInvalidArgument for another version and for numbers that
// are missing or negative.
absl::StatusOr<MemoryBaseline> ParseMemoryBaseline(std::string_view text);

// Returns the baseline as JSON, one line per module, so that a diff of two
// files shows the changes.
std::string MemoryBaselineText(const MemoryBaseline& baseline);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_MEMORY_BASELINE_H_
