// This file has two parts: the programs, forward and inverse, and the calls.
//
// The forward program is the normal form of the map. The inverse of a mixed
// radix also consists of sums: with strides s_1 > s_2 > ... that divide one
// another, digit i of a position p is (p div s_i) mod (s_(i-1) / s_i). The same
// holds for the parts of joined coordinates.

#include "tessera/index_map/batch_index_map.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// -- Programs ----------------------------------------------------------------

// Adds the terms of a source, by increasing divisor. A term between two
// divisors that are powers of two becomes a digit, because its remainder does
// not take a multiplication; the others become quotients without a remainder.
void AddTerms(absl::Span<const IndexMap::Term> terms, uint32_t value,
              SumProgram* program) {
  uint64_t taken_off = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const IndexMap::Term& term = terms[i];
    const uint64_t coefficient = term.coefficient + taken_off;
    taken_off = 0;
    if (term.modulus == 0 ||
        !absl::has_single_bit(static_cast<uint64_t>(term.divisor)) ||
        !absl::has_single_bit(static_cast<uint64_t>(term.modulus))) {
      program->AddQuotient(value, term.divisor, coefficient);
      continue;
    }
    program->AddDigit(value, term.divisor, term.modulus, coefficient);
    taken_off = coefficient * static_cast<uint64_t>(term.modulus);
  }
}

std::optional<SumProgram> ForwardProgram(const IndexMap& map) {
  if (map.element_count() == 0 || map.rank() == 0) return std::nullopt;
  SumProgram program(map.bounds());
  const absl::Span<const IndexMap::Source> sources = map.sources();
  std::vector<uint32_t> values(sources.size());
  std::iota(values.begin(), values.end(), 0);
  for (const int32_t i : map.computed_sources()) {
    program.BeginSum(static_cast<uint64_t>(sources[i].offset));
    for (const IndexMap::Piece& piece : sources[i].pieces) {
      program.AddDigit(values[piece.source], piece.divisor, piece.modulus,
                       static_cast<uint64_t>(piece.multiplier));
    }
    values[i] = program.EndSum(sources[i].bound, SumProgram::kScratch);
  }
  program.BeginSum(map.constant());
  const absl::Span<const IndexMap::Term> terms = map.terms();
  for (size_t begin = 0, end = 0; begin < terms.size(); begin = end) {
    while (end < terms.size() && terms[end].source == terms[begin].source) {
      ++end;
    }
    AddTerms(terms.subspan(begin, end - begin), values[terms[begin].source],
             &program);
  }
  program.EndSum(map.position_count(), 0);
  if (map.is_swizzled()) {
    program.SwizzleOutput(map.swizzle().mask(), map.swizzle().shift);
  }
  if (!program.CanRun()) return std::nullopt;
  return program;
}

// Reads sources off a position, the last first.
class InverseBuilder {
 public:
  explicit InverseBuilder(const IndexMap& map)
      : map_(map),
        program_({map.position_count()}),
        digits_of_source_(map.sources().size()) {}

  std::optional<SumProgram> Build() && {
    if (map_.kind() != IndexMap::Kind::kMixedRadix ||
        map_.element_count() == 0 || map_.rank() == 0) {
      return std::nullopt;
    }
    std::vector<std::optional<int64_t>> counted(map_.sources().size(), 1);
    std::vector<Reading> readings;
    for (const IndexMap::Digit& digit : map_.digits()) {
      readings.push_back({digit.source, digit.divisor, digit.stride});
      if (counted[digit.source].has_value()) {
        counted[digit.source] =
            CheckedMultiply(*counted[digit.source], digit.modulus);
      }
    }
    if (!Read(0, readings)) return std::nullopt;
    for (size_t i = map_.sources().size(); i-- > 0;) {
      const IndexMap::Source& source = map_.sources()[i];
      const bool is_dimension = static_cast<int64_t>(i) < map_.rank();
      // A program does not find gaps.
      if (!is_dimension && !ReachesBound(source)) return std::nullopt;
      const uint32_t value = WriteSource(
          i, is_dimension ? static_cast<int32_t>(i) : SumProgram::kScratch,
          /*is_checked=*/counted[i] != source.bound);
      readings.clear();
      for (const IndexMap::Piece& piece : source.pieces) {
        counted[piece.source] = std::nullopt;
        readings.push_back({piece.source, piece.divisor, piece.multiplier});
      }
      if (!Read(value, readings)) return std::nullopt;
    }
    if (map_.is_swizzled()) {
      program_.SwizzleInput(map_.swizzle().mask(), map_.swizzle().shift);
    }
    program_.set_tail_begin(map_.tail_begin());
    if (!program_.CanRun()) return std::nullopt;
    return std::move(program_);
  }

