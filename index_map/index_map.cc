// Three parts: deriving the compiled form from the structure, forward, inverse.
//
// The normal form is reached from the last source down to the dimensions: the
// terms of a later source, floor(v / D) of a sum v of pieces, are pushed down
// to its pieces wherever every multiplier is a multiple of D or divides it;
// what cannot be pushed down stays, and the source is computed at each call.

#include "tessera/index_map/index_map.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/index_map/gather_bits.h"
#include "tessera/math/checked_arithmetic.h"
#include "tessera/math/saturating_sum.h"

namespace tessera {
namespace {

// Values of all sources of one call; on the stack for any layout in use.
using SourceValues = absl::InlinedVector<int64_t, 32>;

// How many values a piece can have.
int64_t ValuesOf(const IndexMap::Piece& piece,
                 absl::Span<const IndexMap::Source> sources) {
  return piece.modulus != 0
             ? piece.modulus
             : CeilOfRatio(sources[piece.source].bound, piece.divisor);
}

// The terms of every source, while they are being brought into normal form.
class TermTable {
 public:
  explicit TermTable(const std::vector<IndexMap::Source>& sources)
      : sources_(sources), terms_(sources.size()) {}

  // Adds coefficient * (source div divisor).
  void AddQuotient(int32_t source, absl::optional<int64_t> divisor,
                   uint64_t coefficient) {
    // A quotient by the bound or more is 0.
    if (!divisor.has_value() || *divisor >= sources_[source].bound) return;
    for (IndexMap::Term& term : terms_[source]) {
      if (term.divisor == *divisor) {
        term.coefficient += coefficient;
        return;
      }
    }
    terms_[source].push_back({source, *divisor, coefficient});
  }

  // Adds coefficient * ((source div divisor) mod modulus), where modulus 0
  // means that no remainder is taken.
  void AddDigit(int32_t source, int64_t divisor, int64_t modulus,
                uint64_t coefficient) {
    AddQuotient(source, divisor, coefficient);
    if (modulus != 0) {
      AddQuotient(source, CheckedMultiply(divisor, modulus),
                  -coefficient * static_cast<uint64_t>(modulus));
    }
  }

  // Moves the terms of `source` to its pieces where that is exact.
  void PushDown(int32_t source) {
    std::vector<IndexMap::Term> kept;
    for (const IndexMap::Term& term : std::exchange(terms_[source], {})) {
      if (!PushDown(sources_[source], term)) kept.push_back(term);
    }
    terms_[source] = std::move(kept);
  }

  // What the offsets of sources add.
  uint64_t constant() const { return constant_; }

  std::vector<IndexMap::Term> Take() {
    std::vector<IndexMap::Term> all;
    for (std::vector<IndexMap::Term>& terms : terms_) {
      std::sort(terms.begin(), terms.end(),
                [](const IndexMap::Term& a, const IndexMap::Term& b) {
                  return a.divisor < b.divisor;
                });
      for (const IndexMap::Term& term : terms) {
        if (term.coefficient != 0) all.push_back(term);
      }
    }
    return all;
  }

 private:
  bool PushDown(const IndexMap::Source& source, const IndexMap::Term& term) {
    const absl::Span<const IndexMap::Piece> pieces = source.pieces;
    // The pieces that the division leaves whole; multipliers fall.
    size_t whole = 0;
    while (whole < pieces.size() &&
           pieces[whole].multiplier % term.divisor == 0) {
      ++whole;
    }
    if (whole < pieces.size() &&
        (source.offset != 0 || !AddCut(pieces.subspan(whole), term))) {
      return false;
    }
    for (const IndexMap::Piece& piece : pieces.subspan(0, whole)) {
      AddDigit(piece.source, piece.divisor, piece.modulus,
               term.coefficient *
                   static_cast<uint64_t>(piece.multiplier / term.divisor));
    }
    constant_ +=
        term.coefficient * static_cast<uint64_t>(source.offset / term.divisor);
    return true;
  }

