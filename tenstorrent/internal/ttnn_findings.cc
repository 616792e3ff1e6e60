#include "tessera/tenstorrent/internal/ttnn_findings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"

namespace tessera::tenstorrent {
namespace {

// Cores beyond these are not named.
constexpr int64_t kMaxListedCores = 4096;
constexpr size_t kMaxNamedCores = 8;

bool HasErrorOf(Rule rule, const Verification& verification) {
  return std::any_of(
      verification.errors.begin(), verification.errors.end(),
      [rule](const Finding& finding) { return finding.rule == rule; });
}

void AddOnce(Rule rule, std::string message, Verification* verification) {
  if (!HasErrorOf(rule, *verification)) {
    verification->errors.push_back({rule, std::move(message)});
  }
}

bool IsFloatOfTensor(DataType type) {
  return type == DataType::kF64 || type == DataType::kF32 ||
         type == DataType::kF16 || type == DataType::kBF16;
}

// Whether elements of one type can be in memory of the other.
bool CanHold(DataType memory, DataType elements) {
  if (memory == elements || elements == DataType::kI1) return true;
  if (IsBlockFloat(memory)) return IsFloatOfTensor(elements);
  return !IsFloatOfTensor(memory) && !IsFloatOfTensor(elements) &&
         !IsBlockFloat(elements) && BitsOf(memory) == BitsOf(elements);
}

void CheckElementTypes(const TtnnTensor& tensor, Verification* verification) {
  const ElementType& memory = tensor.layout.memref.element;
  if (CanHold(memory.data_type, tensor.element.data_type)) return;
  AddOnce(Rule::kElementTypes,
          absl::StrCat("the elements of the tensor are ",
                       tensor.element.ToString("ttcore"), ", those of the ",
                       "memref ", memory.ToString("ttcore")),
          verification);
}

std::string CoreText(const CoreCoordinate& core) {
  return absl::StrCat("(", core.x, ",", core.y, ")");
}

bool AreRanges(const CoreRanges& ranges) {
  return std::all_of(ranges.begin(), ranges.end(), [](const CoreRange& range) {
    return range.start.x <= range.end.x && range.start.y <= range.end.y;
  });
}

void CheckOnGrid(const CoreRanges& ranges, const Dimensions& grid,
                 Verification* verification) {
  for (const CoreRange& range : ranges) {
    if (range.end.y < grid[0] && range.end.x < grid[1]) continue;
    AddOnce(
        Rule::kCoreRanges,
        absl::StrCat("core ", CoreText(range.end), " is not on the ", grid[1],
                     "x", grid[0], " cores of the card, columns by rows"),
        verification);
    return;
  }
}

// Returns the number of cores; nullopt past 2^63-1.
std::optional<int64_t> CoresOf(const CoreRanges& ranges) {
  int64_t cores = 0;
  for (const CoreRange& range : ranges) {
    const std::optional<int64_t> rows =
        CheckedAdd(range.end.y - range.start.y, 1);
    const std::optional<int64_t> columns =
        CheckedAdd(range.end.x - range.start.x, 1);
    if (!rows.has_value() || !columns.has_value()) return std::nullopt;
    const std::optional<int64_t> more = CheckedMultiply(*rows, *columns);
    if (!more.has_value()) return std::nullopt;
    const std::optional<int64_t> sum = CheckedAdd(cores, *more);
    if (!sum.has_value()) return std::nullopt;
    cores = *sum;
  }
  return cores;
}

// Returns the cores of the ranges that no shard goes to.
std::vector<CoreCoordinate> EmptyCores(const Buffer& buffer,
                                       const CoreRanges& ranges) {
  const int64_t shards =
      CheckedProduct(buffer.shard_grid()).value_or(kMaxListedCores + 1);
  if (shards > kMaxListedCores) return {};
  std::vector<CoreCoordinate> used;
  for (int64_t shard = 0; shard < shards; ++shard) {
    const std::optional<CoreCoordinate> core = buffer.CoreOfShard(shard);
    if (!core.has_value()) return {};
    used.push_back(*core);
  }
  const auto before = [](const CoreCoordinate& a, const CoreCoordinate& b) {
    return std::tie(a.y, a.x) < std::tie(b.y, b.x);
  };
  std::sort(used.begin(), used.end(), before);
  std::vector<CoreCoordinate> empty;
  for (const CoreRange& range : ranges) {
    for (int64_t y = range.start.y; y <= range.end.y; ++y) {
      for (int64_t x = range.start.x; x <= range.end.x; ++x) {
        if (!std::binary_search(used.begin(), used.end(), CoreCoordinate{x, y},
                                before)) {
          empty.push_back({x, y});
        }
      }
    }
  }
  return empty;
}

// "; no shard is on (1,2), (1,3)"
std::string EmptyCoresText(const std::vector<CoreCoordinate>& empty) {
  if (empty.empty()) return "";
  std::vector<std::string> names;
  for (const CoreCoordinate& core : empty) {
    if (names.size() == kMaxNamedCores) {
      names.push_back(absl::StrCat(empty.size() - kMaxNamedCores, " more"));
      break;
    }
    names.push_back(CoreText(core));
  }
  return absl::StrCat("; no shard is on ", absl::StrJoin(names, ", "));
}

void WarnOfEmptyCores(const TtnnTensor& tensor, const Buffer& buffer,
                      Verification* verification) {
  const CoreRanges& ranges = *tensor.layout.core_ranges;
  const std::optional<int64_t> cores = CoresOf(ranges);
  const std::optional<int64_t> cells = CheckedProduct(tensor.layout.grid);
  if (!cores.has_value() || !cells.has_value()) return;
  const std::string names = *cores > kMaxListedCores
                                ? ""
                                : EmptyCoresText(EmptyCores(buffer, ranges));
  for (Finding& warning : verification->warnings) {
    if (warning.rule == Rule::kEmptyCells) {
      warning.message += names;
      return;
    }
  }
  if (*cores > *cells) {
    verification->warnings.push_back(
        {Rule::kCoreRanges,
         absl::StrCat("the core ranges have ", *cores, " cores, the grid ",
                      *cells, *cells == 1 ? " cell" : " cells", names)});
  }
}

}  // namespace

void CheckWithRuntime(const TtnnTensor& tensor,
                      const VerificationOptions& options,
                      Verification* verification) {
  CheckElementTypes(tensor, verification);
  const TtnnLayout& layout = tensor.layout;
  if (!layout.memory_layout.has_value() || !IsSharded(*layout.memory_layout) ||
      layout.ignore_physical_layout || layout.memref.shape.size() != 2) {
    return;
  }
  const bool has_cores = layout.core_ranges.has_value() &&
                         !layout.core_ranges->empty() &&
                         AreRanges(*layout.core_ranges);
  const bool is_in_l1 =
      WholeBufferOf(layout.memref.buffer_type) == BufferType::kL1;
  if (has_cores && is_in_l1 && options.worker_grid.has_value()) {
    CheckOnGrid(*layout.core_ranges, *options.worker_grid, verification);
  }
  const absl::StatusOr<Buffer> buffer = BufferOf(tensor);
  if (!buffer.ok()) {
    const std::optional<Rule> rule = RuleOf(buffer.status());
    if (rule == Rule::kMemRefShape || rule == Rule::kCoreRanges) {
      AddOnce(*rule, std::string(buffer.status().message()), verification);
    }
    return;
  }
  if (has_cores && is_in_l1) WarnOfEmptyCores(tensor, *buffer, verification);
}

}  // namespace tessera::tenstorrent
