#include "tessera/cute/calculator/triton_encoding.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera::cute {
namespace {

using Numbers = std::vector<int64_t>;

// An attribute's value: [4, 8], or [[0, 1], [0, 2]].
using Rows = std::vector<Numbers>;

class EncodingReader {
 public:
  EncodingReader(std::string_view text, size_t begin)
      : text_(text), cursor_(text.substr(begin)) {}

  absl::StatusOr<TritonEncoding> Read(absl::Span<const int64_t> shape,
                                      size_t* end);

 private:
  bool Fail(std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    cursor_.SkipBlanks();
    status_ = DiagnosticError(text_, cursor_.position() - text_.data(), message,
                              code);
    return false;
  }
  bool FailExpected(std::string_view what) {
    return Fail(
        StrCat("expected ", what, ", found ", cursor_.DescribeNextToken()));
  }

  bool ReadNumbers(Numbers* numbers);
  bool ReadValue(const std::string& key);
  bool ReadAttributes(char close);
  // Takes the list of that name, with as many entries as there are dimensions.
  bool Take(std::string_view mlir, std::string_view python, Numbers* numbers);
  absl::StatusOr<Layout> Blocked();
  absl::StatusOr<Layout> Linear();
  absl::StatusOr<Layout> NvidiaMma();
  absl::StatusOr<ComposedLayout> SwizzledShared(
      absl::Span<const int64_t> shape);
  // A single number.
  bool TakeNumber(std::string_view mlir, std::string_view python,
                  int64_t* number);
  // Fails unless it is a permutation of the dimensions.
  bool CheckOrder(const Numbers& order);
  bool Multiply(int64_t factor, int64_t* block);
  absl::Status Refused() { return status_; }

  std::string_view text_;
  Cursor cursor_;
  absl::Status status_;
  std::map<std::string, Rows, std::less<>> attributes_;
  size_t rank_ = 0;
};

bool EncodingReader::ReadNumbers(Numbers* numbers) {
  while (!cursor_.Take(']')) {
    int64_t number;
    if (!cursor_.TakeInteger(&number)) return FailExpected("an integer");
    numbers->push_back(number);
    if (!cursor_.Take(',') && cursor_.NextToken() != "]") {
      return FailExpected("',' or ']'");
    }
  }
  return true;
}

bool EncodingReader::ReadValue(const std::string& key) {
  Rows rows(1);
  int64_t number;
  if (cursor_.TakeInteger(&number)) {
    rows[0].push_back(number);
  } else if (cursor_.Take('[')) {
    if (cursor_.Take('[')) {
      rows.clear();
      do {
        rows.emplace_back();
        if (!ReadNumbers(&rows.back())) return false;
      } while (cursor_.Take(',') && cursor_.Take('['));
      if (!cursor_.Take(']')) return FailExpected("',' or ']'");
    } else if (!ReadNumbers(&rows[0])) {
      return false;
    }
    if (rows.size() == 1 && rows[0].empty()) rows.clear();
  } else if (cursor_.TakeIdentifier().empty()) {
    return FailExpected("a list of integers");
  }
  attributes_[key] = std::move(rows);
  return true;
}

bool EncodingReader::ReadAttributes(char close) {
  for (int position = 0; !cursor_.Take(close); ++position) {
    Cursor ahead = cursor_;
    const std::string name(ahead.TakeIdentifier());
    const bool is_named = !name.empty() && ahead.Take('=');
    if (is_named) cursor_ = ahead;
    if (!ReadValue(is_named ? name : absl::StrCat(position))) return false;
    if (!cursor_.Take(',') &&
        cursor_.NextToken().substr(0, 1) != std::string_view(&close, 1)) {
      return FailExpected(absl::StrCat("',' or '", std::string(1, close), "'"));
    }
  }
  return true;
}

bool EncodingReader::Take(std::string_view mlir, std::string_view python,
                          Numbers* numbers) {
  const auto named = attributes_.find(mlir);
  const auto found =
      named != attributes_.end() ? named : attributes_.find(python);
  if (found == attributes_.end() || found->second.size() != 1) {
    return Fail(StrCat("expected ", mlir, " = [...]"));
  }
  *numbers = found->second[0];
  if (rank_ == 0) rank_ = numbers->size();
  return numbers->size() == rank_ ||
         Fail(StrCat(mlir, " has ", numbers->size(), " entries, not ", rank_,
                     " as before"));
}

bool EncodingReader::TakeNumber(std::string_view mlir, std::string_view python,
                                int64_t* number) {
  const size_t rank = std::exchange(rank_, 1);
  Numbers numbers;
  const bool is_taken = Take(mlir, python, &numbers);
  rank_ = rank;
  if (is_taken) *number = numbers[0];
  return is_taken;
}

bool EncodingReader::CheckOrder(const Numbers& order) {
  Numbers sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < rank_; ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) {
      return Fail("order is not a permutation of the dimensions");
    }
  }
  return true;
}

