#include "tessera/tenstorrent/affine/affine_map.h"

#include <cassert>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_operations.h"

namespace tessera::tenstorrent {
namespace {

absl::Status CheckMapCount(int64_t count, std::string_view what) {
  if (count < 0) {
    return InvalidArgumentError("the number of ", what, " = ", count,
                                " is negative");
  }
  if (count > AffineExpression::kMaxDims) {
    return ResourceExhaustedError("an affine map has at most ",
                                  AffineExpression::kMaxDims, " ", what,
                                  ", not ", count);
  }
  return absl::OkStatus();
}

absl::Status CheckArguments(int64_t count, int64_t expected,
                            std::string_view what) {
  if (count == expected) return absl::OkStatus();
  return InvalidArgumentError("expected ", expected, " ", what, ", found ",
                              count);
}

// Adds the size of a result to that of those before it.
absl::Status AddSize(const AffineExpression& result, int64_t* num_nodes) {
  *num_nodes += result.nodes().size();
  if (*num_nodes <= AffineExpression::kMaxNodes) return absl::OkStatus();
  return ResourceExhaustedError("an affine map has at most ",
                                AffineExpression::kMaxNodes,
                                " operands and operations");
}

void AppendNames(char letter, int64_t count, TextWriter* writer) {
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) writer->Text(", ");
    writer->Char(letter);
    writer->Int(i);
  }
}

}  // namespace

absl::StatusOr<AffineMap> AffineMap::Create(int64_t num_dims,
                                            int64_t num_symbols,
                                            Results results) {
  const int64_t num_results = results.size();
  TESSERA_RETURN_IF_ERROR(CheckMapCount(num_dims, "dimensions"));
  TESSERA_RETURN_IF_ERROR(CheckMapCount(num_symbols, "symbols"));
  TESSERA_RETURN_IF_ERROR(CheckMapCount(num_results, "results"));
  int64_t num_nodes = 0;
  for (int64_t i = 0; i < num_results; ++i) {
    TESSERA_RETURN_IF_ERROR(AddSize(results[i], &num_nodes));
    if (results[i].dim_limit() > num_dims) {
      return InvalidArgumentError("result[", i, "] uses d",
                                  results[i].dim_limit() - 1, " of a map of ",
                                  num_dims, " dimensions");
    }
    if (results[i].symbol_limit() > num_symbols) {
      return InvalidArgumentError("result[", i, "] uses s",
                                  results[i].symbol_limit() - 1,
                                  " of a map of ", num_symbols, " symbols");
    }
  }
  return AffineMap(num_dims, num_symbols, std::move(results));
}

AffineMap AffineMap::Identity(int64_t num_dims) {
  return MinorIdentity(num_dims, num_dims);
}

AffineMap AffineMap::MinorIdentity(int64_t num_dims, int64_t num_results) {
  assert(0 <= num_results && num_results <= num_dims);
  Results results;
  for (int64_t dim = num_dims - num_results; dim < num_dims; ++dim) {
    results.push_back(AffineExpression::Dim(dim));
  }
  return AffineMap(num_dims, 0, std::move(results));
}

absl::StatusOr<AffineMap> AffineMap::Permutation(
    absl::Span<const int64_t> permutation) {
  const int64_t size = permutation.size();
  TESSERA_RETURN_IF_ERROR(CheckMapCount(size, "dimensions"));
  Results results;
  std::vector<bool> is_used(size);
  for (int64_t i = 0; i < size; ++i) {
    const int64_t dim = permutation[i];
    if (dim < 0 || dim >= size) {
      return InvalidArgumentError("permutation[", i, "] = ", dim,
                                  " is outside [0, ", size, ")");
    }
    if (is_used[dim]) {
      return InvalidArgumentError("permutation[", i, "] = ", dim,
                                  " is given twice");
    }
    is_used[dim] = true;
    results.push_back(AffineExpression::Dim(dim));
  }
  return AffineMap(size, 0, std::move(results));
}

