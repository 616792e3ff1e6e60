// The rules for tensor layouts, by name.
//
//   const absl::Status status =
//       RuleError(Rule::kMapDims, "the map takes 1 index but ...");
//   RuleOf(status);                          // Rule::kMapDims
//   NameOf(Rule::kMapDims);                  // "map-dims"
//
// tt-mlir never had a verifier for the attribute of the tensor-layout document;
// these are the rules that the document states, and those without which a
// layout has no meaning. The rules of the later attributes are those of their
// verifiers (TTCoreOpsTypes.cpp, TTNNOpsAttrs.cpp).

#ifndef TESSERA_TENSTORRENT_RULE_H_
#define TESSERA_TENSTORRENT_RULE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace tessera::tenstorrent {

enum class Rule : uint8_t {
  // -- Without these there is no layout ---------------------------------------
  kTensorSize,  // no size of the tensor is negative
  kGridSize,    // every size of the grid is at least 1; TTNN's has two
  kMapSymbols,  // the map has no symbols
  kMapDims,     // it has as many dims as the tensor
  kMapResults,  // and as many results as the grid has dimensions
  kMemRefRank,  // as many as the memref has
  kTileRank,    // tiles have two sizes, and need as many of a shard
  kTileType,    // there are tiles of that data type
  // Block floats are in tiles that the hardware has. A warning in tiles other
  // than 32x32, which tt-mlir does not have.
  kBlockFloat,
  kSizeOverflow,   // no size exceeds 2^63-1
  kPositionBelow,  // no index has a negative position
  kPositionPast,   // none lies past the position of the last index
  kPositionTwice,  // no two indices have the same position
  kMemRefShape,    // the memref is the shard that the rules derive
  // -- For the form of 2025 --------------------------------------------------
  kDimAlignments,       // one for each dimension, at least 1, in whole tiles
  kCollapsedIntervals,  // half-open ranges; each dimension is in one
  kTensorRank,  // the tensor has grid dimensions, then as many of shards
  kUnevenGrid,  // the grid divides the dimensions that it is laid over
  // -- Of TTNN ---------------------------------------------------------------
  // These and kMemRefShape are warnings if tt-mlir accepts a text that breaks
  // the rule (ttnn_verification.h).
  kMemoryLayout,     // the memory layout suits the buffer type and the grid
  kInterleavedGrid,  // the grid of an interleaved or host tensor is 1x1
  kCoreRanges,       // sharded tensors have core ranges, which do not overlap
                     // and have room for all shards
  kElementTypes,     // the memref holds the type of the tensor's elements
  // -- Allowed, but worth knowing --------------------------------------------
  kRepeatedDims,  // a dim is in several results
  kEmptyCells,    // a cell of the grid holds no element
  kShardSize,     // a shard does not fit the L1 of a core
  kGaps,          // positions before the last index do not have an index
  kUndecided,     // something about the layout is not known, or not shown
};

// Returns the name, such as "map-dims". Programs may depend on it: names do not
// change.
std::string_view NameOf(Rule rule);

// Returns an error that carries its rule as data.
absl::Status RuleError(
    Rule rule, std::string_view message,
    absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// Rule::kSizeOverflow: "the size of a shard exceeds 2^63-1".
absl::Status SizeOverflowError(std::string_view what);

// Returns the rule that the error carries, or nullopt.
std::optional<Rule> RuleOf(const absl::Status& status);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_RULE_H_
