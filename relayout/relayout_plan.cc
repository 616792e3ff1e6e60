// This file has three parts: the conversion of nests to steps with kernels, the
// execution of steps, and walks by element for layouts without nests.

#include "tessera/relayout/relayout_plan.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/byte_count.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/counted.h"
#include "tessera/index_map/algebra.h"

namespace tessera {
namespace {

constexpr int64_t kBitsPerByte = 8;

absl::Status CheckPermutation(const IndexMap& from, const IndexMap& to,
                              absl::Span<const int64_t> to_dimensions,
                              bool has_box) {
  const int64_t rank = from.rank();
  absl::InlinedVector<bool, 8> seen(rank);
  bool is_good =
      to.rank() == rank && static_cast<int64_t>(to_dimensions.size()) == rank;
  for (int64_t i = 0; is_good && i < rank; ++i) {
    const int64_t dimension = to_dimensions[i];
    is_good = dimension >= 0 && dimension < rank && !seen[dimension] &&
              (has_box || from.bounds()[i] == to.bounds()[dimension]);
    if (is_good) seen[dimension] = true;
  }
  if (is_good) return absl::OkStatus();
  return InvalidArgumentError(
      "[", absl::StrJoin(from.bounds(), ","), "] does not become [",
      absl::StrJoin(to.bounds(), ","), "] with dimensions in the order [",
      absl::StrJoin(to_dimensions, ","), "]");
}

absl::Status CheckIsWithin(std::string_view name,
                           absl::Span<const int64_t> bounds,
                           absl::Span<const int64_t> begins,
                           absl::Span<const int64_t> extents) {
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (begins[i] < 0 || extents[i] < 0 || begins[i] > bounds[i] ||
        extents[i] > bounds[i] - begins[i]) {
      return OutOfRangeError("the box takes ", extents[i], " from ", begins[i],
                             " on of dimension ", i, " of ", name,
                             ", which is [0, ", bounds[i], ")");
    }
  }
  return absl::OkStatus();
}

// Returns the box of the options, with defaults filled in.
absl::StatusOr<CommonBox> BoxOf(const IndexMap& from, const IndexMap& to,
                                const RelayoutOptions& options) {
  CommonBox box = CommonBox::Whole(from);
  if (!options.to_dimensions.empty()) {
    box.to_dimensions.assign(options.to_dimensions.begin(),
                             options.to_dimensions.end());
  }
  TESSERA_RETURN_IF_ERROR(
      CheckPermutation(from, to, box.to_dimensions, options.has_box()));
  if (!options.has_box()) return box;
  const auto fill_in = [&](std::string_view name,
                           const std::vector<int64_t>& given,
                           CommonBox::Numbers* numbers) {
    if (given.empty()) return absl::OkStatus();
    if (given.size() != numbers->size()) {
      return InvalidArgumentError(
          name, " have ", Counted(given.size(), "entry", "entries"),
          ", but the array has ", Counted(numbers->size(), "dimension"));
    }
    numbers->assign(given.begin(), given.end());
    return absl::OkStatus();
  };
  absl::Status status =
      fill_in("the begins in from", options.from_begins, &box.from_begins);
  status.Update(fill_in("the begins in to", options.to_begins, &box.to_begins));
  status.Update(fill_in("the extents", options.extents, &box.extents));
  if (!status.ok()) return status;
  status.Update(
      CheckIsWithin("from", from.bounds(), box.from_begins, box.extents));
  status.Update(
      CheckIsWithin("to", to.bounds(), box.to_begins, box.to_extents()));
  if (!status.ok()) return status;
  return box;
}

absl::StatusOr<int64_t> BytesOf(int64_t count, std::string_view of_what,
                                int64_t element_bits) {
  const std::optional<int64_t> bytes = CheckedByteCount(count, element_bits);
  if (bytes.has_value()) return *bytes;
  return OutOfRangeError(count, " ", of_what, " of ", element_bits,
                         " bits exceed 2^63-1 bytes");
}

// Combines elements of less than a byte into bytes, if no loop splits a byte.
bool PackIntoBytes(int64_t elements_per_byte, LoopNest* nest) {
  if (elements_per_byte == 1) return true;
  if (nest->from_base % elements_per_byte != 0 ||
      nest->to_base % elements_per_byte != 0 || nest->loops.empty()) {
    return false;
  }
  Loop& minor = nest->loops.back();
  if (minor.from_stride != 1 || minor.to_stride != 1 ||
      minor.extent % elements_per_byte != 0) {
    return false;
  }
  nest->from_base /= elements_per_byte;
  nest->to_base /= elements_per_byte;
  minor.extent /= elements_per_byte;
  for (size_t i = 0; i + 1 < nest->loops.size(); ++i) {
    Loop& loop = nest->loops[i];
    if (loop.from_stride % elements_per_byte != 0 ||
        loop.to_stride % elements_per_byte != 0) {
      return false;
    }
    loop.from_stride /= elements_per_byte;
    loop.to_stride /= elements_per_byte;
  }
  return true;
}

bool PackIntoBytes(int64_t elements_per_byte, LoopNests* nests) {
  for (LoopNest& nest : *nests) {
    if (!PackIntoBytes(elements_per_byte, &nest)) return false;
  }
  return true;
}

// Returns the part of [0, extent) that belongs to a piece.
std::pair<int64_t, int64_t> Share(int64_t extent, int64_t piece,
                                  int64_t pieces) {
  const int64_t whole = extent / pieces, rest = extent % pieces;
  const int64_t begin = whole * piece + std::min(piece, rest);
  return {begin, begin + whole + (piece < rest ? 1 : 0)};
}

// Calls `body` with the offsets of every combination of the loops' values.
template <typename Body>
void ForEach(absl::Span<const Loop> loops, const uint8_t* from, uint8_t* to,
             const Body& body) {
  absl::InlinedVector<int64_t, 8> index(loops.size(), 0);
  while (true) {
    body(from, to);
    size_t i = loops.size();
    for (; i > 0; --i) {
      const Loop& loop = loops[i - 1];
      if (++index[i - 1] < loop.extent) {
        from += loop.from_stride;
        to += loop.to_stride;
        break;
      }
      index[i - 1] = 0;
      from -= (loop.extent - 1) * loop.from_stride;
      to -= (loop.extent - 1) * loop.to_stride;
    }
    if (i == 0) return;
  }
}

// The loop of most values, or -1 if there is none.
int64_t LongestLoop(absl::Span<const Loop> loops) {
  int64_t longest = -1;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (longest < 0 || loops[i].extent > loops[longest].extent) {
      longest = static_cast<int64_t>(i);
    }
  }
  return longest;
}