 private:
  // A digit of a value, in units of the value, which adds its multiple of
  // `weight` to the source.
  struct Reading {
    int32_t source;
    int64_t weight;
    int64_t unit;
  };
  struct SourceDigit {
    uint32_t value;
    int64_t divisor;
    int64_t modulus;
    int64_t weight;
  };

  // Returns whether the pieces of a source of a kMixedRadix map make up every
  // value below its bound.
  static bool ReachesBound(const IndexMap::Source& source) {
    if (source.pieces.empty()) return source.bound == 1;
    const IndexMap::Piece& major = source.pieces.front();
    return major.modulus == 0 ||
           CeilOfRatio(source.bound, major.multiplier) <= major.modulus;
  }

  // Adds the digits of `value`, by decreasing unit, to their sources. Returns
  // false if the units do not divide one another.
  bool Read(uint32_t value, absl::Span<const Reading> readings) {
    for (size_t i = 0; i < readings.size(); ++i) {
      const Reading& digit = readings[i];
      int64_t modulus = 0;  // nothing is above the first
      if (i > 0) {
        if (readings[i - 1].unit % digit.unit != 0) return false;
        modulus = readings[i - 1].unit / digit.unit;
      }
      digits_of_source_[digit.source].push_back(
          {value, digit.unit, modulus, digit.weight});
    }
    return true;
  }

  uint32_t WriteSource(size_t source, int32_t output, bool is_checked) {
    program_.BeginSum(0);
    for (const SourceDigit& digit : digits_of_source_[source]) {
      program_.AddDigit(digit.value, digit.divisor, digit.modulus,
                        static_cast<uint64_t>(digit.weight));
    }
    const int64_t end = map_.position_count();
    return is_checked ? program_.EndCheckedSum(
                            end, map_.sources()[source].bound, output)
                      : program_.EndSum(end, output);
  }

  const IndexMap& map_;
  SumProgram program_;
  std::vector<std::vector<SourceDigit>> digits_of_source_;
};

// -- Calls -------------------------------------------------------------------

using Row = absl::InlinedVector<int64_t, 6>;

absl::Status SizesDiffer(std::string_view what, size_t size, size_t wanted) {
  return InvalidArgumentError("there is room for ", size, " ", what, ", but ",
                              wanted, " are needed");
}

absl::Status CheckRows(size_t entries, size_t indices, int64_t rank) {
  if (entries == indices * static_cast<size_t>(rank)) return absl::OkStatus();
  return InvalidArgumentError(entries, " entries are not ", indices,
                              " indices of ", rank, " dimensions");
}

absl::Status AtIndex(size_t number, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("index number ", number, ": ",
                                                  status.message()));
}

template <typename Int>
void GatherRow(absl::Span<const Int* const> coordinates, size_t i, Row* row) {
  for (size_t d = 0; d < row->size(); ++d) (*row)[d] = coordinates[d][i];
}

bool IsWithin(const Row& row, absl::Span<const int64_t> bounds) {
  for (size_t d = 0; d < row.size(); ++d) {
    if (row[d] < 0 || row[d] >= bounds[d]) return false;
  }
  return true;
}

// Returns whether a program can run for that many numbers of that width.
template <typename Int>
bool Runs(const std::optional<SumProgram>& program, size_t count) {
  return program.has_value() && count >= SumProgram::kMinCount &&
         (sizeof(Int) == sizeof(int64_t) || program->is_narrow());
}

// Rows are turned into columns, and back, a block at a time.
constexpr size_t kBlockRows = 512;

template <typename Int>
class ColumnBlock {
 public:
  explicit ColumnBlock(int64_t rank)
      : storage_(static_cast<size_t>(rank) * kBlockRows) {
    for (int64_t d = 0; d < rank; ++d) {
      columns_.push_back(storage_.data() + d * kBlockRows);
    }
  }

  absl::Span<Int* const> columns() const { return columns_; }
  absl::Span<const Int* const> const_columns() const {
    return absl::MakeConstSpan(const_cast<const Int* const*>(columns_.data()),
                               columns_.size());
  }

