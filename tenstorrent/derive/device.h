// Finds the device, the core and the address of a cell of the grid.
//
//   const WorkerGrid workers = *DefaultWorkerGrid({1, 2}, {8, 8});
//   workers.ToString();          // "#tt.grid<8x16, (d0, d1) -> (d1 floordiv 8,
//                                // d0, d1 mod 8)>"
//   const PhysicalCore core = *CoreOf(workers, {3, 10});
//   core.ToString();             // "device 1, core y 3, x 2"
//
//   ShardLayout shard;           // of f32 on that core
//   shard.shape = {18, 32};
//   shard.element_bytes = 4;
//   ByteStrides(shard);          // {128, 4}
//   ShardBytes(shard);           // 2304
//   L1AddressOf(core, shard, {17, 1}, /*base=*/65536)->address;   // 67716
//
//   const DramAddress dram = *DramAddressOf(98304, DramInterleaving());
//   dram.page;                   // 12
//   dram.bank;                   // 0
//   dram.address;                // 8192
//
// The cells of a tensor's grid are virtual; tt-mlir's device attribute has the
// affine map from its own grid of workers to devices and cores. A tensor's grid
// has the rank of the device's grid, and its cells are within that grid.
// Sources: docs/src/specs/device.md and createWorkerGrid, createL1Map,
// createDramMap and DeviceAttr::verify in tt-mlir.

#ifndef TESSERA_TENSTORRENT_DERIVE_DEVICE_H_
#define TESSERA_TENSTORRENT_DERIVE_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"

namespace tessera::tenstorrent {

// The hardware of a chip. The defaults are those of a Wormhole; a chip with
// disabled (harvested) rows has fewer cores.
struct ChipDescription {
  int64_t grid_rows = 8;
  int64_t grid_columns = 8;
  // The memory of one core.
  int64_t l1_bytes = 1499136;
  int64_t dram_channels = 12;
  int64_t dram_channel_bytes = int64_t{1} << 30;
  // The alignment of the start of a NoC transfer, in bytes.
  int64_t l1_alignment = 16;
  int64_t dram_alignment = 32;  // 64 on Blackhole
  int64_t pcie_alignment = 32;
};

// Returns the rows and columns that all chips have: a virtual grid is the same
// on all chips, so a harvested row reduces all of them. Errors:
// kInvalidArgument if there is no chip, or if a chip does not have a row or
// column.
absl::StatusOr<Dimensions> CommonChipGrid(
    absl::Span<const ChipDescription> chips);

struct PhysicalCore {
  // The device's number in the mesh, row-major; its chip is the one of that
  // number in Device::chip_ids.
  int64_t device = 0;
  int64_t y = 0;
  int64_t x = 0;

  // "device 1, core y 3, x 2"
  std::string ToString() const;

  TESSERA_VALUE_BY(PhysicalCore, device, y, x)
  friend bool operator<(const PhysicalCore& a, const PhysicalCore& b) {
    return a.ValueMembers() < b.ValueMembers();
  }
};

// A grid of cells, and the map from them to (device, core y, core x). A map
// that reinterprets the cores, as in device.md, is written like this:
//
//   {{8, 8}, (d0, d1) -> (0, d1, d0)}                        transposed
//   {{1, 64}, (d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)}
//   {{8, 8}, (d0, d1) -> (0, d0, (d0 + d1) mod 8)}           staircase
struct WorkerGrid {
  Dimensions shape;
  AffineMap map;

  // "#tt.grid<8x8, (d0, d1) -> (0, d0, d1)>"
  std::string ToString() const;

  TESSERA_VALUE_BY(WorkerGrid, shape, map)
};

// Returns the grid of all cores of a mesh of devices. Its shape is that of the
// mesh, with the two innermost dimensions multiplied by the two of a chip; a
// mesh of one dimension is one column of devices. If the mesh has several
// devices in one of the two, a cell's coordinate is divided into device and
// core. The outer dimensions number devices.
//
// (tt-mlir's createWorkerGrid takes the remainder by the mesh's dimension; we
// follow device.md, which takes it by the chip's.)
//
// Errors: kInvalidArgument if a size is below 1 or the chip's grid does not
// have two dimensions; kOutOfRange if a size or coefficient exceeds 2^63-1;
// kResourceExhausted for more than AffineExpression::kMaxDims dimensions.
absl::StatusOr<WorkerGrid> DefaultWorkerGrid(absl::Span<const int64_t> mesh,
                                             absl::Span<const int64_t> chip);

// Returns the core of a cell. Errors: kOutOfRange if the cell is outside the
// grid; kInvalidArgument if the cell does not have as many coordinates, or the
// map as many dimensions, as the grid, if the map does not have three results
// or has symbols, or if it maps the cell to a negative coordinate; those of
// AffineMap::Evaluate.
absl::StatusOr<PhysicalCore> CoreOf(const WorkerGrid& workers,
                                    absl::Span<const int64_t> cell);

// Checks that the map of `workers` takes each cell to a core that exists, with
// `num_devices` devices of the chip grid `chip`, and no two cells to the same.
// Errors: kInvalidArgument, naming one or two cells, if it does not, and for
// cells that CoreOf refuses; kResourceExhausted for more than kMaxCheckedCells
// cells.
absl::Status CheckCores(const WorkerGrid& workers, int64_t num_devices,
                        absl::Span<const int64_t> chip);
constexpr int64_t kMaxCheckedCells = 65536;

// #tt.device
struct Device {
  WorkerGrid workers;
  // Maps from a cell and an offset in its shard to (device, core y, core x,
  // address) and (device, 0, channel, address). Their parameters have changed
  // several times and are not interpreted here.
  AffineMap l1_map;
  AffineMap dram_map;
  Dimensions mesh_shape;
  // By number in the mesh, row-major.
  std::vector<int64_t> chip_ids;