void CopyBits(const uint8_t* from, int64_t from_position, uint8_t* to,
              int64_t to_position, int64_t bits) {
  const int64_t from_bit = from_position * bits, to_bit = to_position * bits;
  const uint8_t mask = static_cast<uint8_t>((1 << bits) - 1);
  const uint8_t value =
      (from[from_bit / kBitsPerByte] >> (from_bit % kBitsPerByte)) & mask;
  uint8_t& byte = to[to_bit / kBitsPerByte];
  const int shift = static_cast<int>(to_bit % kBitsPerByte);
  byte = static_cast<uint8_t>((byte & ~(mask << shift)) | (value << shift));
}

void CopyElement(const uint8_t* from, int64_t from_position, uint8_t* to,
                 int64_t to_position, int64_t bits) {
  if (bits < kBitsPerByte) {
    CopyBits(from, from_position, to, to_position, bits);
    return;
  }
  const int64_t bytes = bits / kBitsPerByte;
  std::memcpy(to + to_position * bytes, from + from_position * bytes, bytes);
}

}  // namespace

// -- From nests to steps -----------------------------------------------------

RelayoutPlan::Step RelayoutPlan::MakeStep(const LoopNest& nest,
                                          int64_t element_bytes) const {
  Step step;
  step.from_base = nest.from_base * element_bytes;
  step.to_base = nest.to_base * element_bytes;
  for (const Loop& loop : nest.loops) {
    step.loops.push_back({loop.extent, loop.from_stride * element_bytes,
                          loop.to_stride * element_bytes});
  }
  auto& loops = step.loops;
  // A run in both layouts. The loop that continues it need not be the last, if
  // elements share positions.
  int64_t run = element_bytes;
  while (true) {
    const auto next =
        std::find_if(loops.begin(), loops.end(), [run](const Loop& loop) {
          return loop.from_stride == run && loop.to_stride == run;
        });
    if (next == loops.end()) break;
    run *= next->extent;
    loops.erase(next);
  }
  // Loops are sorted by their order of execution. Streamed stores make the
  // order of reading independent of the order of writing.
  if (streams_) {
    std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
      return std::make_pair(a.from_stride, a.to_stride) >
             std::make_pair(b.from_stride, b.to_stride);
    });
  }
  const auto next_in_to =
      std::find_if(loops.begin(), loops.end(),
                   [run](const Loop& loop) { return loop.to_stride == run; });
  const auto next_in_from =
      std::find_if(loops.begin(), loops.end(),
                   [run](const Loop& loop) { return loop.from_stride == run; });
  step.element_bytes = run;
  step.block.stream = streams_;
  const bool is_block =
      (run == 1 || run == 2 || run == 4 || run == 8 || run == 16) &&
      next_in_to != loops.end() && next_in_from != loops.end();
  if (is_block) {
    const Loop rows = *next_in_to, columns = *next_in_from;
    step.block.rows = rows.extent;
    step.block.columns = columns.extent;
    step.block.from_row_step = rows.from_stride;
    step.block.to_column_step = columns.to_stride;
    loops.erase(std::remove_if(loops.begin(), loops.end(),
                               [&](const Loop& loop) {
                                 return loop == rows || loop == columns;
                               }),
                loops.end());
    step.move = Move::kTranspose;
    if (columns.to_stride == rows.extent * run) {
      step.kernel = InterleaveKernel(run, rows.extent);
      step.move = Move::kInterleave;
    }
    if (step.kernel == nullptr && rows.from_stride == columns.extent * run) {
      step.kernel = DeinterleaveKernel(run, columns.extent);
      step.move = Move::kDeinterleave;
    }
    if (step.kernel == nullptr) {
      step.kernel = TransposeKernel(run);
      step.move = Move::kTranspose;
    }
  } else {
    step.block.columns = run;
    step.kernel = CopyKernel();
  }
  if (step.move == Move::kTranspose) {
    // Repeats that continue the rows or the columns join them into one block.
    const KernelArguments& block = step.block;
    const auto goes_on =
        std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) {
          return loop.to_stride == block.rows * run ||
                 loop.from_stride == block.columns * run;
        });
    if (goes_on != loops.end()) std::rotate(goes_on, goes_on + 1, loops.end());
  }
  if (!loops.empty()) {
    step.block.repeats = loops.back().extent;
    step.block.from_repeat_step = loops.back().from_stride;
    step.block.to_repeat_step = loops.back().to_stride;
    loops.pop_back();
  }
  return step;
}

