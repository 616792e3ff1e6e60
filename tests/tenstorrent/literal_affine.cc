#include "tessera/tests/tenstorrent/literal_affine.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

class LiteralReader {
 public:
  LiteralReader(std::string_view text, absl::Span<const int64_t> indices,
                absl::Span<const int64_t> symbols)
      : rest_(text), indices_(indices), symbols_(symbols) {}

  int64_t Sum() {
    int64_t value = Product();
    while (true) {
      if (Take("+")) {
        value += Product();
      } else if (Take("-")) {
        value -= Product();
      } else {
        return value;
      }
    }
  }

  bool is_defined() const { return is_defined_; }

 private:
  bool Take(std::string_view token) {
    rest_ = tessera::StripLeadingAsciiWhitespace(rest_);
    return tessera::ConsumePrefix(&rest_, token);
  }

  int64_t Product() {
    int64_t value = Operand();
    while (true) {
      if (Take("*")) {
        value *= Operand();
      } else if (Take("floordiv")) {
        value = Rounded(value, Operand(), /*up=*/false);
      } else if (Take("ceildiv")) {
        value = Rounded(value, Operand(), /*up=*/true);
      } else if (Take("mod")) {
        const int64_t divisor = Operand();
        value -= divisor * Rounded(value, divisor, /*up=*/false);
      } else {
        return value;
      }
    }
  }

  // Exact, since values are below 2^53.
  int64_t Rounded(int64_t dividend, int64_t divisor, bool up) {
    if (divisor < 1) is_defined_ = false;
    if (!is_defined_) return 0;
    const double ratio = static_cast<double>(dividend) / divisor;
    return static_cast<int64_t>(up ? std::ceil(ratio) : std::floor(ratio));
  }

  int64_t Operand() {
    if (Take("-")) return -Operand();
    if (Take("(")) {
      const int64_t value = Sum();
      Take(")");
      return value;
    }
    if (Take("d")) return indices_[Number()];
    if (Take("s")) return symbols_[Number()];
    return Number();
  }

  int64_t Number() {
    int64_t value = 0;
    while (!rest_.empty() && absl::ascii_isdigit(rest_[0])) {
      value = 10 * value + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

  std::string_view rest_;
  absl::Span<const int64_t> indices_;
  absl::Span<const int64_t> symbols_;
  bool is_defined_ = true;
};

class Writer {
 public:
  Writer(int64_t num_dims, int64_t num_symbols, bool with_divisions,
         RandomBits* random)
      : num_dims_(num_dims),
        num_symbols_(num_symbols),
        with_divisions_(with_divisions),
        random_(random) {}

  std::string Expression(int64_t depth, bool with_dims) {
    if (depth == 0) return Leaf(with_dims);
    const auto below = [&](bool dims) {
      return Expression(Uniform(0, depth - 1, random_), dims);
    };
    switch (Uniform(0, with_divisions_ ? 9 : 6, random_)) {
      case 0:
      case 1:
      case 2:
        return absl::StrCat(below(with_dims), " + ", Maybe(below(with_dims)));
      case 3:
        return absl::StrCat(below(with_dims), "-(", below(with_dims), ")");
      case 4:
        return absl::StrCat("-(", below(with_dims), ")");
      case 5:
      case 6: {
        const std::string a = Maybe(below(with_dims));
        // Shallow, so that values stay below 2^53.
        const std::string b = absl::StrCat(
            "(",
            Expression(Uniform(0, std::min<int64_t>(1, depth - 1), random_),
                       /*with_dims=*/false),
            ")");
        // Unless in parentheses, it might be two terms of which both have
        // dimensions.
        return Uniform(0, 1, random_) == 0 ? absl::StrCat("(", a, ") * ", b)
                                           : absl::StrCat(b, "*(", a, ")");
      }
      default:
        return Division(below(with_dims));
    }
  }

 private:
  std::string Leaf(bool with_dims) {
    const int64_t choice = Uniform(0, 9, random_);
    if (with_dims && num_dims_ > 0 && choice < 6) {
      return absl::StrCat("d", Uniform(0, num_dims_ - 1, random_));
    }
    if (num_symbols_ > 0 && choice < 7) {
      return absl::StrCat("s", Uniform(0, num_symbols_ - 1, random_));
    }
    static constexpr int64_t kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 8, 12, 16};
    return absl::StrCat(kNumbers[Uniform(0, 9, random_)]);
  }

  std::string Maybe(const std::string& text) {
    return Uniform(0, 1, random_) == 0 ? text : absl::StrCat("(", text, ")");
  }

  std::string Division(const std::string& dividend) {
    static constexpr int64_t kDivisors[] = {1, 2, 3, 4, 6, 8, 12};
    static constexpr std::string_view kOperations[] = {" floordiv ",
                                                       " ceildiv ", " mod "};
    std::string divisor = absl::StrCat(kDivisors[Uniform(0, 6, random_)]);
    if (num_symbols_ > 0 && Uniform(0, 3, random_) == 0) {
      divisor = absl::StrCat("(s", Uniform(0, num_symbols_ - 1, random_), " * ",
                             divisor, ")");
    }
    if (Uniform(0, 5, random_) == 0) {
      return absl::StrCat("(", dividend, ") - (", dividend, ") floordiv ",
                          divisor, " * ", divisor);
    }
    return absl::StrCat(Maybe(dividend),
                        AbslView(kOperations[Uniform(0, 2, random_)]), divisor);
  }

  int64_t num_dims_;
  int64_t num_symbols_;
  bool with_divisions_;
  RandomBits* random_;
};

std::string Names(char letter, int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) {
    names.push_back(absl::StrCat(std::string(1, letter), i));
  }
  return absl::StrJoin(names, ", ");
}

}  // namespace

std::optional<int64_t> LiteralValue(std::string_view expression,
                                    absl::Span<const int64_t> indices,
                                    absl::Span<const int64_t> symbols) {
  LiteralReader reader(expression, indices, symbols);
  const int64_t value = reader.Sum();
  if (!reader.is_defined()) return std::nullopt;
  return value;
}

RandomAffineMap::RandomAffineMap(const RandomAffineOptions& options,
                                 RandomBits* random)
    : num_dims(Uniform(0, options.max_dims, random)),
      num_symbols(Uniform(0, options.max_symbols, random)) {
  Writer writer(num_dims, num_symbols, options.with_divisions, random);
  const int64_t num_results = Uniform(0, options.max_results, random);
  for (int64_t i = 0; i < num_results; ++i) {
    results.push_back(writer.Expression(Uniform(0, options.max_depth, random),
                                        /*with_dims=*/true));
  }
  text = absl::StrCat(
      "(", Names('d', num_dims), ")",
      num_symbols == 0 ? "" : absl::StrCat("[", Names('s', num_symbols), "]"),
      " -> (", absl::StrJoin(results, ", "), ")");
}

}  // namespace tessera::tenstorrent