  void TakeRows(const Int* rows, size_t count) {
    ForEachEntry(count,
                 [rows](size_t entry, Int* column) { *column = rows[entry]; });
  }
  void PutRows(size_t count, Int* rows) const {
    ForEachEntry(count, [rows](size_t entry, const Int* column) {
      rows[entry] = *column;
    });
  }

 private:
  template <typename Body>
  void ForEachEntry(size_t count, const Body& body) const {
    const size_t rank = columns_.size();
    for (size_t d = 0; d < rank; ++d) {
      for (size_t i = 0; i < count; ++i) body(i * rank + d, columns_[d] + i);
    }
  }

  std::vector<Int> storage_;
  absl::InlinedVector<Int*, 6> columns_;
};

}  // namespace

BatchIndexMap::BatchIndexMap(IndexMap map)
    : map_(std::move(map)),
      forward_(ForwardProgram(map_)),
      inverse_(InverseBuilder(map_).Build()) {}

template <typename Int>
absl::Status BatchIndexMap::CheckWidth() const {
  if (sizeof(Int) == sizeof(int64_t) || fits_32_bits()) {
    return absl::OkStatus();
  }
  return OutOfRangeError(map_.position_count(),
                         " positions do not fit integers of 32 bits");
}

template <bool kChecks, typename Int>
size_t BatchIndexMap::Forward(absl::Span<const Int* const> coordinates,
                              Int* linear_indices, size_t count) const {
  size_t begin = 0;
  if (Runs<Int>(forward_, count)) {
    if (!kChecks) {
      forward_->Run(coordinates.data(), &linear_indices, nullptr, count);
      return count;
    }
    begin = forward_->RunChecked(coordinates.data(), &linear_indices, nullptr,
                                 count);
  }
  Row index(map_.rank());
  for (; begin < count; ++begin) {
    GatherRow(coordinates, begin, &index);
    if (kChecks && !IsWithin(index, map_.bounds())) return begin;
    linear_indices[begin] = static_cast<Int>(map_.LinearIndexUnchecked(index));
  }
  return count;
}

template <bool kChecks, typename Int>
size_t BatchIndexMap::Inverse(const Int* linear_indices,
                              absl::Span<Int* const> coordinates,
                              PositionKind* kinds, size_t count) const {
  size_t begin = 0;
  if (Runs<Int>(inverse_, count)) {
    uint8_t* const kind_bytes = reinterpret_cast<uint8_t*>(kinds);
    if (!kChecks) {
      inverse_->Run(&linear_indices, coordinates.data(), kind_bytes, count);
      return count;
    }
    begin = inverse_->RunChecked(&linear_indices, coordinates.data(),
                                 kind_bytes, count);
  }
  Row index(map_.rank());
  for (; begin < count; ++begin) {
    const int64_t position = linear_indices[begin];
    if (kChecks && (position < 0 || position >= map_.position_count())) {
      return begin;
    }
    kinds[begin] =
        map_.MultidimensionalIndexUnchecked(position, absl::MakeSpan(index));
    for (size_t d = 0; d < index.size(); ++d) {
      coordinates[d][begin] = static_cast<Int>(index[d]);
    }
  }
  return count;
}

template <typename Int>
absl::Status BatchIndexMap::CheckedLinearIndices(
    absl::Span<const Int* const> coordinates,
    absl::Span<Int> linear_indices) const {
  TESSERA_RETURN_IF_ERROR(CheckWidth<Int>());
  if (coordinates.size() != map_.bounds().size()) {
    return InvalidArgumentError("there are coordinates of ", coordinates.size(),
                                " dimensions but the array has ", map_.rank());
  }
  const size_t count = linear_indices.size();
  const size_t bad =
      Forward</*kChecks=*/true, Int>(coordinates, linear_indices.data(), count);
  if (bad == count) return absl::OkStatus();
  Row index(map_.rank());
  GatherRow(coordinates, bad, &index);
  return AtIndex(bad, map_.LinearIndex(index).status());
}