  // Adds what the division of the sum of `pieces` leaves, if that is nothing or
  // a digit of the first; false if it is neither.
  bool AddCut(absl::Span<const IndexMap::Piece> pieces,
              const IndexMap::Term& term) {
    const absl::optional<int64_t> reach = ReachOf(pieces);
    if (reach.has_value() && *reach < term.divisor) return true;
    const IndexMap::Piece& piece = pieces.front();
    const absl::optional<int64_t> rest = ReachOf(pieces.subspan(1));
    if (!rest.has_value() || *rest >= piece.multiplier) return false;
    if (term.divisor % piece.multiplier != 0) return false;
    const int64_t divisor = term.divisor / piece.multiplier;
    if (piece.modulus % divisor != 0) return false;
    // ((x div D) mod M) div q = (x div D*q) mod (M/q) where q divides M.
    const absl::optional<int64_t> whole =
        CheckedMultiply(piece.divisor, divisor);
    if (whole.has_value()) {
      AddDigit(piece.source, *whole, piece.modulus / divisor, term.coefficient);
    }
    return true;
  }

  // The largest sum of `pieces`.
  absl::optional<int64_t> ReachOf(
      absl::Span<const IndexMap::Piece> pieces) const {
    absl::optional<int64_t> reach = 0;
    for (const IndexMap::Piece& piece : pieces) {
      const absl::optional<int64_t> more =
          CheckedMultiply(ValuesOf(piece, sources_) - 1, piece.multiplier);
      if (!more.has_value() || !reach.has_value()) return absl::nullopt;
      reach = CheckedAdd(*reach, *more);
    }
    return reach;
  }

  const std::vector<IndexMap::Source>& sources_;
  std::vector<std::vector<IndexMap::Term>> terms_;
  uint64_t constant_ = 0;
};

// A digit of a source, as a digit of the position or a piece of a later source
// tells it.
struct Reading {
  int64_t divisor;
  int64_t modulus;
  bool* repeats;
};

// Whether the digits of one mixed radix that reaches `bound` are among
// `readings`. Marks those that are not of it.
bool Cover(std::vector<Reading>& readings, int64_t bound) {
  std::stable_sort(readings.begin(), readings.end(),
                   [](const Reading& a, const Reading& b) {
                     return a.divisor != b.divisor ? a.divisor < b.divisor
                                                   : a.modulus > b.modulus;
                   });
  absl::optional<int64_t> reached = 1;
  for (const Reading& reading : readings) {
    *reading.repeats = false;
    if (reading.modulus == 1) continue;  // says nothing
    if (!reached.has_value() || *reached > reading.divisor) {
      *reading.repeats = true;
      continue;
    }
    if (reached != reading.divisor) return false;
    reached = CheckedMultiply(reading.divisor, reading.modulus);
  }
  return !reached.has_value() || *reached >= bound;
}

// Whether a value of `source`, whose pieces can be read off again, may be one
// that they do not make up, whatever their sources can count to.
bool HasGaps(const IndexMap::Source& source) {
  const auto& pieces = source.pieces;
  if (source.offset != 0) return true;
  if (pieces.empty()) return false;
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].modulus != 0 &&
        pieces[i - 1].multiplier != pieces[i].multiplier * pieces[i].modulus) {
      return true;
    }
  }
  return pieces.back().multiplier != 1;
}

int64_t LogarithmOfPowerOfTwo(int64_t value) {
  return __builtin_ctzll(static_cast<uint64_t>(value));
}

bool IsPowerOfTwo(int64_t value) { return (value & (value - 1)) == 0; }

}  // namespace

// -- Compilation -------------------------------------------------------------

