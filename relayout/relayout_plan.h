// Moves a whole array from one layout to another: tiles a row-major host array,
// untiles a device array, transposes.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap row_major = *ToIndexMap(*ParseShape("f32[16,256]"));
//   const IndexMap tiled =
//       *ToIndexMap(*ParseShape("f32[16,256]{1,0:T(8,128)}"));
//   const absl::StatusOr<RelayoutPlan> plan = RelayoutPlan::Create(
//       row_major, tiled, /*element_bits=*/32);
//   std::vector<uint8_t> host(plan->from_bytes(), 1);
//   std::vector<uint8_t> device(plan->to_bytes());
//   plan->Execute(host, absl::MakeSpan(device));   // OK
//
//   std::vector<float> floats(host.size() / sizeof(float));
//   std::vector<float> tiled_floats(device.size() / sizeof(float));
//   plan->Execute<float>(floats, absl::MakeSpan(tiled_floats));
//
//   // The same in four pieces, which several threads can share.
//   for (int i = 0; i < 4; ++i) {
//     absl::Status status =
//         plan->ExecutePiece(i, 4, host, absl::MakeSpan(device));
//   }
//
//   // Rows 5 to 12 of the first columns, from the tiles into an array of
//   // their own; without loss of speed, though they begin within a tile.
//   const IndexMap slice = *ToIndexMap(*ParseShape("f32[8,100]"));
//   RelayoutOptions options;
//   options.from_begins = {5, 0};
//   options.extents = {8, 100};
//   RelayoutPlan::Create(tiled, slice, 32, options)->bytes_moved();   // 3200
//
// A plan is made once and executed any number of times, also by several threads
// at once. It has a nest of loops for every part of the array that both layouts
// walk in steps (loop_nest.h). Each nest has the kernel that moves its
// innermost loops. Layouts without such steps are walked element by element.

#ifndef TESSERA_RELAYOUT_RELAYOUT_PLAN_H_
#define TESSERA_RELAYOUT_RELAYOUT_PLAN_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/relayout/kernel.h"
#include "tessera/relayout/loop_nest.h"

namespace tessera {

struct RelayoutOptions {
  // Dimension i of `from` is dimension to_dimensions[i] of `to`; empty for the
  // identity.
  std::vector<int64_t> to_dimensions;
  // The box that is moved: extents[i] elements along dimension i of `from`,
  // starting at from_begins[i] there and at to_begins[j] along dimension j of
  // `to`. Empty begins mean 0, empty extents the bounds of `from`; if all three
  // are empty, `to` must have the same bounds. A slice has a smaller `to`, and
  // a pad a larger one.
  std::vector<int64_t> from_begins;
  std::vector<int64_t> to_begins;
  std::vector<int64_t> extents;
  bool has_box() const {
    return !from_begins.empty() || !to_begins.empty() || !extents.empty();
  }
  // The value for the padding of `to` and its elements outside the box: the
  // bytes of one element, lowest first; for elements smaller than a byte, the
  // lowest bits of the first byte. Nullopt leaves them unchanged.
  std::optional<std::array<uint8_t, 16>> pad_value;
  // If `to` has at least this many bytes, cache lines that are written whole
  // bypass the cache.
  int64_t stream_from_bytes = int64_t{8} << 20;
};

class RelayoutPlan {
 public:
  // Makes a plan for elements of 1, 2, 4, 8, 16, 32, 64 or 128 bits. Elements
  // smaller than a byte are packed, the first in the lowest bits. Every
  // position of a map holds one element.
  //
  // Errors: kInvalidArgument if to_dimensions does not map the bounds of `from`
  // to those of `to` (with a box: is not a permutation), if the box lacks an
  // entry for a dimension, or if element_bits is not supported; kOutOfRange if
  // the box is not within the bounds, or if a buffer, or all elements of the
  // box, take more than 2^63-1 bits; kFailedPrecondition if padding has to be
  // written and `to` does not have an inverse, which is needed to find the
  // padding.
  static absl::StatusOr<RelayoutPlan> Create(
      const IndexMap& from, const IndexMap& to, int64_t element_bits,
      const RelayoutOptions& options = {});

  // The sizes of the buffers.
  int64_t from_bytes() const { return from_bytes_; }
  int64_t to_bytes() const { return to_bytes_; }

  // The box that is moved, with defaults filled in.
  const CommonBox& box() const { return box_; }

  // Moves every element of the box. If two indices share a position of `to`,
  // either element may end up there.
  //
  // Errors: kInvalidArgument if a buffer does not have the right size, or if
  // the buffers overlap; then nothing is moved.
  absl::Status Execute(absl::Span<const uint8_t> from,
                       absl::Span<uint8_t> to) const;