absl::StatusOr<AffineMap::Indices> AffineMap::Evaluate(
    absl::Span<const int64_t> indices,
    absl::Span<const int64_t> symbols) const {
  TESSERA_RETURN_IF_ERROR(CheckArguments(indices.size(), num_dims_, "indices"));
  TESSERA_RETURN_IF_ERROR(
      CheckArguments(symbols.size(), num_symbols_, "symbols"));
  Indices values;
  for (size_t i = 0; i < results_.size(); ++i) {
    const absl::StatusOr<int64_t> value =
        results_[i].Evaluate(indices, symbols);
    if (!value.ok()) {
      return absl::Status(
          value.status().code(),
          absl::StrCat("result[", i, "]: ", value.status().message()));
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<int64_t> AffineMap::Coefficient(int64_t i, int64_t dim) const {
  const std::optional<AffineForm> form = Form(i);
  if (!form.has_value()) return std::nullopt;
  return form->coefficients[dim];
}

AffineMap::Indices AffineMap::ResultsUsing(int64_t dim) const {
  Indices uses;
  for (int64_t i = 0; i < num_results(); ++i) {
    if (results_[i].UsesDim(dim)) uses.push_back(i);
  }
  return uses;
}

AffineMap::Indices AffineMap::RepeatedDims() const {
  std::vector<int64_t> num_uses(num_dims_);
  std::vector<int64_t> last_use(num_dims_, -1);
  for (int64_t i = 0; i < num_results(); ++i) {
    for (const AffineNode& node : results_[i].nodes()) {
      if (node.kind != AffineNode::Kind::kDim || last_use[node.value] == i) {
        continue;
      }
      last_use[node.value] = i;
      ++num_uses[node.value];
    }
  }
  Indices repeated;
  for (int64_t dim = 0; dim < num_dims_; ++dim) {
    if (num_uses[dim] > 1) repeated.push_back(dim);
  }
  return repeated;
}

bool AffineMap::is_identity() const {
  return num_results() == num_dims_ && is_minor_identity();
}

bool AffineMap::is_minor_identity() const {
  if (num_symbols_ != 0 || num_results() > num_dims_) return false;
  for (int64_t i = 0; i < num_results(); ++i) {
    if (results_[i].AsDim() != num_dims_ - num_results() + i) return false;
  }
  return true;
}

bool AffineMap::is_permutation() const {
  return InversePermutation().has_value();
}

std::optional<AffineMap> AffineMap::InversePermutation() const {
  if (num_symbols_ != 0 || num_results() != num_dims_) return std::nullopt;
  Results inverse(num_dims_);
  for (int64_t i = 0; i < num_dims_; ++i) {
    const std::optional<int64_t> dim = results_[i].AsDim();
    // The entry is already a dimension only if an earlier result was the same
    // dimension.
    if (!dim.has_value() || inverse[*dim].AsDim().has_value()) {
      return std::nullopt;
    }
    inverse[*dim] = AffineExpression::Dim(i);
  }
  return AffineMap(num_dims_, 0, std::move(inverse));
}

std::string AffineMap::ToString(Spelling spelling) const {
  std::string text;
  {
    TextWriter writer(&text);
    if (spelling == kWrapped) writer.Text("affine_map<");
    AppendTo(&writer);
    if (spelling == kWrapped) writer.Char('>');
  }
  return text;
}

void AffineMap::AppendTo(TextWriter* writer) const {
  writer->Char('(');
  AppendNames('d', num_dims_, writer);
  writer->Char(')');
  if (num_symbols_ > 0) {
    writer->Char('[');
    AppendNames('s', num_symbols_, writer);
    writer->Char(']');
  }
  writer->Text(" -> (");
  for (size_t i = 0; i < results_.size(); ++i) {
    if (i > 0) writer->Text(", ");
    results_[i].AppendTo(writer);
  }
  writer->Char(')');
}

absl::StatusOr<AffineMap> Compose(const AffineMap& outer,
                                  const AffineMap& inner) {
  if (inner.num_results() != outer.num_dims()) {
    return InvalidArgumentError("cannot compose a map of ", outer.num_dims(),
                                " dimensions with one of ", inner.num_results(),
                                " results");
  }
  const int64_t num_symbols = outer.num_symbols() + inner.num_symbols();
  TESSERA_RETURN_IF_ERROR(CheckMapCount(num_symbols, "symbols"));
  AffineMap::Results renamed;
  for (int64_t i = outer.num_symbols(); i < num_symbols; ++i) {
    renamed.push_back(AffineExpression::Symbol(i));
  }
  AffineMap::Results dims;
  for (const AffineExpression& result : inner.results()) {
    TESSERA_ASSIGN_OR_RETURN(AffineExpression dim,
                             Substitute(result, {}, renamed));
    dims.push_back(std::move(dim));
  }
  AffineMap::Results results;
  int64_t num_nodes = 0;
  for (const AffineExpression& result : outer.results()) {
    TESSERA_ASSIGN_OR_RETURN(AffineExpression composed,
                             Substitute(result, dims));
    TESSERA_RETURN_IF_ERROR(AddSize(composed, &num_nodes));
    results.push_back(std::move(composed));
  }
  return AffineMap::Create(inner.num_dims(), num_symbols, std::move(results));
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, AffineMap)
