// File: tenstorrent/form_conversion.h
//
// The same layout in another form, where the other form can say it.
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
// A conversion keeps the place of every element: its cell, its offset and tile
// in the shard and its byte; and the memory that the shards take. It does not
// keep the name of padding, which follows from the order of division: the last
// row of 53 on three cells is grid padding in the document's form, and tile
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
// All functions return errors of a tensor that Verify refuses (kInvalidArgument
// or kOutOfRange, with its rule), and else kFailedPrecondition, which names
// what the other form cannot say.

#ifndef TESSERA_TENSTORRENT_FORM_CONVERSION_H_
#define TESSERA_TENSTORRENT_FORM_CONVERSION_H_

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera {
namespace tenstorrent {

// Exists if
// - the results of the map join all dimensions in order, with steps that leave
//   nothing or room for an alignment between dimensions; a tensor of rank 0 or
//   1 has two results of which the first are 0;
// - shards of more than one cell are whole tiles;
// - the memory is as large as the tensor with the room behind its last index;
// - the tensor's type is the scalar of its memory's (f32 of a block float's);
// - the memory layout is interleaved or none, which makes sharded.
//
// Of the alignments that have the same meaning it takes the tile's sides for
// the last dimensions of the last two intervals, and else the least of 1, the
// tile's side, that times the grid, and the physical size. Converting back
// gives the tensor again.
absl::StatusOr<AlignedTensor> ToAlignedTensor(const MetalTensor& tensor);

// Exists if shards of more than one cell begin where the document's form begins
// them and alignments allocate no tile or scalar that it would not allocate;
// the index_map is an identity or none. Converting back gives a tensor that is
// equal but for the alignments, an explicit undef, which is left out, and
// intervals that are implied, which are written.
absl::StatusOr<MetalTensor> ToMetalTensor(const AlignedTensor& tensor);

// Exists if
// - shards are blocks: the tensor is not interleaved in L1;
// - shards of more than one cell begin where the document's form begins them;
// - the buffer type is system_memory, dram or l1;
// - its cores are those that tt-mlir derives on `chip`;
// - there is no mesh, exactGrid or ignorePhysicalLayout.
//
// The memory layout becomes the optional property. Converting back gives the
// tensor again.
absl::StatusOr<MetalTensor> ToMetalTensor(const TtnnTensor& tensor,
                                          const ChipDescription& chip = {});

// Exists if
// - the grid has two dimensions, and TTNN allows it for the memory layout;
// - shards of more than one cell are whole tiles;
// - the memory is system, dram or l1, and the padding undef.
//
// Where there is no property for the memory layout, it is interleaved for one
// cell in DRAM, height sharded for one column of several cells, width sharded
// for one row of several, and block sharded else. The cores are those that
// tt-mlir derives on `chip`. Converting back gives the tensor again, with the
// property.
absl::StatusOr<TtnnTensor> ToTtnnTensor(const MetalTensor& tensor,
                                        const ChipDescription& chip = {});

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_FORM_CONVERSION_H_