  // Like Execute, for elements of a C++ type, such as float for f32.
  //
  // Errors: also kInvalidArgument if an element of the plan is not as wide as
  // Element.
  template <typename Element>
  absl::Status Execute(absl::Span<const Element> from,
                       absl::Span<Element> to) const {
    const absl::Status status = CheckWidth(sizeof(Element));
    return status.ok() ? Execute(AsBytes(from), AsBytes(to)) : status;
  }

  // Executes part `piece` of `pieces`: no two parts write the same byte, and
  // together they do everything. Errors: also kInvalidArgument unless 0 <=
  // piece < pieces.
  absl::Status ExecutePiece(int64_t piece, int64_t pieces,
                            absl::Span<const uint8_t> from,
                            absl::Span<uint8_t> to) const;

  // Like ExecutePiece, for elements of a C++ type.
  template <typename Element>
  absl::Status ExecutePiece(int64_t piece, int64_t pieces,
                            absl::Span<const Element> from,
                            absl::Span<Element> to) const {
    const absl::Status status = CheckWidth(sizeof(Element));
    return status.ok() ? ExecutePiece(piece, pieces, AsBytes(from), AsBytes(to))
                       : status;
  }

  // -- Cost ---------------------------------------------------------

  // The bytes of the elements alone.
  int64_t bytes_moved() const { return bytes_moved_; }
  // The shortest stretch of bytes that is written at once, in the nest with
  // most of the elements.
  int64_t contiguous_bytes() const;
  // Whether loops walk both layouts, instead of one element after the other.
  bool has_loops() const { return !walk_.has_value(); }

  // Describes the nests for people.
  std::string ToString() const;

 private:
  // Checks that an element of the plan is as wide as one of the caller's.
  absl::Status CheckWidth(size_t element_bytes) const;

  template <typename Element>
  static absl::Span<const uint8_t> AsBytes(absl::Span<const Element> elements) {
    static_assert(std::is_trivially_copyable<Element>::value,
                  "elements are moved as bytes");
    return absl::MakeConstSpan(
        reinterpret_cast<const uint8_t*>(elements.data()),
        elements.size() * sizeof(Element));
  }
  template <typename Element>
  static absl::Span<uint8_t> AsBytes(absl::Span<Element> elements) {
    return absl::MakeSpan(reinterpret_cast<uint8_t*>(elements.data()),
                          elements.size() * sizeof(Element));
  }

  enum class Move : uint8_t { kCopy, kInterleave, kDeinterleave, kTranspose };

  // Strides are in bytes.
  struct Step {
    int64_t from_base = 0;
    int64_t to_base = 0;
    absl::InlinedVector<Loop, 6> loops;
    Move move = Move::kCopy;
    int64_t element_bytes = 1;
    Kernel kernel = nullptr;
    KernelArguments block;
  };
  struct Fill {
    int64_t base = 0;
    absl::InlinedVector<Loop, 6> loops;
    int64_t bytes = 0;
  };

  // The maps of the box alone, its dimensions in the order of `from`.
  struct ElementWalk {
    IndexMap from;
    IndexMap to;
  };

  RelayoutPlan() = default;

  static absl::StatusOr<ElementWalk> MakeWalk(const IndexMap& from,
                                              const IndexMap& to,
                                              const CommonBox& box);
  Step MakeStep(const LoopNest& nest, int64_t element_bytes) const;
  void AddFill(const LoopNest& nest, int64_t element_bytes);
  absl::Status CheckBuffers(absl::Span<const uint8_t> from,
                            absl::Span<uint8_t> to) const;
  void RunStep(const Step& step, int64_t piece, int64_t pieces,
               const uint8_t* from, uint8_t* to) const;
  void RunFill(const Fill& fill, int64_t piece, int64_t pieces,
               uint8_t* to) const;
  void WalkElements(int64_t piece, int64_t pieces, const uint8_t* from,
                    uint8_t* to) const;
  void WalkPositions(int64_t piece, int64_t pieces, const uint8_t* from,
                     uint8_t* to) const;

  int64_t element_bits_ = 8;
  int64_t from_bytes_ = 0;
  int64_t to_bytes_ = 0;
  int64_t bytes_moved_ = 0;
  bool streams_ = false;
  absl::InlinedVector<Step, 1> steps_;
  std::vector<Fill> fills_;
  // 16 bytes of padding elements.
  std::array<uint8_t, 16> pad_pattern_ = {};
  bool pads_ = false;
  // Set if loops do not walk both layouts.
  std::optional<ElementWalk> walk_;
  CommonBox box_;
};

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_RELAYOUT_PLAN_H_