void IndexMap::DropUnusedSources() {
  std::vector<bool> used(sources_.size());
  std::fill_n(used.begin(), bounds_.size(), true);
  for (const Digit& digit : digits_) used[digit.source] = true;
  for (size_t i = sources_.size(); i-- > bounds_.size();) {
    if (!used[i]) continue;
    for (const Piece& piece : sources_[i].pieces) used[piece.source] = true;
  }
  std::vector<Source> kept;
  std::vector<int32_t> number(sources_.size());
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (!used[i]) continue;
    number[i] = static_cast<int32_t>(kept.size());
    kept.push_back(std::move(sources_[i]));
    for (Piece& piece : kept.back().pieces) {
      piece.source = number[piece.source];
    }
  }
  sources_ = std::move(kept);
  for (Digit& digit : digits_) digit.source = number[digit.source];
}

IndexMap::Kind IndexMap::ClassifyKind() {
  has_repeats_ = false;
  if (element_count_ == 0) return Kind::kMixedRadix;
  std::vector<std::vector<Reading>> readings(sources_.size());
  for (Digit& digit : digits_) {
    readings[digit.source].push_back(
        {digit.divisor, digit.modulus, &digit.repeats});
  }
  // Everything that the pieces after it can make up lies below a multiplier.
  bool contiguous = base_ == 0;
  for (Source& source : sources_) {
    int64_t reach = 0;
    for (size_t i = source.pieces.size(); i-- > 0;) {
      Piece& piece = source.pieces[i];
      const int64_t values = ValuesOf(piece, sources_);
      readings[piece.source].push_back({piece.divisor, values, &piece.repeats});
      if (piece.multiplier <= reach) return Kind::kGeneral;
      // What the major-most piece counts up to does not matter.
      if (i > 0) reach += (values - 1) * piece.multiplier;
    }
    contiguous = contiguous && !HasGaps(source);
  }
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (!Cover(readings[i], sources_[i].bound)) return Kind::kGeneral;
    for (const Reading& reading : readings[i]) {
      has_repeats_ = has_repeats_ || *reading.repeats;
    }
  }
  contiguous = contiguous && !has_repeats_;
  // And everything that the digits after it can, below a stride.
  int64_t reach = 0;
  for (size_t i = digits_.size(); i-- > 0;) {
    if (digits_[i].stride <= reach) return Kind::kGeneral;
    contiguous = contiguous && digits_[i].stride == reach + 1;
    reach += (digits_[i].modulus - 1) * digits_[i].stride;
  }
  return contiguous && tail_begin_ == reach + 1 ? Kind::kMixedRadix
                                                : Kind::kInjective;
}

std::vector<IndexMap::Term> IndexMap::NormalForm() {
  forward_base_ = base_;
  if (element_count_ == 0) return {};
  TermTable table(sources_);
  for (const Digit& digit : digits_) {
    table.AddDigit(digit.source, digit.divisor, digit.modulus,
                   static_cast<uint64_t>(digit.stride));
  }
  for (size_t i = sources_.size(); i-- > bounds_.size();) {
    table.PushDown(static_cast<int32_t>(i));
  }
  forward_base_ += table.constant();
  return table.Take();
}

void IndexMap::Compile() { CompileFor(CanGatherBits()); }

void IndexMap::CompileFor(bool can_gather_bits) {
  CompileDigitsFor(can_gather_bits);
  unswizzled_linear_index_ = linear_index_;
  unswizzled_multidimensional_index_ = multidimensional_index_;
  if (!is_swizzled()) return;
  linear_index_ = SwizzledLinearIndex;
  multidimensional_index_ = SwizzledMultidimensionalIndex;
}