template <bool kChecks, typename Int>
size_t BatchIndexMap::ForwardRows(const Int* indices, Int* linear_indices,
                                  size_t count) const {
  const size_t rank = map_.bounds().size();
  if (!Runs<Int>(forward_, count)) {
    Row index(rank);
    for (size_t i = 0; i < count; ++i) {
      std::copy_n(indices + i * rank, rank, index.begin());
      if (kChecks && !IsWithin(index, map_.bounds())) return i;
      linear_indices[i] = static_cast<Int>(map_.LinearIndexUnchecked(index));
    }
    return count;
  }
  ColumnBlock<Int> block(rank);
  for (size_t begin = 0; begin < count; begin += kBlockRows) {
    const size_t rows = std::min(kBlockRows, count - begin);
    block.TakeRows(indices + begin * rank, rows);
    const size_t bad = Forward<kChecks, Int>(block.const_columns(),
                                             linear_indices + begin, rows);
    if (bad != rows) return begin + bad;
  }
  return count;
}

template <typename Int>
size_t BatchIndexMap::InverseRows(const Int* linear_indices, Int* indices,
                                  PositionKind* kinds, size_t count) const {
  const size_t rank = map_.bounds().size();
  if (!Runs<Int>(inverse_, count)) {
    Row index(rank);
    for (size_t i = 0; i < count; ++i) {
      const int64_t position = linear_indices[i];
      if (position < 0 || position >= map_.position_count()) return i;
      kinds[i] =
          map_.MultidimensionalIndexUnchecked(position, absl::MakeSpan(index));
      for (size_t d = 0; d < rank; ++d) {
        indices[i * rank + d] = static_cast<Int>(index[d]);
      }
    }
    return count;
  }
  ColumnBlock<Int> block(rank);
  for (size_t begin = 0; begin < count; begin += kBlockRows) {
    const size_t rows = std::min(kBlockRows, count - begin);
    const size_t bad = Inverse</*kChecks=*/true, Int>(
        linear_indices + begin, block.columns(), kinds + begin, rows);
    if (bad != rows) return begin + bad;
    block.PutRows(rows, indices + begin * rank);
  }
  return count;
}

template <typename Int>
absl::Status BatchIndexMap::CheckedLinearIndicesOfRows(
    absl::Span<const Int> indices, absl::Span<Int> linear_indices) const {
  TESSERA_RETURN_IF_ERROR(CheckWidth<Int>());
  const size_t count = linear_indices.size();
  TESSERA_RETURN_IF_ERROR(CheckRows(indices.size(), count, map_.rank()));
  const size_t bad = ForwardRows</*kChecks=*/true, Int>(
      indices.data(), linear_indices.data(), count);
  if (bad == count) return absl::OkStatus();
  Row index(map_.rank());
  std::copy_n(indices.data() + bad * index.size(), index.size(), index.begin());
  return AtIndex(bad, map_.LinearIndex(index).status());
}

template <typename Int>
absl::Status BatchIndexMap::CheckInverse(absl::Span<const Int> linear_indices,
                                         size_t kinds) const {
  TESSERA_RETURN_IF_ERROR(CheckWidth<Int>());
  if (kinds != linear_indices.size()) {
    return SizesDiffer("kinds", kinds, linear_indices.size());
  }
  const bool has_inverse = map_.kind() != IndexMap::Kind::kGeneral;
  if (has_inverse || linear_indices.empty()) return absl::OkStatus();
  return InverseError(0, linear_indices[0]);
}

absl::Status BatchIndexMap::InverseError(size_t number,
                                         int64_t linear_index) const {
  Row index(map_.rank());
  return AtIndex(
      number,
      map_.MultidimensionalIndex(linear_index, absl::MakeSpan(index)).status());
}

template <typename Int>
absl::Status BatchIndexMap::CheckedMultidimensionalIndices(
    absl::Span<const Int> linear_indices, absl::Span<Int* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  if (coordinates.size() != map_.bounds().size()) {
    return SizesDiffer("dimensions", coordinates.size(), map_.bounds().size());
  }
  TESSERA_RETURN_IF_ERROR(CheckInverse(linear_indices, kinds.size()));
  const size_t bad = Inverse</*kChecks=*/true, Int>(
      linear_indices.data(), coordinates, kinds.data(), kinds.size());
  if (bad == kinds.size()) return absl::OkStatus();
  return InverseError(bad, linear_indices[bad]);
}