void RelayoutPlan::AddFill(const LoopNest& nest, int64_t element_bytes) {
  Fill fill;
  fill.base = nest.to_base * element_bytes;
  fill.bytes = element_bytes;
  for (const Loop& loop : nest.loops) {
    fill.loops.push_back({loop.extent, 0, loop.to_stride * element_bytes});
  }
  if (!fill.loops.empty() && fill.loops.back().to_stride == element_bytes) {
    fill.bytes *= fill.loops.back().extent;
    fill.loops.pop_back();
  }
  fills_.push_back(std::move(fill));
}

absl::StatusOr<RelayoutPlan> RelayoutPlan::Create(
    const IndexMap& from, const IndexMap& to, int64_t element_bits,
    const RelayoutOptions& options) {
  RelayoutPlan plan;
  TESSERA_ASSIGN_OR_RETURN(plan.box_, BoxOf(from, to, options));
  if (element_bits < 1 || element_bits > 128 ||
      (element_bits & (element_bits - 1)) != 0) {
    return InvalidArgumentError(
        "elements have 1, 2, 4, 8, 16, 32, 64 or 128 bits, not ", element_bits);
  }
  TESSERA_ASSIGN_OR_RETURN(
      const int64_t from_bytes,
      BytesOf(from.position_count(), "positions", element_bits));
  TESSERA_ASSIGN_OR_RETURN(
      const int64_t to_bytes,
      BytesOf(to.position_count(), "positions", element_bits));
  // There may be more elements than positions if positions are shared.
  TESSERA_ASSIGN_OR_RETURN(const int64_t bytes_moved,
                           BytesOf(plan.box_.size(), "elements", element_bits));
  plan.element_bits_ = element_bits;
  plan.from_bytes_ = from_bytes;
  plan.to_bytes_ = to_bytes;
  plan.bytes_moved_ = bytes_moved;
  plan.streams_ = plan.to_bytes_ >= options.stream_from_bytes;
  plan.pads_ = options.pad_value.has_value();
  if (plan.pads_ && to.kind() == IndexMap::Kind::kGeneral) {
    return absl::FailedPreconditionError(
        "padding positions are not known for a map without an inverse");
  }

  std::optional<LoopNests> nests = CommonLoopNests(from, to, plan.box_);
  std::optional<LoopNests> padding = LoopNests();
  if (plan.pads_) {
    padding = to.kind() == IndexMap::Kind::kMixedRadix
                  ? LoopNestsBesideBox(to, plan.box_.to_begins,
                                       plan.box_.to_extents())
                  : std::nullopt;
    if (padding.has_value() && to.tail_begin() < to.position_count()) {
      padding->push_back({0,
                          to.tail_begin(),
                          {{to.position_count() - to.tail_begin(), 0, 1}}});
    }
  }
  const int64_t elements_per_byte =
      std::max<int64_t>(1, kBitsPerByte / element_bits);
  if (elements_per_byte > 1 && padding.has_value() && !padding->empty()) {
    // Padding may share its bytes with elements.
    padding = std::nullopt;
  }
  if (!nests.has_value() || !padding.has_value() ||
      !PackIntoBytes(elements_per_byte, &*nests)) {
    TESSERA_ASSIGN_OR_RETURN(plan.walk_, MakeWalk(from, to, plan.box_));
  } else {
    const int64_t element_bytes =
        std::max<int64_t>(1, element_bits / kBitsPerByte);
    for (const LoopNest& nest : *nests) {
      plan.steps_.push_back(plan.MakeStep(nest, element_bytes));
    }
    for (const LoopNest& nest : *padding) plan.AddFill(nest, element_bytes);
  }
  if (plan.pads_) {
    const int64_t bytes = std::max<int64_t>(1, element_bits / kBitsPerByte);
    uint8_t first = (*options.pad_value)[0];
    for (int64_t bits = element_bits; bits < kBitsPerByte; bits *= 2) {
      first =
          static_cast<uint8_t>((first & ((1 << bits) - 1)) * ((1 << bits) + 1));
    }
    for (size_t i = 0; i < plan.pad_pattern_.size(); ++i) {
      plan.pad_pattern_[i] = (*options.pad_value)[i % bytes];
      if (element_bits < kBitsPerByte) plan.pad_pattern_[i] = first;
    }
  }
  return plan;
}