  // "#tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map =
  // ..., dramMap = ..., meshShape = 1x1, chipIds = [0]>"
  std::string ToString() const;

  TESSERA_VALUE_BY(Device, workers, l1_map, dram_map, mesh_shape, chip_ids)
};

// Returns the first error that tt-mlir's verifier reports, in its words:
// kInvalidArgument if there is no chip, or not one for each device of the mesh,
// if a dimension of the grid is below 1, if its map does not have three
// results, or if the l1Map or dramMap does not have four.
absl::Status VerifyDevice(const Device& device);

// The memory of one cell, #tt.shard<strides, buffers>.
struct ShardLayout {
  Dimensions shape;  // of the memref, in elements
  // The bytes of one element, which may be a tile: ElementType::bytes.
  int64_t element_bytes = 0;
  // Shards that alternate, as in double buffering.
  int64_t buffers = 1;
};

// Returns the steps of the dimensions of the shard, which is row-major, in
// bytes. Errors: kInvalidArgument if a size, the bytes of an element or the
// number of buffers is below 1; kOutOfRange if the size exceeds 2^63-1.
absl::StatusOr<Dimensions> ByteStrides(const ShardLayout& shard);

// Returns the size of all buffers, in bytes. Errors: those of ByteStrides.
absl::StatusOr<int64_t> ShardBytes(const ShardLayout& shard);

struct L1Address {
  PhysicalCore core;
  int64_t address = 0;  // in bytes, in the core's L1
};

// Returns the address, by the rule since 2025-03, of the element at `offset`
// (in elements, for each dimension) in the first buffer of a shard that begins
// at `base`. Errors: those of ByteStrides; kInvalidArgument if `base` is
// negative or `offset` does not have as many coordinates as the shard;
// kOutOfRange if `offset` is outside the shard, or if the shard ends past
// 2^63-1.
absl::StatusOr<L1Address> L1AddressOf(const PhysicalCore& core,
                                      const ShardLayout& shard,
                                      absl::Span<const int64_t> offset,
                                      int64_t base);

// The rule by which tt-mlir filled DRAM in its form of 2024, as the dramMap of
// its device: page by page, each in the next bank (channel). TTNN's rule is in
// buffer/buffer.h.
struct DramInterleaving {
  int64_t page_bytes = 8192;
  int64_t num_banks = 12;
  int64_t base = 0;  // the address in each bank at which the first pages lie
};

struct DramAddress {
  int64_t device = 0;   // always 0: no rule yet selects another
  int64_t page = 0;     // over all banks
  int64_t bank = 0;     // page mod the number of banks
  int64_t address = 0;  // in bytes, in the bank
};

// Returns the address of byte `flat` of a tensor, counted as in DramByteOf, by
// the rule of 2024.
//
// The address is (page floordiv banks) * page size + flat mod page size + base.
// Until 2025-08 (c53703a91c), tt-mlir left out the product with the page size,
// so bytes 1 and 98304 of a tensor had the same address.
//
// Errors: kInvalidArgument if `flat` or the base is negative, or the bytes of a
// page or the number of banks is below 1; kOutOfRange if the address exceeds
// 2^63-1.
absl::StatusOr<DramAddress> DramAddressOf(int64_t flat,
                                          const DramInterleaving& dram);

// Returns the number of a byte of a tensor in DRAM. The shards follow one
// another in the row-major order of the cells of the tensor's grid.
// `shard_bytes` is the size of a shard, `offset` is in bytes within it. Errors:
// kInvalidArgument if a size or `shard_bytes` is below 1 or `cell` does not
// have as many coordinates as `grid`; kOutOfRange if `cell` or `offset` is
// outside, or the tensor exceeds 2^63-1 bytes.
absl::StatusOr<int64_t> DramByteOf(absl::Span<const int64_t> grid,
                                   absl::Span<const int64_t> cell,
                                   int64_t shard_bytes, int64_t offset);

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, PhysicalCore);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, WorkerGrid);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, Device);

#endif  // TESSERA_TENSTORRENT_DERIVE_DEVICE_H_