template <typename Int>
absl::Status BatchIndexMap::CheckedMultidimensionalIndicesAsRows(
    absl::Span<const Int> linear_indices, absl::Span<Int> indices,
    absl::Span<PositionKind> kinds) const {
  const size_t entries = linear_indices.size() * map_.bounds().size();
  if (indices.size() != entries) {
    return SizesDiffer("index entries", indices.size(), entries);
  }
  TESSERA_RETURN_IF_ERROR(CheckInverse(linear_indices, kinds.size()));
  const size_t bad = InverseRows<Int>(linear_indices.data(), indices.data(),
                                      kinds.data(), kinds.size());
  if (bad == kinds.size()) return absl::OkStatus();
  return InverseError(bad, linear_indices[bad]);
}

// -- The two widths ----------------------------------------------------------

absl::Status BatchIndexMap::LinearIndices(
    absl::Span<const int64_t* const> coordinates,
    absl::Span<int64_t> linear_indices) const {
  return CheckedLinearIndices(coordinates, linear_indices);
}
absl::Status BatchIndexMap::LinearIndices(
    absl::Span<const int32_t* const> coordinates,
    absl::Span<int32_t> linear_indices) const {
  return CheckedLinearIndices(coordinates, linear_indices);
}

absl::Status BatchIndexMap::LinearIndicesOfRows(
    absl::Span<const int64_t> indices,
    absl::Span<int64_t> linear_indices) const {
  return CheckedLinearIndicesOfRows(indices, linear_indices);
}
absl::Status BatchIndexMap::LinearIndicesOfRows(
    absl::Span<const int32_t> indices,
    absl::Span<int32_t> linear_indices) const {
  return CheckedLinearIndicesOfRows(indices, linear_indices);
}

void BatchIndexMap::LinearIndicesUnchecked(
    absl::Span<const int64_t* const> coordinates,
    absl::Span<int64_t> linear_indices) const {
  Forward</*kChecks=*/false>(coordinates, linear_indices.data(),
                             linear_indices.size());
}
void BatchIndexMap::LinearIndicesUnchecked(
    absl::Span<const int32_t* const> coordinates,
    absl::Span<int32_t> linear_indices) const {
  Forward</*kChecks=*/false>(coordinates, linear_indices.data(),
                             linear_indices.size());
}

void BatchIndexMap::LinearIndicesOfRowsUnchecked(
    absl::Span<const int64_t> indices,
    absl::Span<int64_t> linear_indices) const {
  ForwardRows</*kChecks=*/false>(indices.data(), linear_indices.data(),
                                 linear_indices.size());
}
void BatchIndexMap::LinearIndicesOfRowsUnchecked(
    absl::Span<const int32_t> indices,
    absl::Span<int32_t> linear_indices) const {
  ForwardRows</*kChecks=*/false>(indices.data(), linear_indices.data(),
                                 linear_indices.size());
}

absl::Status BatchIndexMap::MultidimensionalIndices(
    absl::Span<const int64_t> linear_indices,
    absl::Span<int64_t* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  return CheckedMultidimensionalIndices(linear_indices, coordinates, kinds);
}
absl::Status BatchIndexMap::MultidimensionalIndices(
    absl::Span<const int32_t> linear_indices,
    absl::Span<int32_t* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  return CheckedMultidimensionalIndices(linear_indices, coordinates, kinds);
}

void BatchIndexMap::MultidimensionalIndicesUnchecked(
    absl::Span<const int64_t> linear_indices,
    absl::Span<int64_t* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  Inverse</*kChecks=*/false>(linear_indices.data(), coordinates, kinds.data(),
                             kinds.size());
}
void BatchIndexMap::MultidimensionalIndicesUnchecked(
    absl::Span<const int32_t> linear_indices,
    absl::Span<int32_t* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  Inverse</*kChecks=*/false>(linear_indices.data(), coordinates, kinds.data(),
                             kinds.size());
}

absl::Status BatchIndexMap::MultidimensionalIndicesAsRows(
    absl::Span<const int64_t> linear_indices, absl::Span<int64_t> indices,
    absl::Span<PositionKind> kinds) const {
  return CheckedMultidimensionalIndicesAsRows(linear_indices, indices, kinds);
}
absl::Status BatchIndexMap::MultidimensionalIndicesAsRows(
    absl::Span<const int32_t> linear_indices, absl::Span<int32_t> indices,
    absl::Span<PositionKind> kinds) const {
  return CheckedMultidimensionalIndicesAsRows(linear_indices, indices, kinds);
}

}  // namespace tessera