// -- Running -----------------------------------------------------------------

absl::Status RelayoutPlan::CheckBuffers(absl::Span<const uint8_t> from,
                                        absl::Span<uint8_t> to) const {
  const auto check = [](std::string_view name, size_t size, int64_t wanted) {
    if (static_cast<int64_t>(size) == wanted) return absl::OkStatus();
    return InvalidArgumentError("the buffer '", name, "' has ", size,
                                " bytes, but the layout takes ", wanted);
  };
  TESSERA_RETURN_IF_ERROR(check("from", from.size(), from_bytes_));
  TESSERA_RETURN_IF_ERROR(check("to", to.size(), to_bytes_));
  const std::less<const uint8_t*> before;
  if (!from.empty() && !to.empty() &&
      before(from.data(), to.data() + to.size()) &&
      before(to.data(), from.data() + from.size())) {
    return absl::InvalidArgumentError("the buffers overlap");
  }
  return absl::OkStatus();
}

void RelayoutPlan::RunStep(const Step& step, int64_t piece, int64_t pieces,
                           const uint8_t* from, uint8_t* to) const {
  from += step.from_base;
  to += step.to_base;
  absl::InlinedVector<Loop, 6> loops = step.loops;
  KernelArguments block = step.block;
  if (pieces > 1) {
    // The loop with the most values is divided among pieces, even if it is the
    // kernel's.
    const int64_t longest = LongestLoop(loops);
    if (longest >= 0 && loops[longest].extent >= block.repeats) {
      Loop& loop = loops[longest];
      const auto [begin, end] = Share(loop.extent, piece, pieces);
      if (begin == end) return;
      from += begin * loop.from_stride;
      to += begin * loop.to_stride;
      loop.extent = end - begin;
    } else if (block.repeats > 1) {
      const auto [begin, end] = Share(block.repeats, piece, pieces);
      if (begin == end) return;
      from += begin * block.from_repeat_step;
      to += begin * block.to_repeat_step;
      block.repeats = end - begin;
    } else if (step.move == Move::kTranspose) {
      const auto [begin, end] = Share(block.columns, piece, pieces);
      if (begin == end) return;
      from += begin * step.element_bytes;
      to += begin * block.to_column_step;
      block.columns = end - begin;
    } else if (step.move == Move::kCopy) {
      const auto [begin, end] = Share(block.columns, piece, pieces);
      if (begin == end) return;
      from += begin;
      to += begin;
      block.columns = end - begin;
    } else if (piece != 0) {
      return;
    }
  }
  ForEach(loops, from, to,
          [&](const uint8_t* f, uint8_t* t) { step.kernel(block, f, t); });
}

