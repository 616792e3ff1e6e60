#include <cstdint>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/derivation.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {
namespace {

// Writes how a digit is computed from a coordinate, and returns it.
int64_t FillDigit(int64_t source, int64_t rank, int64_t value, int64_t divisor,
                  int64_t modulus, DigitOf* digit) {
  if (source < rank) {
    digit->mutable_coordinate()->set_dimension(source);
  } else {
    digit->mutable_coordinate()->set_computed(source - rank);
  }
  const int64_t quotient = value / divisor;
  digit->set_value(value);
  digit->set_divisor(divisor);
  digit->set_modulus(modulus);
  digit->set_digit(modulus == 0 ? quotient : quotient % modulus);
  return digit->digit();
}

// Returns the values of all coordinates, the dimensions first. Writes the
// computed ones to the answer.
std::vector<int64_t> ComputeCoordinates(const IndexMap& map,
                                        absl::Span<const int64_t> index,
                                        ExplainResult* result) {
  const int64_t rank = map.rank();
  std::vector<int64_t> values(index.begin(), index.end());
  for (const IndexMap::Source& source : map.sources().subspan(rank)) {
    ComputedCoordinate& computed = *result->add_computed();
    int64_t value = source.offset;
    for (const IndexMap::Piece& piece : source.pieces) {
      DigitPiece& added = *computed.add_pieces();
      added.set_multiplier(piece.multiplier);
      value += piece.multiplier *
               FillDigit(piece.source, rank, values[piece.source],
                         piece.divisor, piece.modulus, added.mutable_digit());
    }
    computed.set_offset(source.offset);
    computed.set_value(value);
    values.push_back(value);
  }
  return values;
}

void FillIndex(const BoundedIndex& from, IndexWithinBounds* to) {
  SetNumbers(from.index, to->mutable_index());
  SetNumbers(from.bounds, to->mutable_bounds());
}

void FillTiling(const Derivation& derivation, TilingDerivation* tiling) {
  FillIndex(derivation.physical, tiling->mutable_physical());
  for (const TileDerivation& tile : derivation.tiles) {
    TileStep& step = *tiling->add_tiles();
    step.set_tile(tile.tile.ToString());
    FillIndex(tile.tiled, step.mutable_tiled());
    SetNumbers(tile.divisors, step.mutable_divisors());
    FillIndex(tile.expanded, step.mutable_expanded());
  }
}

// The swizzle with the name that it has in the text of a CuTe layout, in the
// unit of the map. The map's swizzle has only the bits that positions have.
IndexMap::BitSwizzle SwizzleAsTyped(const MappedLayout& layout) {
  IndexMap::BitSwizzle swizzle = layout.map().swizzle();
  const auto* cute = layout.layout().As<CuteLayout>();
  const auto* composed = cute == nullptr
                             ? nullptr
                             : std::get_if<cute::ComposedLayout>(&cute->form);
  const auto* typed = composed == nullptr
                          ? nullptr
                          : std::get_if<cute::Swizzle>(&composed->outer());
  if (typed == nullptr) return swizzle;
  swizzle.bits = typed->bits();
  swizzle.base = typed->base();
  if (layout.unit() == PositionUnit::kElements) return swizzle;
  const bool is_bytes = layout.unit() == PositionUnit::kBytes;
  for (int64_t size = is_bytes ? 8 : 1; size < cute->element_bits; size *= 2) {
    ++swizzle.base;
  }
  return swizzle;
}

}  // namespace

absl::Status AnswerExplain(const ServiceOptions& options,
                           const ExplainRequest& question,
                           ExplainResult* result) {
  const absl::StatusOr<MappedLayout> layout = ReadMappedLayout(
      question.layout(), question.units(), options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());
  return AnswerExplain(*layout, question, result);
}

absl::Status AnswerExplain(const MappedLayout& layout,
                           const ExplainRequest& question,
                           ExplainResult* result) {
  const IndexMap& map = layout.map();
  const absl::StatusOr<int64_t> position = map.LinearIndex(question.index());
  if (!position.ok()) return InField("index", position.status());

  result->set_linear_index(*position);
  const std::vector<int64_t> values =
      ComputeCoordinates(map, question.index(), result);
  result->set_base(map.base());
  for (const IndexMap::Digit& digit : map.digits()) {
    DigitStep& step = *result->add_digits();
    step.set_stride(digit.stride);
    FillDigit(digit.source, map.rank(), values[digit.source], digit.divisor,
              digit.modulus, step.mutable_digit());
  }
  if (map.is_swizzled()) {
    SwizzleStep& step = *result->mutable_swizzle();
    const IndexMap::BitSwizzle swizzle = SwizzleAsTyped(layout);
    // A swizzle is its own inverse.
    step.set_before(map.swizzle().Apply(*position));
    step.set_bits(swizzle.bits);
    step.set_base(swizzle.base);
    step.set_shift(swizzle.shift);
  }
  if (layout.shape() == nullptr || question.units() != ELEMENTS) {
    return absl::OkStatus();
  }
  TESSERA_ASSIGN_OR_RETURN(
      const Derivation derivation,
      DeriveLinearIndex(*layout.shape(), question.index()));
  FillTiling(derivation, result->mutable_tiling());
  return absl::OkStatus();
}

}  // namespace tessera