bool EncodingReader::Multiply(int64_t factor, int64_t* block) {
  return !__builtin_mul_overflow(*block, factor, block) ||
         Fail("the block exceeds 2^63-1 elements",
              absl::StatusCode::kOutOfRange);
}

void AddLeaf(int64_t size, int64_t stride, Layout::Leaves* leaves) {
  if (size != 1) leaves->push_back({size, stride, Basis()});
}

absl::StatusOr<Layout> LayoutOfLeaves(const Layout::Leaves& threads,
                                      const Layout::Leaves& values) {
  Layout::Builder builder;
  builder.Tuple(2);
  builder.AppendFlat(threads);
  builder.AppendFlat(values);
  return std::move(builder).Build();
}

absl::StatusOr<Layout> EncodingReader::Blocked() {
  Numbers sizes, threads, warps, order;
  const bool is_positional = attributes_.count("0") != 0;
  const auto name = [&](std::string_view python, std::string_view position) {
    return is_positional ? position : python;
  };
  if (!Take("sizePerThread", name("size_per_thread", "0"), &sizes) ||
      !Take("threadsPerWarp", name("threads_per_warp", "1"), &threads) ||
      !Take("warpsPerCTA", name("warps_per_cta", "2"), &warps) ||
      !Take("order", name("order", "3"), &order)) {
    return Refused();
  }
  if (!CheckOrder(order)) return Refused();
  // The strides in the column-major block.
  Numbers stride(rank_, 1);
  int64_t block = 1;
  for (size_t i = 0; i < rank_; ++i) {
    stride[i] = block;
    if (std::min({sizes[i], threads[i], warps[i]}) < 1) {
      Fail("a size is less than 1");
      return Refused();
    }
    if (!Multiply(sizes[i], &block) || !Multiply(threads[i], &block) ||
        !Multiply(warps[i], &block)) {
      return Refused();
    }
  }
  Layout::Leaves thread_leaves, value_leaves;
  for (const int64_t i : order) AddLeaf(sizes[i], stride[i], &value_leaves);
  for (const int64_t i : order) {
    AddLeaf(threads[i], stride[i] * sizes[i], &thread_leaves);
  }
  for (const int64_t i : order) {
    AddLeaf(warps[i], stride[i] * sizes[i] * threads[i], &thread_leaves);
  }
  return LayoutOfLeaves(thread_leaves, value_leaves);
}

absl::StatusOr<Layout> EncodingReader::Linear() {
  constexpr const char* kInputs[] = {"lane", "warp", "block", "register"};
  std::vector<int64_t> bits;  // of each dimension, the highest in use
  for (const char* input : kInputs) {
    for (const Numbers& base : attributes_[input]) {
      if (rank_ == 0) rank_ = base.size();
      bits.resize(rank_, 1);
      if (base.size() != rank_) {
        Fail("the bases have different numbers of dimensions");
        return Refused();
      }
      for (size_t i = 0; i < rank_; ++i) {
        if (base[i] < 0 || base[i] >= int64_t{1} << 40) {
          Fail("a base is not in [0, 2^40)");
          return Refused();
        }
        while (bits[i] <= base[i]) bits[i] *= 2;
      }
    }
  }
  int64_t block = 1;
  Numbers stride(rank_, 1);
  for (size_t i = 0; i < rank_; ++i) {
    stride[i] = block;
    if (!Multiply(bits[i], &block)) return Refused();
  }
  int64_t used = 0;
  Layout::Leaves threads, values;
  for (const char* input : kInputs) {
    Layout::Leaves* leaves =
        std::string_view(input) == "register" ? &values : &threads;
    for (const Numbers& base : attributes_[input]) {
      int64_t index = 0;
      for (size_t i = 0; i < rank_; ++i) index += base[i] * stride[i];
      if ((index & used) != 0) {
        Fail(
            "two bases share a bit, so that their exclusive or differs from "
            "the sum that a CuTe layout computes");
        return Refused();
      }
      used |= index;
      const bool continues =
          !leaves->empty() && index != 0 &&
          leaves->back().size * leaves->back().stride == index;
      if (continues) {
        leaves->back().size *= 2;
      } else {
        leaves->push_back({2, index, Basis()});
      }
    }
  }
  return LayoutOfLeaves(threads, values);
}

