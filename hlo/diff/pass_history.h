// Finds the arrays that are new after each pass of the compiler, and the pass
// that made each array of the last dump.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   PassHistory history;
//   const auto add = [&history](const char* file, const char* text) {
//     return history.Add(DumpPassOf(file), *ParseHlo(text));
//   };
//   absl::Status status = add("module_0001.m.before_optimizations.txt", R"(
//       HloModule m
//       ENTRY e {
//         x = f32[8,128]{1,0} parameter(0)
//         ROOT y = f32[8,128]{0,1} negate(x) })");
//   status = add("module_0001.m.0007.layout.after_assignment.before_dce.txt",
//                R"(
//       HloModule m
//       ENTRY e {
//         x = f32[8,128]{1,0} parameter(0)
//         copy = f32[8,128]{0,1} copy(x)
//         ROOT y = f32[8,128]{0,1} negate(copy) })");
//   const PassChange& change = history.passes()[1];
//   change.new_arrays.count;                // 1
//   change.new_arrays.bytes;                // 4096
//   change.largest_new[0].instruction;      // "copy"
//
// Two arrays of consecutive dumps are the same in these cases:
//
// - Their instructions match, and they have the same number among the arrays of
//   the result. Instructions match if they have the same name and opcode,
//   because XLA never names two instructions of one compilation alike. The
//   others match by the rules of hlo/diff/instruction_matching.h. So if a pass
//   replaces an instruction by one of the same op_name and dimensions, such as
//   a dot by a convolution, the array is the same. The same applies to a
//   replacement of the same opcode and dimensions.
// - One of the instructions is a fusion, or both are. The root of the fused
//   computation then takes the place of the fusion: its operands if it is a
//   tuple, its operand if it is a bitcast, the inner root if it is a fusion. So
//   the result of a fusion is not new if its root had that array before.
//
// If the same array has another type, other dimensions or another layout, it
// has changed. A clone ("add.3.clone") is new while the original exists. An
// array inside a fusion does not have a buffer. So an array is gone when it is
// fused, and is new again if a pass moves it out of the fusion.

#ifndef TESSERA_HLO_DIFF_PASS_HISTORY_H_
#define TESSERA_HLO_DIFF_PASS_HISTORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tessera/hlo/dump_pass.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"

namespace tessera {

// An array after a pass, without views into the dump.
struct DumpedArray {
  std::string instruction;
  std::string opcode;
  std::string computation;
  // The number of the array in the result, counted from 0.
  int64_t array = 0;
  std::string shape;
  // Including padding; 0 for an array with an unbounded dimension.
  int64_t bytes = 0;
  // The place in the user's program; empty if the metadata lacks it.
  std::string op_name;
  std::string source_line;
};

struct ArrayCount {
  int64_t count = 0;
  // Including padding; a sum above 2^63-1 is 2^63-1.
  int64_t bytes = 0;
};

// The effect of a pass on the arrays, compared with the previous dump. For the
// first dump, everything is 0 except `instructions` and `arrays`.
struct PassChange {
  DumpPass pass;
  int64_t instructions = 0;
  int64_t new_instructions = 0;
  int64_t gone_instructions = 0;
  ArrayCount arrays;         // all of them
  int64_t bytes_before = 0;  // of all arrays of the dump before
  ArrayCount new_arrays;
  ArrayCount gone_arrays;
  // Arrays with another type, other dimensions or another layout: their bytes
  // before and after.
  ArrayCount changed_before;
  ArrayCount changed_after;
  // The largest new arrays, the largest first.
  std::vector<DumpedArray> largest_new;

  bool has_changes() const {
    return new_arrays.count + gone_arrays.count + changed_after.count > 0;
  }
};

// Where an array comes from. Passes are numbers in PassHistory::passes().
struct ArrayOrigin {
  // The first dump that has it; 0 if the program had it from the start.
  int64_t made_by = 0;
  // The last pass that changed its type, dimensions or layout; -1 if none did.
  int64_t changed_by = -1;
  // Its instruction in the first dump that has it.
  std::string first_instruction;
  std::string first_opcode;
};

// An array of the last dump.
struct LastArray {
  DumpedArray array;
  ArrayOrigin origin;
};

struct PassHistoryOptions {
  // The most arrays in PassChange::largest_new.
  int64_t rows = 1;
  // kBuffers becomes kResults for a module without ENTRY.
  CountedArrays counted = CountedArrays::kBuffers;
};

// The dumps of one module, in order. Keeps hashes of the last dump and the
// origin of each of its arrays, but no text. Takes linear time.
class PassHistory {
 public:
  explicit PassHistory(const PassHistoryOptions& options = {});
  ~PassHistory();

  // Adds the next dump, which need not outlive the call. Errors:
  // kInvalidArgument unless it has exactly one module.
  absl::Status Add(const DumpPass& pass, const HloDump& dump);

  // One for each dump, in their order.
  const std::vector<PassChange>& passes() const { return passes_; }

  // Returns the origin of an array of the last dump, or null if it does not
  // count. Precondition: the instruction is one of the last dump.
  const ArrayOrigin* OriginOf(HloInstruction instruction, int64_t array) const;

  // Returns the largest arrays of the last dump, at most `rows`, the largest
  // first. Precondition: `last` is the last dump.
  std::vector<LastArray> LargestArrays(const HloDump& last, int64_t rows) const;

 private:
  friend struct PassParting;

  // The state that is kept about the last dump.
  struct State;

  // Gives the arrays of `state` the origins that they have in last_. Counts the
  // arrays that are new, gone and changed, and lists the new ones.
  std::vector<int64_t> Compare(State* state, PassChange* change);

  const PassHistoryOptions options_;
  std::vector<PassChange> passes_;
  // For each dump, the sum of a hash of each array's opcode and shape. Dumps
  // with the same arrays have the same sum.
  std::vector<uint64_t> prints_;
  std::unique_ptr<State> last_;
};

// Where two compilations of one program diverge: the last two dumps that have
// the same arrays, by opcode, shape and layout, and the dumps after them.
// Numbers in PassHistory::passes(); -1 if there is no such dump.
struct PassParting {
  // The last dump of `before` that has the same arrays as some dump of `after`,
  // and the last such dump of `after`.
  int64_t before_alike = -1;
  int64_t after_alike = -1;
  // The dumps after these; -1 on both sides if the last dumps are alike.
  int64_t before_next = -1;
  int64_t after_next = -1;

  // Takes linear time.
  static PassParting Of(const PassHistory& before, const PassHistory& after);
};

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_PASS_HISTORY_H_
