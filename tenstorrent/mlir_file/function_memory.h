// Finds the tensors in a bank of L1, and of DRAM, at every operation of a
// function.
//
//   const std::vector<FileItem> items = {ReadFileItem(
//       FileItem::kTensor,
//       "tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
//       "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
//       "<block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>>",
//       CardMemoryOf(""))};
//   FunctionTimeline timeline;
//   timeline.Begin("@f", {});
//   timeline.AddArgument("%0", 0);           // of the type number 0
//   timeline.BeginOperation("ttnn.relu", {"%1"}, {});
//   timeline.AddUse("%0");
//   timeline.AddType(0);
//   timeline.BeginOperation("func.return", {}, {});
//   timeline.AddUse("%1");
//   const FunctionMemory memory = timeline.Finish(items);
//   memory.l1.peak;                          // 8192: %0 and %1
//
// A tensor is in memory from the operation that makes it until its
// "ttnn.deallocate" (or memref.dealloc), or else until its last use. The
// operands and the results of an operation are in memory at the same time.
// Arguments belong to the caller: without a "ttnn.deallocate" they stay. The
// allocator takes the same number of bytes of L1 on every core, and of every
// bank of DRAM, so the bytes of a bank add up. The allocator may need more,
// because of holes between buffers. Programs also take L1 for their circular
// buffers.
//
// A call takes the memory that the caller holds, plus the peak of its callee
// without the arguments, which belong to the caller (AddCallees).
//
// Operations that only reinterpret memory do not allocate any: casts, views,
// subviews and elements of tuples. An operation writes to its last operand if
// that is new (made by a ttnn.empty or the like) and has the result's type.

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_FUNCTION_MEMORY_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_FUNCTION_MEMORY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/mlir_file/file_item.h"

namespace tessera::tenstorrent {

struct LiveTensor {
  std::string name;  // "%3", or "%3 of @g" in a callee
  int64_t item = 0;
  int64_t bytes = 0;  // of a bank
  int64_t line = 0;   // of the operation that makes it
  bool is_argument = false;
};

// The memory in use at an operation.
struct SpaceUse {
  int64_t peak = 0;  // bytes of a bank
  // The number of the operation, from 1; 0 for the entry of the function.
  int64_t operation = 0;
  std::string operation_name;
  FilePlace place;
  // The live tensors, the largest first, kMaxLive at most. Arguments come first
  // among equals.
  std::vector<LiveTensor> live;
  int64_t live_count = 0;
  // The number of these that are arguments of the function, and the numbers of
  // the arguments that are no longer in memory.
  int64_t live_arguments = 0;
  std::vector<int64_t> freed_arguments;
};

// The calls of one function by another, until AddCallees.
struct CallsOf {
  std::string callee;  // "@g"
  // The numbers of the operations, and the bytes in use at each without the
  // results of the call.
  std::vector<std::pair<int64_t, int64_t>> calls;
  // The first of those with the most bytes, and the names of its operands.
  SpaceUse most;
  std::vector<std::string> operands;
};

struct SpacePeak : SpaceUse {
  int64_t argument_bytes = 0;
  std::vector<CallsOf> callees;
  // The bytes at each operation; for a long function, the largest number in
  // each of at most kMaxSeries parts.
  std::vector<int64_t> series;
};

// The operations as tt-mlir counts them (TTNNCollectPerfMetrics.cpp).
struct OperationCounts {
  int64_t operations = 0;  // without ttnn.get_device
  // Operations of ttnn whose first result is a tensor, without
  // ttnn.to_memory_config.
  int64_t shardable = 0;
  // The numbers of those whose result is sharded in L1; is sharded in L1 and
  // then moved to DRAM by a ttnn.to_memory_config; is in DRAM; is in system
  // memory.
  int64_t sharded = 0;
  int64_t sharded_and_spilled = 0;
  int64_t dram_spilled = 0;
  int64_t system_memory = 0;

  void Add(const OperationCounts& other);
};

struct FunctionMemory {
  static constexpr int64_t kMaxLive = 256;
  static constexpr int64_t kMaxSeries = 512;