void RelayoutPlan::RunFill(const Fill& fill, int64_t piece, int64_t pieces,
                           uint8_t* to) const {
  absl::InlinedVector<Loop, 6> loops = fill.loops;
  to += fill.base;
  const int64_t longest = LongestLoop(loops);
  if (longest >= 0) {
    const auto [begin, end] = Share(loops[longest].extent, piece, pieces);
    if (begin == end) return;
    to += begin * loops[longest].to_stride;
    loops[longest].extent = end - begin;
  } else if (piece != 0) {
    return;
  }
  ForEach(loops, nullptr, to, [&](const uint8_t*, uint8_t* run) {
    // The pattern repeats after each element.
    int64_t i = 0;
    for (; i + 16 <= fill.bytes; i += 16) {
      std::memcpy(run + i, pad_pattern_.data(), 16);
    }
    std::memcpy(run + i, pad_pattern_.data(), fill.bytes - i);
  });
}

absl::Status RelayoutPlan::CheckWidth(size_t element_bytes) const {
  if (element_bits_ == static_cast<int64_t>(8 * element_bytes)) {
    return absl::OkStatus();
  }
  return InvalidArgumentError("the plan moves elements of ", element_bits_,
                              " bits, and these have ", 8 * element_bytes);
}

absl::Status RelayoutPlan::Execute(absl::Span<const uint8_t> from,
                                   absl::Span<uint8_t> to) const {
  return ExecutePiece(0, 1, from, to);
}

absl::Status RelayoutPlan::ExecutePiece(int64_t piece, int64_t pieces,
                                        absl::Span<const uint8_t> from,
                                        absl::Span<uint8_t> to) const {
  if (piece < 0 || piece >= pieces) {
    return InvalidArgumentError("there is no piece ", piece, " of ", pieces);
  }
  TESSERA_RETURN_IF_ERROR(CheckBuffers(from, to));
  if (walk_.has_value()) {
    if (pads_) {
      WalkPositions(piece, pieces, from.data(), to.data());
    } else {
      WalkElements(piece, pieces, from.data(), to.data());
    }
    return absl::OkStatus();
  }
  for (const Step& step : steps_) {
    RunStep(step, piece, pieces, from.data(), to.data());
  }
  for (const Fill& fill : fills_) RunFill(fill, piece, pieces, to.data());
  if (streams_) FlushStreamedStores();
  return absl::OkStatus();
}

// -- By element --------------------------------------------------------------

absl::StatusOr<RelayoutPlan::ElementWalk> RelayoutPlan::MakeWalk(
    const IndexMap& from, const IndexMap& to, const CommonBox& box) {
  const auto limits = [](const CommonBox::Numbers& begins,
                         CommonBox::Numbers extents) {
    for (size_t i = 0; i < begins.size(); ++i) extents[i] += begins[i];
    return extents;
  };
  TESSERA_ASSIGN_OR_RETURN(
      IndexMap from_box,
      Sliced(from, box.from_begins, limits(box.from_begins, box.extents)));
  TESSERA_ASSIGN_OR_RETURN(
      const IndexMap to_slice,
      Sliced(to, box.to_begins, limits(box.to_begins, box.to_extents())));
  TESSERA_ASSIGN_OR_RETURN(IndexMap to_box,
                           Permuted(to_slice, box.to_dimensions));
  return ElementWalk{std::move(from_box), std::move(to_box)};
}

