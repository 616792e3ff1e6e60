// Reads the messages of XLA about memory that ran out.
//
//   const MemoryMessage message = ReadMemoryMessages(
//       "Ran out of memory in memory space hbm. Used 41.74G of 16.00G hbm.\n"
//       "  Largest program allocations in hbm:\n"
//       "  1. Size: 32.00G\n"
//       "     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}\n"
//       "     Allocation type: HLO temp\n")[0];
//   message.memory_space;                  // "hbm"
//   message.available->bytes;              // 17179869184
//   message.allocations[0].size.bytes;     // 34359738368
//   message.allocations[0].shape_text;
//       // "s32[8388608,8,4]{2,1,0:T(8,128)}"
//   ReadMemoryMessages("f32[3,5]").size();   // 0
//
// A message may be anywhere in the text, after a traceback or between lines of
// a log, whose prefixes are skipped. A terminal or a mail program may have
// wrapped its lines. Numbers and names are those printed; missing parts are
// empty, and so are numbers that break off before their unit. Versions of XLA
// print differently: the allocations are from TPU's list ("Largest program
// allocations in hbm"), from GPU's ("BufferAssignment OOM Debugging"), or the
// one that is too large ("Allocation (size=...) would exceed memory").

#ifndef TESSERA_HLO_MESSAGE_MEMORY_MESSAGE_H_
#define TESSERA_HLO_MESSAGE_MEMORY_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/hlo/message/stated_bytes.h"

namespace tessera {

// An allocation that a message lists.
struct StatedAllocation {
  StatedBytes size;
  std::optional<StatedBytes> unpadded;
  std::string shape_text;  // as printed: with tiles or without
  // From the metadata: "jit(f)/add" and "model.py:12".
  std::string op_name;
  std::string source_line;
  // The name of the instruction, or else the label: "register allocator spill
  // slots call depth 2", and on GPU an opcode.
  std::string instruction;
  std::string tag;   // "scratch operand", "output of fusion.1@{}"
  std::string type;  // "HLO temp", "scoped"
  // For the window of a kernel's operand: its shape, the shape of the whole
  // operand, and the number of its buffers; 0 if it is not a window.
  std::string window_text;
  std::string full_text;
  int64_t buffers = 0;
};

// A line of the sums before a list.
struct StatedPart {
  std::string name;  // "program: HLO temp", "parameter allocation"
  StatedBytes bytes;
};

struct MemoryMessage {
  enum class Kind {
    kTotals,      // the program needs more memory than there is; at most sums
    kScoped,      // an instruction needs more scoped memory than its limit
    kAllocation,  // one allocation is larger than the memory
    kTpuList,     // sums, and the largest allocations
    kGpuList,     // the same from XLA:GPU
    kLoad,        // no room for the program when it was loaded
    kRequest,     // an allocation failed while the program ran
  };

  Kind kind = Kind::kTotals;
  std::string error_code;    // "E1000"
  std::string memory_space;  // "hbm", "vmem"; in lower case
  std::string module;        // its name
  std::optional<StatedBytes> needed;
  std::optional<StatedBytes> available;
  std::optional<StatedBytes> excess;
  // For kScoped: the instruction, as HLO text.
  std::string instruction_text;
  std::vector<StatedPart> parts;
  std::vector<StatedAllocation> allocations;
};

// Whether the text has such a message. Takes linear time.
bool IsMemoryMessage(std::string_view text);

// Reads the first 100 messages; empty if there is none. A message that is
// repeated, as in a chain of exceptions, counts once. Reads as much as possible
// of any text. In a text on one line, \n counts as a line break, as in Python's
// repr. Takes linear time and memory.
std::vector<MemoryMessage> ReadMemoryMessages(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_HLO_MESSAGE_MEMORY_MESSAGE_H_