absl::StatusOr<Layout> EncodingReader::NvidiaMma() {
  // Python has both versions in a list.
  const auto version = attributes_.find(
      attributes_.count("0") != 0 ? std::string_view("0") : "version");
  if (version != attributes_.end() && !version->second.empty() &&
      !version->second[0].empty()) {
    attributes_["versionMajor"] = Rows(1, Numbers(1, version->second[0][0]));
  }
  int64_t major;
  Numbers warps;
  if (!TakeNumber("versionMajor", "version", &major) ||
      !Take("warpsPerCTA", attributes_.count("1") ? "1" : "warps_per_cta",
            &warps)) {
    return Refused();
  }
  const size_t rank = rank_;
  if (major != 2 && major != 3) {
    Fail(absl::StrCat("nvidia_mma of version ", major,
                      " is not read; these are 2 and 3"));
    return Refused();
  }
  if (rank < 2 || (major == 3 && rank != 2)) {
    Fail(absl::StrCat("warpsPerCTA has ", rank, " entries, not 2"));
    return Refused();
  }
  // In version 3 the instruction has a depth as well.
  Numbers tile;
  if (major == 3) rank_ = 3;
  if (!Take("instrShape", attributes_.count("2") ? "2" : "instr_shape",
            &tile)) {
    return Refused();
  }
  rank_ = rank;
  tile.resize(rank);
  const size_t down = rank - 2, across = rank - 1;
  int64_t block = 1;
  Numbers stride(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (warps[i] < 1 ||
        (i < down ? tile[i] != 1 : tile[i] < 8 || tile[i] % 8 != 0)) {
      Fail("a size is not that of an instruction");
      return Refused();
    }
    stride[i] = block;
    if (!Multiply(tile[i], &block) || !Multiply(warps[i], &block)) {
      return Refused();
    }
  }
  Layout::Leaves threads, values;
  AddLeaf(2, stride[across], &values);
  AddLeaf(tile[down] / 8, 8 * stride[down], &values);
  AddLeaf(tile[across] / 8, 8 * stride[across], &values);
  AddLeaf(4, 2 * stride[across], &threads);
  AddLeaf(8, stride[down], &threads);
  Numbers order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  if (major == 3) std::swap(order[0], order[1]);
  for (const int64_t i : order) {
    AddLeaf(warps[i], stride[i] * tile[i], &threads);
  }
  return LayoutOfLeaves(threads, values);
}