void IndexMap::ListComputedSources() {
  computed_sources_.clear();
  computed_pieces_.clear();
  computed_terms_.clear();
  std::vector<bool> needed(sources_.size());
  for (const Term& term : terms_) needed[term.source] = true;
  for (size_t i = sources_.size(); i-- > bounds_.size();) {
    if (!needed[i]) continue;
    for (const Piece& piece : sources_[i].pieces) needed[piece.source] = true;
  }
  std::vector<uint32_t> place(sources_.size());
  std::iota(place.begin(), place.begin() + bounds_.size(), 0);
  size_t term = 0;
  for (size_t i = bounds_.size(); i < sources_.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = static_cast<uint32_t>(bounds_.size() + computed_sources_.size());
    const Source& source = sources_[i];
    ComputedSource computed = {static_cast<uint64_t>(source.offset),
                               static_cast<uint32_t>(source.pieces.size()), 0};
    for (const Piece& piece : source.pieces) {
      const bool is_whole = piece.divisor == 1 && piece.modulus == 0;
      computed_pieces_.push_back(
          {FastDivider(piece.divisor),
           FastDivider(std::max<int64_t>(1, piece.modulus)),
           static_cast<uint64_t>(piece.modulus),
           static_cast<uint64_t>(piece.multiplier), place[piece.source],
           is_whole});
    }
    // Terms are sorted by source.
    while (term < terms_.size() &&
           terms_[term].source < static_cast<int32_t>(i)) {
      ++term;
    }
    for (;
         term < terms_.size() && terms_[term].source == static_cast<int32_t>(i);
         ++term) {
      computed_terms_.push_back({FastDivider(terms_[term].divisor), place[i],
                                 terms_[term].coefficient});
      ++computed.terms;
    }
    computed_sources_.push_back(computed);
  }

  sum_weights_.clear();
  if (computed_sources_.size() != 1) return;
  sum_weights_.assign(bounds_.size(), 0);
  for (const ComputedPiece& piece : computed_pieces_) {
    if (!piece.is_whole) {
      sum_weights_.clear();
      return;
    }
    sum_weights_[piece.source] += piece.multiplier;
  }
}

void IndexMap::CompileDigitsFor(bool can_gather_bits) {
  kind_ = ClassifyKind();
  terms_ = NormalForm();

  ListComputedSources();
  scattered_bits_.clear();
  shift_terms_.clear();
  divide_terms_.clear();
  const bool computes_sources = !computed_sources_.empty();
  if (can_gather_bits) {
    ScatterBits();
    linear_index_ = ScatteringForm();
  } else {
    for (const Term& term : terms_) {
      if (term.source >= rank()) continue;
      const uint32_t source = static_cast<uint32_t>(term.source);
      if (IsPowerOfTwo(term.divisor)) {
        shift_terms_.push_back(
            {source, static_cast<uint32_t>(LogarithmOfPowerOfTwo(term.divisor)),
             term.coefficient});
      } else {
        divide_terms_.push_back(
            {FastDivider(term.divisor), source, term.coefficient});
      }
    }
    linear_index_ = computes_sources        ? GeneralLinearIndex
                    : divide_terms_.empty() ? ShiftingForm(shift_terms_.size())
                                            : SumOfTerms;
  }

  multidimensional_index_ = GeneralMultidimensionalIndex;
  inverse_digits_.clear();
  gathered_bits_.clear();
  loose_digits_.clear();
  bound_checks_.clear();
  if (kind_ == Kind::kGeneral || element_count_ == 0) return;
  std::vector<absl::optional<int64_t>> counted(sources_.size(), 1);
  for (const Digit& digit : digits_) {
    // A digit that repeats others adds nothing to its source.
    const uint64_t divisor =
        digit.repeats ? 0 : static_cast<uint64_t>(digit.divisor);
    inverse_digits_.push_back({FastDivider(digit.stride),
                               static_cast<uint64_t>(digit.modulus),
                               static_cast<uint64_t>(digit.stride), divisor,
                               static_cast<uint32_t>(digit.source)});
    absl::optional<int64_t>& count = counted[digit.source];
    if (count.has_value()) count = CheckedMultiply(*count, digit.modulus);
  }
  for (size_t i = 0; i < bounds_.size(); ++i) {
    if (counted[i] != bounds_[i]) {
      bound_checks_.push_back(
          {static_cast<uint32_t>(i), static_cast<uint64_t>(bounds_[i])});
    }
  }
  const bool is_direct =
      kind_ == Kind::kMixedRadix && sources_.size() == bounds_.size();
  if (!is_direct) return;
  if (can_gather_bits) {
    GatherBits();
    multidimensional_index_ = GatheringForm(bounds_.size());
  } else {
    multidimensional_index_ = PortableMultidimensionalIndex;
  }
}