void RelayoutPlan::WalkElements(int64_t piece, int64_t pieces,
                                const uint8_t* from, uint8_t* to) const {
  const int64_t count = box_.size();
  if (count == 0) return;
  // Elements that share a byte may go anywhere, so one piece writes them all.
  const bool shares_bytes = element_bits_ < kBitsPerByte;
  if (shares_bytes && piece != 0) return;
  auto [begin, end] = shares_bytes ? std::make_pair(int64_t{0}, count)
                                   : Share(count, piece, pieces);
  absl::InlinedVector<int64_t, 8> index(box_.extents.size());
  int64_t rest = begin;
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = rest % box_.extents[i];
    rest /= box_.extents[i];
  }
  for (; begin < end; ++begin) {
    CopyElement(from, walk_->from.LinearIndexUnchecked(index), to,
                walk_->to.LinearIndexUnchecked(index), element_bits_);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < box_.extents[i]) break;
      index[i] = 0;
    }
  }
}

void RelayoutPlan::WalkPositions(int64_t piece, int64_t pieces,
                                 const uint8_t* from, uint8_t* to) const {
  // Pieces begin at whole bytes.
  const int64_t per_byte = std::max<int64_t>(1, kBitsPerByte / element_bits_);
  const int64_t count = walk_->to.position_count();
  auto [begin, end] = Share(CeilOfRatio(count, per_byte), piece, pieces);
  begin *= per_byte;
  end = std::min(end * per_byte, count);
  absl::InlinedVector<int64_t, 8> index(box_.extents.size());
  for (int64_t p = begin; p < end; ++p) {
    if (walk_->to.MultidimensionalIndexUnchecked(p, absl::MakeSpan(index)) ==
        PositionKind::kElement) {
      CopyElement(from, walk_->from.LinearIndexUnchecked(index), to, p,
                  element_bits_);
    } else {
      CopyElement(pad_pattern_.data(), 0, to, p, element_bits_);
    }
  }
}

// -- Cost --------------------------------------------------------------------

int64_t RelayoutPlan::contiguous_bytes() const {
  int64_t most = -1, contiguous = CeilOfRatio(element_bits_, kBitsPerByte);
  for (const Step& step : steps_) {
    const KernelArguments& block = step.block;
    const bool is_copy = step.move == Move::kCopy;
    int64_t size = block.rows * block.columns * block.repeats *
                   (is_copy ? 1 : step.element_bytes);
    for (const Loop& loop : step.loops) size *= loop.extent;
    if (size <= most) continue;
    most = size;
    contiguous = is_copy ? block.columns : block.rows * step.element_bytes;
    if (step.move == Move::kInterleave) contiguous *= block.columns;
  }
  return contiguous;
}

std::string RelayoutPlan::ToString() const {
  // "+512", "-512".
  const auto step_text = [](int64_t stride) {
    return absl::StrCat(stride < 0 ? "" : "+", stride);
  };
  if (walk_.has_value()) {
    return absl::StrCat("element by element, ", element_bits_, " bits each\n");
  }
  std::string text;
  for (const Step& step : steps_) {
    for (const Loop& loop : step.loops) {
      absl::StrAppend(&text, "for ", loop.extent, " (",
                      step_text(loop.from_stride), " -> ",
                      step_text(loop.to_stride), ") ");
    }
    const KernelArguments& block = step.block;
    if (block.repeats > 1) {
      absl::StrAppend(&text, "for ", block.repeats, " (",
                      step_text(block.from_repeat_step), " -> ",
                      step_text(block.to_repeat_step), ") ");
    }
    if (step.move == Move::kCopy) {
      absl::StrAppend(&text, "copy ", block.columns, " bytes");
    } else {
      absl::StrAppend(&text,
                      step.move == Move::kInterleave     ? "interleave "
                      : step.move == Move::kDeinterleave ? "deinterleave "
                                                         : "transpose ",
                      block.rows, " rows (", step_text(block.from_row_step),
                      ") of ", block.columns, " columns (",
                      step_text(block.to_column_step), ") of ",
                      step.element_bytes, " bytes");
    }
    absl::StrAppend(&text, " from ", step.from_base, " to ", step.to_base,
                    block.stream ? ", streaming" : "", "\n");
  }
  for (const Fill& fill : fills_) {
    for (const Loop& loop : fill.loops) {
      absl::StrAppend(&text, "for ", loop.extent, " (",
                      step_text(loop.to_stride), ") ");
    }
    absl::StrAppend(&text, "pad ", fill.bytes, " bytes at ", fill.base, "\n");
  }
  return text;
}

}  // namespace tessera
