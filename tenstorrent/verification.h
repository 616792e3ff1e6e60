// File: tenstorrent/verification.h
//
// Does a tensor layout keep the rules, and what is there to know about it?
//
//   const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(R"(
//       tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>,
//                                          memref<32x32xf32,
//                                                 #tt.memory_space<l1>>>>)");
//   const Verification verification = Verify(*tensor);
//   verification.errors.size();              // 1
//   verification.errors[0].rule;             // Rule::kMemRefShape
//   verification.errors[0].message;
//       // "the memref is 32x32, but the rules give 18x32; this is the shape
//       // that is left by an untilize"
//   verification.memref->ToString();
//       // "memref<18x32xf32, #tt.memory_space<l1>>"
//
// Errors are broken rules; warnings are allowed by the rules. Both are found
// all at once, as far as one does not hide another.

#ifndef TESSERA_TENSTORRENT_VERIFICATION_H_
#define TESSERA_TENSTORRENT_VERIFICATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera {
namespace tenstorrent {

struct Finding {
  Rule rule;
  std::string message;
};

struct VerificationOptions {
  // Of one core: Wormhole's.
  int64_t l1_bytes = 1499136;
  // How many indices are tried where rules do not follow from the coefficients
  // of the map.
  int64_t evaluation_limit = int64_t{1} << 20;
};

struct Verification {
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
  // The memory of a shard as the rules give it, unless an error is in the way.
  absl::optional<MemRef> memref;
  // Where its elements lie, unless an error other than that of the memref is in
  // the way, or locations are not computed (a warning, then).
  absl::optional<Placement> placement;
  // Where only the index_map keeps locations from being computed: the tensor
  // as if it were no view. Its sizes, and how much of it is padding, are right;
  // its locations are not.
  absl::optional<Placement> view;

  bool ok() const { return errors.empty(); }
};

Verification Verify(const MetalTensor& tensor,
                    const VerificationOptions& options = {});

// -- For the Verify functions of the other forms ------------------------------
// (aligned_verification.h, ttnn_verification.h)

// Adds an error. Where the status names no rule it is kSizeOverflow if
// kOutOfRange, or else kUndecided.
void AddError(const absl::Status& status, Verification* verification);

// Adds the error of kMemRefRank if the ranks differ.
void CheckMemRefRank(int64_t rank, int64_t grid_rank,
                     Verification* verification);

// Adds kMemRefShape to `findings` if `found` is not what the rules give, where
// `what` it is: "memref". Its text ends with `hint`. If the ranks differ
// another error says so.
void CheckMemRefShape(absl::string_view what, const Dimensions& found,
                      const Dimensions& expected, absl::string_view hint,
                      std::vector<Finding>* findings);

// Warns of kShardSize.
void WarnOfShardSize(int64_t bytes_per_shard, MemorySpace memory_space,
                     const VerificationOptions& options,
                     Verification* verification);

// Adds what there is to warn of in a geometry that lies in `memory_space`, and
// sets `placement` or adds what is in its way.
void VerifyGeometry(const Geometry& geometry, MemorySpace memory_space,
                    const VerificationOptions& options,
                    Verification* verification);

// Warns of an interleaved tensor in device memory that it is placed as if it
// were sharded, if it is placed. Its pages lie on the banks in turn.
void WarnOfInterleaving(MemorySpace memory_space, Verification* verification);

// How many scalars all shards allocate for each element of the tensor: 96
// where a repeated dim makes 96 times as many.
double OverAllocation(const Geometry& geometry);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_VERIFICATION_H_
