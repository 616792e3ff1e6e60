// Checks a tensor layout against tt-mlir's rules and reports warnings.
//
//   const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(R"(
//       tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>,
//                                          memref<32x32xf32,
//                                                 #tt.memory_space<l1>>>>)");
//   const Verification verification = Verify(*tensor);
//   verification.errors.size();              // 1
//   verification.errors[0].rule;             // Rule::kMemRefShape
//   verification.errors[0].message;
//       // "the memref is 32x32, but the rules give 18x32; this is the
//       // tile-padded shape kept after untilizing"
//   verification.memref->ToString();
//       // "memref<18x32xf32, #tt.memory_space<l1>>"
//
// Errors are broken rules; warnings do not break a rule. All are reported at
// once, unless one hides another.

#ifndef TESSERA_TENSTORRENT_VERIFICATION_H_
#define TESSERA_TENSTORRENT_VERIFICATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {

struct Finding {
  Rule rule;
  std::string message;
};

struct VerificationOptions {
  // The rows and columns of the cores of the card, if it is known.
  std::optional<Dimensions> worker_grid = std::nullopt;
  // The L1 memory of one core of a Wormhole.
  int64_t l1_bytes = 1499136;
  // The largest number of indices to try if the coefficients of the map do not
  // decide a rule.
  int64_t evaluation_limit = int64_t{1} << 20;
};

struct Verification {
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
  // The memory of a shard by the rules, unless an error prevents that.
  std::optional<MemRef> memref;
  // The places of its elements. Absent if there is an error, other than one
  // about the memref, or if locations are not supported (then there is a
  // warning).
  std::optional<Placement> placement;
  // Set if only the index_map prevents locations: the tensor as if it were not
  // a view. Its sizes and its padding are right; its locations are not.
  std::optional<Placement> view;

  bool ok() const { return errors.empty(); }
};

Verification Verify(const MetalTensor& tensor,
                    const VerificationOptions& options = {});

// -- For the Verify functions of the other forms ------------------------------
// (aligned_verification.h, ttnn_verification.h)

// Adds an error. A status without a rule gets kSizeOverflow if it is
// kOutOfRange, and else kUndecided.
void AddError(const absl::Status& status, Verification* verification);

// Adds the error of kMemRefRank if the ranks differ.
void CheckMemRefRank(int64_t rank, int64_t grid_rank,
                     Verification* verification);

// Adds kMemRefShape to `findings` if `found` differs from the shape by the
// rules. `what` names the part: "memref". The text ends with `hint`. Different
// ranks are reported by another error.
void CheckMemRefShape(std::string_view what, const Dimensions& found,
                      const Dimensions& expected, std::string_view hint,
                      std::vector<Finding>* findings);

// Adds the warning kShardSize.
void WarnOfShardSize(int64_t bytes_per_shard, MemorySpace memory_space,
                     const VerificationOptions& options,
                     Verification* verification);

// Adds the warnings about a geometry in `memory_space`, and sets `placement` or
// adds the reason why there is none.
void VerifyGeometry(const Geometry& geometry, MemorySpace memory_space,
                    const VerificationOptions& options,
                    Verification* verification);

// The number of scalars that all shards allocate for each element of the
// tensor: 96 if a repeated dim makes 96 times as many.
double OverAllocation(const Geometry& geometry);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_VERIFICATION_H_