// -- Forward -----------------------------------------------------------------

absl::Status IndexMap::CheckIndex(absl::Span<const int64_t> index) const {
  if (index.size() != bounds_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the index has ", index.size(), " entries but the array ",
                     bounds_.size(), " dimensions"));
  }
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= bounds_[i]) {
      return absl::OutOfRangeError(absl::StrCat(
          "index[", i, "] = ", index[i], " is outside [0, ", bounds_[i], ")"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> IndexMap::LinearIndex(
    absl::Span<const int64_t> index) const {
  if (absl::Status status = CheckIndex(index); !status.ok()) return status;
  return LinearIndexUnchecked(index);
}

int64_t IndexMap::SumOfTerms(const IndexMap& map, const int64_t* x) {
  uint64_t sum = map.forward_base_;
  for (const ShiftTerm& term : map.shift_terms_) {
    sum += (static_cast<uint64_t>(x[term.source]) >> term.shift) *
           term.coefficient;
  }
  for (const DivideTerm& term : map.divide_terms_) {
    sum += static_cast<uint64_t>(term.divider.Divide(x[term.source])) *
           term.coefficient;
  }
  return static_cast<int64_t>(sum);
}

template <int kTerms>
int64_t IndexMap::ShiftingLinearIndex(const IndexMap& map, const int64_t* x) {
  const ShiftTerm* const terms = map.shift_terms_.data();
  uint64_t sum = map.forward_base_;
#pragma GCC unroll 8
  for (int i = 0; i < kTerms; ++i) {
    sum += (static_cast<uint64_t>(x[terms[i].source]) >> terms[i].shift) *
           terms[i].coefficient;
  }
  return static_cast<int64_t>(sum);
}

IndexMap::LinearIndexForm IndexMap::ShiftingForm(size_t terms) {
  static constexpr LinearIndexForm kForms[] = {
      ShiftingLinearIndex<0>, ShiftingLinearIndex<1>, ShiftingLinearIndex<2>,
      ShiftingLinearIndex<3>, ShiftingLinearIndex<4>, ShiftingLinearIndex<5>,
      ShiftingLinearIndex<6>, ShiftingLinearIndex<7>, ShiftingLinearIndex<8>};
  return terms < std::size(kForms) ? kForms[terms] : SumOfTerms;
}

uint64_t IndexMap::SumOfComputed(const int64_t* x) const {
  constexpr size_t kFew = 16;
  int64_t few[kFew];
  std::vector<int64_t> many;
  int64_t* values = few;
  if (computed_sources_.size() > kFew) {
    many.resize(computed_sources_.size());
    values = many.data();
  }
  const uint32_t dimensions = static_cast<uint32_t>(bounds_.size());
  const ComputedPiece* piece = computed_pieces_.data();
  const DivideTerm* term = computed_terms_.data();
  uint64_t sum = 0;
  for (size_t i = 0; i < computed_sources_.size(); ++i) {
    const ComputedSource& source = computed_sources_[i];
    uint64_t value = source.offset;
    for (uint32_t j = 0; j < source.pieces; ++j, ++piece) {
      int64_t digit = piece->source < dimensions
                          ? x[piece->source]
                          : values[piece->source - dimensions];
      if (!piece->is_whole) {
        digit = piece->divider.Divide(digit);
        if (piece->modulus != 0) {
          digit -= piece->by_modulus.Divide(digit) * piece->modulus;
        }
      }
      value += static_cast<uint64_t>(digit) * piece->multiplier;
    }
    values[i] = static_cast<int64_t>(value);
    for (uint32_t j = 0; j < source.terms; ++j, ++term) {
      sum += static_cast<uint64_t>(term->divider.Divide(values[i])) *
             term->coefficient;
    }
  }
  return sum;
}

int64_t IndexMap::GeneralLinearIndex(const IndexMap& map, const int64_t* x) {
  return static_cast<int64_t>(static_cast<uint64_t>(SumOfTerms(map, x)) +
                              map.SumOfComputed(x));
}

// -- Inverse -----------------------------------------------------------------

absl::Status IndexMap::CheckInverse(int64_t linear_index) const {
  if (kind_ == Kind::kGeneral) {
    return absl::FailedPreconditionError(
        "the map has no unique inverse: a coordinate does not reach the "
        "position or reaches it twice, or strides overlap");
  }
  if (linear_index < 0 || linear_index >= position_count_) {
    return absl::OutOfRangeError(absl::StrCat("linear index ", linear_index,
                                              " is outside [0, ",
                                              position_count_, ")"));
  }
  return absl::OkStatus();
}

absl::StatusOr<PositionKind> IndexMap::MultidimensionalIndex(
    int64_t linear_index, absl::Span<int64_t> index) const {
  if (absl::Status status = CheckInverse(linear_index); !status.ok()) {
    return status;
  }
  if (index.size() != bounds_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("room for ", index.size(), " entries, but the array has ",
                     bounds_.size(), " dimensions"));
  }
  return MultidimensionalIndexUnchecked(linear_index, index);
}

PositionKind IndexMap::PortableMultidimensionalIndex(const IndexMap& map,
                                                     int64_t linear_index,
                                                     int64_t* x) {
  if (linear_index >= map.tail_begin_) return PositionKind::kTail;
  std::fill_n(x, map.rank(), 0);
  uint64_t more_major = 0;
  for (const InverseDigit& digit : map.inverse_digits_) {
    const uint64_t quotient =
        static_cast<uint64_t>(digit.by_stride.Divide(linear_index));
    x[digit.source] += (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return map.IsWithinBounds(x) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

bool IndexMap::ReadDigits(int64_t linear_index,
                          absl::Span<int64_t> values) const {
  int64_t rest = linear_index - base_;
  if (rest < 0) return false;
  for (const InverseDigit& digit : inverse_digits_) {
    const int64_t quotient = digit.by_stride.Divide(rest);
    if (static_cast<uint64_t>(quotient) >= digit.modulus) return false;
    rest -= quotient * digit.stride;
    values[digit.source] += quotient * digit.divisor;
  }
  return rest == 0;
}

bool IndexMap::ReadPieces(const Source& source, int64_t value,
                          absl::Span<int64_t> values) {
  int64_t rest = value - source.offset;
  if (rest < 0) return false;
  for (const Piece& piece : source.pieces) {
    const int64_t digit = rest / piece.multiplier;
    if (piece.modulus != 0 && digit >= piece.modulus) return false;
    if (!piece.repeats) values[piece.source] += digit * piece.divisor;
    rest -= digit * piece.multiplier;
  }
  return rest == 0;
}

PositionKind IndexMap::GeneralMultidimensionalIndex(const IndexMap& map,
                                                    int64_t linear_index,
                                                    int64_t* x) {
  if (linear_index >= map.tail_begin_) return PositionKind::kTail;
  SourceValues values(map.sources_.size());
  if (!map.ReadDigits(linear_index, absl::MakeSpan(values))) {
    return PositionKind::kGap;
  }
  const size_t rank = map.bounds_.size();
  bool is_gap = false;
  for (size_t i = map.sources_.size(); i-- > 0;) {
    const Source& source = map.sources_[i];
    if (values[i] >= source.bound) return PositionKind::kPadding;
    is_gap |=
        i >= rank && !ReadPieces(source, values[i], absl::MakeSpan(values));
  }
  if (is_gap) return PositionKind::kGap;
  std::copy_n(values.begin(), rank, x);
  // What repeats a dimension must say the same of it.
  return map.has_repeats_ &&
                 map.unswizzled_linear_index_(map, x) != linear_index
             ? PositionKind::kGap
             : PositionKind::kElement;
}

std::vector<std::vector<int64_t>> IndexMap::DimensionsOfSources() const {
  std::vector<std::vector<int64_t>> dimensions(sources_.size());
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (i < bounds_.size()) dimensions[i].push_back(i);
    for (const Piece& piece : sources_[i].pieces) {
      const std::vector<int64_t>& more = dimensions[piece.source];
      dimensions[i].insert(dimensions[i].end(), more.begin(), more.end());
    }
    std::sort(dimensions[i].begin(), dimensions[i].end());
    dimensions[i].erase(std::unique(dimensions[i].begin(), dimensions[i].end()),
                        dimensions[i].end());
  }
  return dimensions;
}

absl::StatusOr<std::vector<IndexMap::FailedBound>> IndexMap::FailedBounds(
    int64_t linear_index) const {
  if (absl::Status status = CheckInverse(linear_index); !status.ok()) {
    return status;
  }
  std::vector<FailedBound> failed;
  SourceValues values(sources_.size());
  if (linear_index >= tail_begin_ ||
      !ReadDigits(swizzle_.Apply(linear_index), absl::MakeSpan(values))) {
    return failed;
  }
  const std::vector<std::vector<int64_t>> dimensions = DimensionsOfSources();
  for (size_t i = sources_.size(); i-- > 0;) {
    if (values[i] >= sources_[i].bound) {
      failed.push_back(
          {dimensions[i], values[i], sources_[i].bound, sources_[i].name});
    } else if (i >= bounds_.size()) {
      // Only here: what a source is made of is not to blame a second time.
      ReadPieces(sources_[i], values[i], absl::MakeSpan(values));
    }
  }
  std::reverse(failed.begin(), failed.end());
  return failed;
}

// -- Sizes and units ---------------------------------------------------------

std::vector<IndexMap::DimensionPadding> IndexMap::PaddingByDimension() const {
  // Sources that flow into one another make one group, named by its first.
  std::vector<size_t> group(sources_.size());
  for (size_t i = 0; i < group.size(); ++i) group[i] = i;
  auto find = [&group](size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (size_t i = 0; i < sources_.size(); ++i) {
    for (const Piece& piece : sources_[i].pieces) {
      const size_t a = find(i), b = find(piece.source);
      group[std::max(a, b)] = std::min(a, b);
    }
  }

  std::vector<DimensionPadding> by_group(sources_.size());
  // Products of what there are elements of fit; those of nothing need not.
  bool is_saturated = false;
  for (size_t i = 0; i < bounds_.size(); ++i) {
    DimensionPadding& padding = by_group[find(i)];
    padding.dimensions.push_back(i);
    padding.bound =
        SaturatingMultiply(padding.bound, bounds_[i], &is_saturated);
  }
  for (const Digit& digit : digits_) {
    int64_t& padded = by_group[find(digit.source)].padded;
    padded = SaturatingMultiply(padded, digit.modulus, &is_saturated);
  }
  std::vector<DimensionPadding> result;
  for (size_t i = 0; i < sources_.size(); ++i) {
    const bool stands_for_group = find(i) == i;
    if (stands_for_group &&
        (i < bounds_.size() || by_group[i].padded != by_group[i].bound)) {
      result.push_back(std::move(by_group[i]));
    }
  }
  return result;
}

absl::StatusOr<IndexMap> IndexMap::Scaled(int64_t factor,
                                          int64_t offset) const {
  const absl::optional<int64_t> scaled =
      CheckedMultiply(position_count_, factor);
  if (!scaled.has_value() || !CheckedAdd(*scaled, offset).has_value()) {
    return absl::OutOfRangeError(absl::StrCat(position_count_, " positions of ",
                                              factor, " after ", offset,
                                              " exceed 2^63-1"));
  }
  IndexMap map = *this;
  if (is_swizzled()) {
    if (!IsPowerOfTwo(factor)) {
      return absl::UnimplementedError(absl::StrCat(
          "the bits of swizzled positions do not stay together in units of 1/",
          factor, ", which is no power of two"));
    }
    map.swizzle_.base += LogarithmOfPowerOfTwo(factor);
    // The positions times `factor` have only zeros where such a remainder has
    // ones, so that nothing carries into the bits that the swizzle is about.
    const uint64_t period = uint64_t{1} << map.swizzle_.end();
    if (static_cast<uint64_t>(offset) % period >=
        static_cast<uint64_t>(factor)) {
      return absl::UnimplementedError(absl::StrCat(
          "after an offset of ", offset, " swizzled positions are only ",
          "swizzled if it leaves less than ", factor, " divided by ", period));
    }
  }
  for (Digit& digit : map.digits_) digit.stride *= factor;
  map.base_ = base_ * factor + offset;
  map.tail_begin_ = tail_begin_ * factor + offset;
  map.position_count_ = position_count_ * factor + offset;
  map.Compile();
  return map;
}

std::string IndexMap::ToString() const {
  auto name = [this](int32_t source) {
    return source < rank() ? absl::StrCat("i", source)
                           : absl::StrCat("j", source - rank());
  };
  // modulus 0: no remainder.
  auto digit_text = [&name](int64_t multiplier, int32_t source, int64_t divisor,
                            int64_t modulus) {
    std::string text = name(source);
    if (divisor != 1) absl::StrAppend(&text, " div ", divisor);
    if (modulus != 0) absl::StrAppend(&text, " mod ", modulus);
    if (divisor != 1 || modulus != 0) text = absl::StrCat("(", text, ")");
    return multiplier == 1 ? text : absl::StrCat(multiplier, "*", text);
  };
  std::vector<std::string> sum;
  if (base_ != 0 || digits_.empty()) sum.push_back(absl::StrCat(base_));
  for (const Digit& digit : digits_) {
    const bool counts_on = CheckedMultiply(digit.divisor, digit.modulus)
                               .value_or(std::numeric_limits<int64_t>::max()) >=
                           sources_[digit.source].bound;
    sum.push_back(digit_text(digit.stride, digit.source, digit.divisor,
                             counts_on ? 0 : digit.modulus));
  }
  std::string text = absl::StrCat("[", absl::StrJoin(bounds_, ","), "] -> [0,",
                                  position_count_, "): ");
  if (is_swizzled()) {
    absl::StrAppend(&text, "p ^ ((p & 0x", absl::Hex(swizzle_.mask()), ") ",
                    swizzle_.shift > 0 ? ">> " : "<< ",
                    std::abs(swizzle_.shift), "), p = ");
  }
  absl::StrAppend(&text, absl::StrJoin(sum, " + "));
  for (size_t i = bounds_.size(); i < sources_.size(); ++i) {
    std::vector<std::string> pieces;
    for (const Piece& piece : sources_[i].pieces) {
      pieces.push_back(digit_text(piece.multiplier, piece.source, piece.divisor,
                                  piece.modulus));
    }
    if (sources_[i].offset != 0 || pieces.empty()) {
      pieces.push_back(absl::StrCat(sources_[i].offset));
    }
    absl::StrAppend(&text, ", ", name(static_cast<int32_t>(i)), " = ",
                    absl::StrJoin(pieces, " + "));
  }
  return text;
}

}  // namespace tessera
