// Converts a layout to another form, if that form can express it.
//
//   #include "tessera/tenstorrent/derive/derivation.h"
//
//   const ElementType tile{DataType::kF32, TileShape{32, 32}};
//   const MetalTensor metal = *DeriveMetalTensor({2, 64, 128}, tile, {2, 4});
//   const AlignedTensor aligned = *ToAlignedTensor(metal);
//   aligned.ToString();    // "tensor<2x4x2x1x!ttcore.tile<32x32, f32>,
//                          // #ttcore.metal_layout<logical_shape = 2x64x128,
//                          // dim_alignments = 1x32x32, collapsed_intervals =
//                          // dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>, l1,
//                          // sharded>>"
//   *ToMetalTensor(aligned) == metal;                  // true
//
//   // Shards of 18 rows, each in a tile of its own.
//   ToAlignedTensor(*DeriveMetalTensor({53, 63}, tile, {3, 2})).status();
//       // FAILED_PRECONDITION: physical dimension 0 is cut into shards of 18,
//       // but of 32 where tiles come before the grid
//
// A conversion keeps the place of every element (its cell, its offset and tile
// in the shard, and its byte) and the memory of the shards. It does not keep
// the kind of padding, which follows from the order of division: the last row
// of 53 on three cells is grid padding in the document's form, and tile
// padding, by an alignment to 54, in that of 2025.
//
// The forms differ in this:
//
//                        document         2025              TTNN
//   divides first        grid             tile              tile
//   map                  any              collapses, with   any
//                                         aligned steps
//   after the last       nothing          an alignment      nothing
//   type of the tensor   its own          the memory's      its own
//   padding's content    oob value        oob value         -
//   memory layout        a property,      sharded or        required
//                        none since 2025  interleaved
//   cores                -                -                 core ranges
//
// Errors, for all functions: those of Verify for a tensor that it refuses
// (kInvalidArgument or kOutOfRange, with its rule); kFailedPrecondition, naming
// the part that the other form cannot express.

#ifndef TESSERA_TENSTORRENT_FORM_CONVERSION_H_
#define TESSERA_TENSTORRENT_FORM_CONVERSION_H_

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {

// Returns `tensor` in the form of 2025. It exists if
// - the results of the map join all dimensions in order, with steps that leave
//   no gap, or only an alignment, between dimensions; a tensor of rank 0 or 1
//   has two results, and the first ones are 0;
// - shards of more than one cell are whole tiles;
// - the memory is as large as the tensor with the space after its last index;
// - the tensor's type is the scalar type of its memory (f32 for a block float);
// - the memory layout is interleaved, or absent, which becomes sharded.
//
// Of several equivalent alignments it chooses the tile's sides for the last
// dimensions of the last two intervals, and else the smallest of 1, the tile's
// side, the tile's side times the grid, and the physical size. Converting back
// gives the same tensor.
absl::StatusOr<AlignedTensor> ToAlignedTensor(const MetalTensor& tensor);

// Returns `tensor` in the document's form. It exists if
// - shards of more than one cell begin where they do in the document's form;
// - alignments do not allocate a tile or scalar that the document's form would
//   not allocate;
// - the index_map is an identity or absent.
//
// Converting back gives the same tensor, except for the alignments, for an
// explicit undef, which is left out, and for implied intervals, which are
// written.
absl::StatusOr<MetalTensor> ToMetalTensor(const AlignedTensor& tensor);

// Returns `tensor` in the document's form. It exists if
// - shards are blocks: the tensor is not interleaved in L1;
// - shards of more than one cell begin where they do in the document's form;
// - the buffer type is system_memory, dram or l1;
// - the cores are those that tt-mlir derives on `chip`;
// - it does not have a mesh, exactGrid or ignorePhysicalLayout.
//
// The memory layout becomes the optional property. Converting back gives the
// same tensor.
absl::StatusOr<MetalTensor> ToMetalTensor(const TtnnTensor& tensor,
                                          const ChipDescription& chip = {});

// Returns `tensor` in TTNN's form. It exists if
// - the grid has two dimensions, and TTNN accepts it for the memory layout;
// - shards of more than one cell are whole tiles;
// - the memory is system, dram or l1, and the padding undef.
//
// Without a property for the memory layout, it is interleaved for one cell in
// DRAM, height sharded for one column of several cells, width sharded for one
// row of several cells, and else block sharded. The cores are those that
// tt-mlir derives on `chip`. Converting back gives the same tensor, with the
// property.
absl::StatusOr<TtnnTensor> ToTtnnTensor(const MetalTensor& tensor,
                                        const ChipDescription& chip = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_FORM_CONVERSION_H_