  std::string name;  // "@forward"; "" for operations outside of functions
  FilePlace place;
  OperationCounts counts;
  int64_t operations = 0;  // that `counts` counts, and all others
  int64_t tensors = 0;     // that are allocated
  SpacePeak l1, dram;
};

// Adds the peaks of callees to those of their callers. Among functions of the
// same name, the nearest is called. A function that calls itself, directly or
// indirectly, counts once. `functions` are in the order of the file.
void AddCallees(absl::Span<FunctionMemory> functions);

class FunctionTimeline {
 public:
  // Starts a function. Precondition: the last one is finished.
  void Begin(std::string_view name, const FilePlace& place);
  void SetName(std::string_view name) { name_ = std::string(name); }
  // Whether nothing was added since Begin.
  bool empty() const { return operations_.empty() && values_.empty(); }
  bool has_operations() const { return !operations_.empty(); }

  // Adds an argument. Texts must live until Finish.
  void AddArgument(std::string_view value, int64_t item);
  // Begins an operation. Results are as written, with ":2" cut off.
  void BeginOperation(std::string_view name,
                      absl::Span<const std::string_view> results,
                      const FilePlace& place);
  void AddUse(std::string_view value);
  // Adds a symbol in an operation. The first symbol of a call is the callee.
  void AddSymbol(std::string_view symbol);
  // Adds a type of the operation; -1 for one that is not an item. Only memrefs
  // that memref.alloc makes are memory of their own.
  void AddType(int64_t item, bool is_memref = false);
  // Drops the types so far, which were those of operands: an arrow or a colon
  // follows.
  void DropTypes(bool is_arrow);
  // Ends the operation if its results have their types.
  void EndLine();
  // Ends an operation whose text might have continued.
  void EndStatement() { EndOperations(depth_); }
  // Open and close brackets, which determine the operation that a type belongs
  // to.
  void Open() { ++depth_; }
  void Close() {
    if (depth_ > 0) --depth_;
  }

  FunctionMemory Finish(absl::Span<const FileItem> items);

 private:
  struct Value {
    int64_t item = 0;
    int64_t first = 0;
    int64_t last = 0;
    std::string_view name;
    int32_t depth = 0;
    bool is_argument = false;
    bool is_freed = false;
    bool is_new = false;  // nothing is written to it
  };
  struct Operation {
    std::string_view name;
    FilePlace place;
  };
  struct Call {
    int64_t number = 0;  // of the operation
    std::string_view callee;
    std::vector<int64_t> operands;  // numbers of values
  };
  // An operation whose text may continue.
  struct OpenOperation {
    int64_t number = 0;
    int32_t depth = 0;
    bool has_arrow = false;
    std::vector<std::string_view> results;
    std::vector<int64_t> operands;  // numbers of values
    std::vector<int64_t> types;     // items
    // Outer values that the regions of the operation use.
    std::vector<int64_t> used_inside;
  };
  struct Names {
    int64_t first = 0;
    int64_t count = 0;
  };

  // Ends the operations at depth `depth` or deeper.
  void EndOperations(int32_t depth);
  void EndOperation(const OpenOperation& operation);
  SpacePeak PeakOf(MemorySpace space, absl::Span<const FileItem> items) const;
  // Returns whether the value is in memory at an operation.
  bool IsLiveAt(const Value& value, int64_t operation) const;
  // Returns the memory in use at an operation, with or without its results.
  // Does not set the bytes.
  SpaceUse UseAt(int64_t operation, bool with_results, MemorySpace space,
                 absl::Span<const FileItem> items) const;
  std::vector<CallsOf> CallsIn(MemorySpace space,
                               absl::Span<const FileItem> items,
                               absl::Span<const int64_t> bytes) const;
  OperationCounts Count(absl::Span<const FileItem> items) const;

  std::string name_;
  FilePlace place_;
  std::vector<Operation> operations_;
  std::vector<Value> values_;
  // The item of the first result of each operation; -1 for none.
  std::vector<int64_t> first_results_;
  std::vector<int64_t> first_values_;
  // The value that a ttnn.to_memory_config reads, and the item that it makes.
  std::vector<std::pair<int64_t, int64_t>> moves_;
  std::vector<Call> calls_;
  std::vector<OpenOperation> open_;
  TextMap<std::string_view, Names> names_;
  int32_t depth_ = 0;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_FUNCTION_MEMORY_H_