absl::StatusOr<ComposedLayout> EncodingReader::SwizzledShared(
    absl::Span<const int64_t> shape) {
  const bool is_positional = attributes_.count("0") != 0;
  const auto name = [&](std::string_view python, std::string_view position) {
    return is_positional ? position : python;
  };
  int64_t vec, per_phase, max_phase;
  Numbers order;
  if (!TakeNumber("vec", name("vec", "0"), &vec) ||
      !TakeNumber("perPhase", name("per_phase", "1"), &per_phase) ||
      !TakeNumber("maxPhase", name("max_phase", "2"), &max_phase) ||
      !Take("order", name("order", "3"), &order) || !CheckOrder(order)) {
    return Refused();
  }
  for (const int64_t size : {vec, per_phase, max_phase}) {
    if (size < 1 || size >= int64_t{1} << 20 || (size & (size - 1)) != 0) {
      Fail(absl::StrCat("vec, perPhase and maxPhase are powers of two, not ",
                        size));
      return Refused();
    }
  }
  Numbers sizes(shape.begin(), shape.end());
  if (shape.empty()) {
    sizes.assign(rank_, 1);
    sizes[order[0]] = vec * max_phase;
    if (rank_ > 1) sizes[order[1]] = per_phase * max_phase;
  }
  if (rank_ == 0 || sizes.size() < rank_) {
    Fail(absl::StrCat("order has ", rank_, " entries, but the array has ",
                      sizes.size(), " dimensions"));
    return Refused();
  }
  // The dimensions before those of `order` number buffers.
  const size_t buffers = sizes.size() - rank_;
  Numbers fastest_first;
  for (const int64_t i : order) fastest_first.push_back(buffers + i);
  for (size_t i = buffers; i > 0; --i) fastest_first.push_back(i - 1);
  int64_t block = 1;
  Layout::Leaves leaves(sizes.size());
  for (const int64_t i : fastest_first) {
    leaves[i] = {sizes[i], sizes[i] == 1 ? 0 : block, Basis()};
    if (!Multiply(sizes[i], &block)) return Refused();
  }
  Layout::Builder builder;
  builder.AppendFlat(leaves);
  TESSERA_ASSIGN_OR_RETURN(Layout layout, std::move(builder).Build());
  // Columns past the row do not exist, so narrow rows have fewer phases.
  const int64_t columns = sizes[fastest_first[0]];
  int64_t phases = rank_ == 1 ? 1 : std::min(max_phase, columns / vec);
  if (phases > 1 && (columns & (columns - 1)) != 0) {
    Fail(absl::StrCat("a row of ", columns,
                      " elements is swizzled only if that is a power of two"));
    return Refused();
  }
  int64_t bits = 0, base = 0, shift = 0;
  for (; phases > 1; phases /= 2) ++bits;
  if (bits == 0) return ComposedLayout(Swizzle(), 0, std::move(layout));
  for (int64_t size = vec; size > 1; size /= 2) ++base;
  for (int64_t size = columns * per_phase / vec; size > 1; size /= 2) ++shift;
  TESSERA_ASSIGN_OR_RETURN(const Swizzle swizzle,
                           Swizzle::Create(bits, base, shift));
  return ComposedLayout(swizzle, 0, std::move(layout));
}

absl::StatusOr<TritonEncoding> EncodingReader::Read(
    absl::Span<const int64_t> shape, size_t* end) {
  enum Kind { kBlocked, kLinear, kNvidiaMma, kSwizzledShared };
  struct Name {
    std::string_view name;
    Kind kind;
    bool is_python;
  };
  constexpr Name kNames[] = {
      {"blocked", kBlocked, false},
      {"linear", kLinear, false},
      {"nvidia_mma", kNvidiaMma, false},
      {"swizzled_shared", kSwizzledShared, false},
      {"shared", kSwizzledShared, false},  // its name until 2024
      {"BlockedLayout", kBlocked, true},
      {"NVMMADistributedLayout", kNvidiaMma, true},
      {"SwizzledSharedLayout", kSwizzledShared, true}};
  const std::string word(cursor_.TakeIdentifier());
  const Name* const found =
      std::find_if(std::begin(kNames), std::end(kNames),
                   [&word](const Name& name) { return name.name == word; });
  if (found == std::end(kNames)) {
    Fail(absl::StrCat("'", word,
                      "' is not an encoding that is read; these are blocked, "
                      "linear, nvidia_mma and swizzled_shared"));
    return Refused();
  }
  const bool is_python = found->is_python;
  if (!cursor_.Take(is_python ? '(' : '<') ||
      (!is_python && !cursor_.Take('{'))) {
    FailExpected(is_python ? "'('" : "'<{'");
    return Refused();
  }
  if (!ReadAttributes(is_python ? ')' : '}')) return Refused();
  if (!is_python && !cursor_.Take('>')) {
    FailExpected("'>'");
    return Refused();
  }
  *end = cursor_.position() - text_.data();
  if (found->kind == kSwizzledShared) {
    TESSERA_ASSIGN_OR_RETURN(ComposedLayout layout, SwizzledShared(shape));
    return TritonEncoding{
        std::move(layout),
        shape.empty() ? "from coordinates to places in shared memory, in the "
                        "smallest block that is swizzled throughout: the text "
                        "has no shape"
                      : "from coordinates to places in shared memory"};
  }
  TESSERA_ASSIGN_OR_RETURN(Layout layout, found->kind == kLinear ? Linear()
                                          : found->kind == kNvidiaMma
                                              ? NvidiaMma()
                                              : Blocked());
  return TritonEncoding{
      std::move(layout),
      "from (thread, value) to the column-major index in the block"};
}

}  // namespace

absl::StatusOr<TritonEncoding> ReadTritonEncoding(
    std::string_view text, size_t begin, absl::Span<const int64_t> shape,
    size_t* end) {
  return EncodingReader(text, begin).Read(shape, end);
}

}  // namespace tessera::cute
