#include "tessera/cute/calculator/triton_encoding.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace cute {
namespace {

using Numbers = std::vector<int64_t>;

// An attribute's value: [4, 8], or [[0, 1], [0, 2]].
using Rows = std::vector<Numbers>;

class EncodingReader {
 public:
  EncodingReader(std::string_view text, size_t begin)
      : text_(text), cursor_(text.substr(begin)) {}

  absl::StatusOr<Layout> Read(size_t* end);

 private:
  bool Fail(std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    cursor_.SkipBlanks();
    status_ = DiagnosticError(text_, cursor_.position() - text_.data(), message,
                              code);
    return false;
  }
  bool FailExpected(std::string_view what) {
    return Fail(absl::StrCat("expected ", AbslView(what), ", found ",
                             cursor_.DescribeNextToken()));
  }

  bool ReadNumbers(Numbers* numbers);
  bool ReadValue(const std::string& key);
  bool ReadAttributes(char close);
  // The list of that name, with as many entries as there are dimensions.
  bool Take(std::string_view mlir, std::string_view python, Numbers* numbers);
  absl::StatusOr<Layout> Blocked();
  absl::StatusOr<Layout> Linear();
  absl::StatusOr<Layout> Refused() { return status_; }

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
    return Fail(absl::StrCat("expected ", AbslView(mlir), " = [...]"));
  }
  *numbers = found->second[0];
  if (rank_ == 0) rank_ = numbers->size();
  return numbers->size() == rank_ ||
         Fail(absl::StrCat(AbslView(mlir), " has ", numbers->size(),
                           " entries, not ", rank_, " as before"));
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
  Numbers sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < rank_; ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) {
      Fail("order is not a permutation of the dimensions");
      return Refused();
    }
  }
  // In the column-major block.
  Numbers stride(rank_, 1);
  int64_t block = 1;
  for (size_t i = 0; i < rank_; ++i) {
    stride[i] = block;
    if (std::min({sizes[i], threads[i], warps[i]}) < 1) {
      Fail("a size is less than 1");
      return Refused();
    }
    if (__builtin_mul_overflow(block, sizes[i], &block) ||
        __builtin_mul_overflow(block, threads[i], &block) ||
        __builtin_mul_overflow(block, warps[i], &block)) {
      Fail("the block exceeds 2^63-1 elements", absl::StatusCode::kOutOfRange);
      return Refused();
    }
  }
  Layout::Leaves thread_leaves, value_leaves;
  const auto add = [](int64_t size, int64_t stride, Layout::Leaves* leaves) {
    if (size != 1) leaves->push_back({size, stride, Basis()});
  };
  for (const int64_t i : order) add(sizes[i], stride[i], &value_leaves);
  for (const int64_t i : order) {
    add(threads[i], stride[i] * sizes[i], &thread_leaves);
  }
  for (const int64_t i : order) {
    add(warps[i], stride[i] * sizes[i] * threads[i], &thread_leaves);
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
    if (__builtin_mul_overflow(block, bits[i], &block)) {
      Fail("the block exceeds 2^63-1 elements", absl::StatusCode::kOutOfRange);
      return Refused();
    }
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

absl::StatusOr<Layout> EncodingReader::Read(size_t* end) {
  const std::string kind(cursor_.TakeIdentifier());
  const bool is_python = kind == "BlockedLayout";
  const bool is_known = is_python || kind == "blocked" || kind == "linear";
  if (!is_known) {
    Fail(absl::StrCat("'", kind,
                      "' is not a supported register encoding; "
                      "blocked and linear are"));
    return Refused();
  }
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
  TESSERA_ASSIGN_OR_RETURN(Layout layout,
                           kind == "linear" ? Linear() : Blocked());
  *end = cursor_.position() - text_.data();
  return layout;
}

}  // namespace

absl::StatusOr<Layout> ReadTritonEncoding(std::string_view text, size_t begin,
                                          size_t* end) {
  return EncodingReader(text, begin).Read(end);
}

}  // namespace cute
}  // namespace tessera
