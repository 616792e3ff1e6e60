#include "tessera/tenstorrent/derive/device.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/affine/affine_operations.h"
#include "tessera/tenstorrent/internal/size_checks.h"

namespace tessera::tenstorrent {
namespace {

std::string CellText(absl::Span<const int64_t> cell) {
  return absl::StrCat("cell (", absl::StrJoin(cell, ", "), ")");
}

absl::Status CheckWorkers(const WorkerGrid& workers) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(workers.shape, "grid"));
  const int64_t rank = workers.shape.size();
  if (workers.map.num_dims() != rank || workers.map.num_results() != 3 ||
      workers.map.num_symbols() != 0) {
    return InvalidArgumentError(
        "expected a map of ", rank,
        " dimensions, as the grid has, to 3 results, without symbols; found ",
        workers.map.ToString());
  }
  return absl::OkStatus();
}

// Returns the core, for workers and a cell that have been checked.
absl::StatusOr<PhysicalCore> CoreOfChecked(const WorkerGrid& workers,
                                           absl::Span<const int64_t> cell) {
  TESSERA_ASSIGN_OR_RETURN(const AffineMap::Indices values,
                           workers.map.Evaluate(cell));
  const PhysicalCore core = {values[0], values[1], values[2]};
  if (core.device < 0 || core.y < 0 || core.x < 0) {
    return InvalidArgumentError(CellText(cell), " goes to ", core.ToString(),
                                ", which is negative");
  }
  return core;
}

absl::StatusOr<AffineExpression> Times(const AffineExpression& expression,
                                       int64_t factor) {
  return Multiply(expression, AffineExpression::Constant(factor));
}

absl::Status CheckShard(const ShardLayout& shard) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(shard.shape, "shard"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, shard.element_bytes, "the size of an element in bytes"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, shard.buffers, "the number of buffers"));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Dimensions> CommonChipGrid(
    absl::Span<const ChipDescription> chips) {
  if (chips.empty()) {
    return absl::InvalidArgumentError("expected at least one chip");
  }
  Dimensions grid = {chips[0].grid_rows, chips[0].grid_columns};
  for (size_t i = 0; i < chips.size(); ++i) {
    const ChipDescription& chip = chips[i];
    TESSERA_RETURN_IF_ERROR(CheckAtLeast(
        1, chip.grid_rows, absl::StrCat("the number of rows of chip ", i)));
    TESSERA_RETURN_IF_ERROR(
        CheckAtLeast(1, chip.grid_columns,
                     absl::StrCat("the number of columns of chip ", i)));
    grid[0] = std::min(grid[0], chip.grid_rows);
    grid[1] = std::min(grid[1], chip.grid_columns);
  }
  return grid;
}

std::string PhysicalCore::ToString() const {
  return absl::StrCat("device ", device, ", core y ", y, ", x ", x);
}

std::string WorkerGrid::ToString() const {
  return absl::StrCat("#tt.grid<", absl::StrJoin(shape, "x"), ", ",
                      map.ToString(), ">");
}

absl::StatusOr<WorkerGrid> DefaultWorkerGrid(absl::Span<const int64_t> mesh,
                                             absl::Span<const int64_t> chip) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(mesh, "mesh"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(chip, "chip"));
  TESSERA_RETURN_IF_ERROR(
      CheckCount(chip.size(), 2, "dimensions of the chip's grid"));
  Dimensions devices(mesh.begin(), mesh.end());
  if (devices.size() < 2) devices.resize(2, 1);
  const int64_t rank = devices.size();

  WorkerGrid workers;
  workers.shape = devices;
  // Device, core y, core x.
  AffineMap::Results results(3);
  // The distance in devices between adjacent coordinates in the current
  // dimension.
  int64_t stride = 1;
  for (int64_t i : {1, 0}) {
    const int64_t dim = rank - 2 + i;
    TESSERA_ASSIGN_OR_RETURN(
        workers.shape[dim],
        Product({devices[dim], chip[i]},
                absl::StrCat("dimension ", dim, " of the grid")));
    const AffineExpression coordinate = AffineExpression::Dim(dim);
    results[1 + i] = coordinate;
    if (devices[dim] == 1) continue;
    const AffineExpression divisor = AffineExpression::Constant(chip[i]);
    TESSERA_ASSIGN_OR_RETURN(const AffineExpression number,
                             FloorDiv(coordinate, divisor));
    TESSERA_ASSIGN_OR_RETURN(const AffineExpression term,
                             Times(number, stride));
    TESSERA_ASSIGN_OR_RETURN(results[0], Add(results[0], term));
    TESSERA_ASSIGN_OR_RETURN(const AffineExpression rest,
                             Mod(coordinate, divisor));
    results[1 + i] = rest;
    stride = devices[dim];
  }

  AffineForm outer;
  outer.coefficients.resize(rank - 2);
  std::optional<int64_t> next =
      CheckedMultiply(devices[rank - 2], devices[rank - 1]);
  for (int64_t dim = rank - 2; dim-- > 0;) {
    if (!next.has_value()) {
      return OutOfRangeError("the number of devices within dimension ", dim,
                             " of the mesh exceeds 2^63-1");
    }
    outer.coefficients[dim] = *next;
    next = CheckedMultiply(*next, devices[dim]);
  }
  TESSERA_ASSIGN_OR_RETURN(results[0], Add(outer.ToExpression(), results[0]));
  TESSERA_ASSIGN_OR_RETURN(workers.map,
                           AffineMap::Create(rank, 0, std::move(results)));
  return workers;
}

absl::StatusOr<PhysicalCore> CoreOf(const WorkerGrid& workers,
                                    absl::Span<const int64_t> cell) {
  TESSERA_RETURN_IF_ERROR(CheckWorkers(workers));
  TESSERA_RETURN_IF_ERROR(CheckIndex(cell, workers.shape, "cell"));
  return CoreOfChecked(workers, cell);
}

absl::Status CheckCores(const WorkerGrid& workers, int64_t num_devices,
                        absl::Span<const int64_t> chip) {
  TESSERA_RETURN_IF_ERROR(CheckWorkers(workers));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, num_devices, "the number of devices"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(chip, "chip"));
  TESSERA_RETURN_IF_ERROR(
      CheckCount(chip.size(), 2, "dimensions of the chip's grid"));
  const std::optional<int64_t> num_cells = CheckedProduct(workers.shape);
  if (!num_cells.has_value() || *num_cells > kMaxCheckedCells) {
    return ResourceExhaustedError(
        "a grid of ", absl::StrJoin(workers.shape, "x"), " has more than ",
        kMaxCheckedCells, " cells to check");
  }
  // The cores with the numbers of their cells.
  std::vector<std::pair<PhysicalCore, int64_t>> cores;
  const auto cell_of = [&workers](int64_t number) {
    Dimensions cell(workers.shape.size());
    for (size_t dim = cell.size(); dim-- > 0; number /= workers.shape[dim]) {
      cell[dim] = number % workers.shape[dim];
    }
    return cell;
  };
  for (int64_t number = 0; number < *num_cells; ++number) {
    const Dimensions cell = cell_of(number);
    TESSERA_ASSIGN_OR_RETURN(const PhysicalCore core,
                             CoreOfChecked(workers, cell));
    if (core.device >= num_devices || core.y >= chip[0] || core.x >= chip[1]) {
      return InvalidArgumentError(CellText(cell), " goes to ", core.ToString(),
                                  ", outside of ", num_devices, " devices of ",
                                  chip[0], "x", chip[1], " cores");
    }
    cores.emplace_back(core, number);
  }
  std::sort(cores.begin(), cores.end());
  for (size_t i = 1; i < cores.size(); ++i) {
    if (cores[i].first != cores[i - 1].first) continue;
    return InvalidArgumentError(CellText(cell_of(cores[i - 1].second)), " and ",
                                CellText(cell_of(cores[i].second)),
                                " both go to ", cores[i].first.ToString());
  }
  return absl::OkStatus();
}

std::string Device::ToString() const {
  return absl::StrCat("#tt.device<workerGrid = ", workers.ToString(),
                      ", l1Map = ", l1_map.ToString(),
                      ", dramMap = ", dram_map.ToString(),
                      ", meshShape = ", absl::StrJoin(mesh_shape, "x"),
                      ", chipIds = [", absl::StrJoin(chip_ids, ", "), "]>");
}

absl::Status VerifyDevice(const Device& device) {
  if (device.chip_ids.empty()) {
    return absl::InvalidArgumentError("expected at least one chip");
  }
  const bool is_mesh =
      std::none_of(device.mesh_shape.begin(), device.mesh_shape.end(),
                   [](int64_t size) { return size < 1; });
  const int64_t num_chips = device.chip_ids.size();
  if (!is_mesh || CheckedProduct(device.mesh_shape) != num_chips) {
    return absl::InvalidArgumentError(
        "expected chipIds size to match the volume of meshShape");
  }
  if (std::any_of(device.workers.shape.begin(), device.workers.shape.end(),
                  [](int64_t size) { return size < 1; })) {
    return absl::InvalidArgumentError("expected positive grid dimensions");
  }
  if (device.workers.map.num_results() != 3) {
    return absl::InvalidArgumentError(
        "expected physical grid mapping to have PhysGridResultIdx::NumIndices "
        "results");
  }
  for (const auto& memory : {std::make_pair("l1Map", &device.l1_map),
                             std::make_pair("dramMap", &device.dram_map)}) {
    if (memory.second->num_results() != 4) {
      return InvalidArgumentError(
          "expected ", memory.first,
          " to have MemoryMapResultIdx::NumIndices results");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Dimensions> ByteStrides(const ShardLayout& shard) {
  TESSERA_RETURN_IF_ERROR(ShardBytes(shard).status());
  Dimensions strides(shard.shape.size());
  int64_t stride = shard.element_bytes;
  for (size_t dim = strides.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= shard.shape[dim];
  }
  return strides;
}

absl::StatusOr<int64_t> ShardBytes(const ShardLayout& shard) {
  TESSERA_RETURN_IF_ERROR(CheckShard(shard));
  Dimensions factors = shard.shape;
  factors.push_back(shard.element_bytes);
  factors.push_back(shard.buffers);
  return Product(factors, "the size of a shard in bytes");
}

absl::StatusOr<L1Address> L1AddressOf(const PhysicalCore& core,
                                      const ShardLayout& shard,
                                      absl::Span<const int64_t> offset,
                                      int64_t base) {
  TESSERA_ASSIGN_OR_RETURN(const int64_t size, ShardBytes(shard));
  TESSERA_RETURN_IF_ERROR(CheckIndex(offset, shard.shape, "offset"));
  TESSERA_RETURN_IF_ERROR(CheckAtLeast(0, base, "the base address"));
  if (!CheckedAdd(base, size).has_value()) {
    return OutOfRangeError("a shard of ", size, " bytes at ", base,
                           " ends past 2^63-1");
  }
  return L1Address{
      core, base + RowMajorNumber(offset, shard.shape) * shard.element_bytes};
}

absl::StatusOr<DramAddress> DramAddressOf(int64_t flat,
                                          const DramInterleaving& dram) {
  TESSERA_RETURN_IF_ERROR(CheckAtLeast(0, flat, "the number of a byte"));
  TESSERA_RETURN_IF_ERROR(CheckAtLeast(0, dram.base, "the base address"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, dram.page_bytes, "the size of a page"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, dram.num_banks, "the number of banks"));
  DramAddress result;
  result.page = flat / dram.page_bytes;
  result.bank = result.page % dram.num_banks;
  // At most `flat`.
  const int64_t within =
      result.page / dram.num_banks * dram.page_bytes + flat % dram.page_bytes;
  const std::optional<int64_t> address = CheckedAdd(dram.base, within);
  if (!address.has_value()) {
    return OutOfRangeError("the address ", dram.base, " + ", within,
                           " exceeds 2^63-1");
  }
  result.address = *address;
  return result;
}

absl::StatusOr<int64_t> DramByteOf(absl::Span<const int64_t> grid,
                                   absl::Span<const int64_t> cell,
                                   int64_t shard_bytes, int64_t offset) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(grid, "grid"));
  TESSERA_RETURN_IF_ERROR(CheckIndex(cell, grid, "cell"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, shard_bytes, "the size of a shard in bytes"));
  if (offset < 0 || offset >= shard_bytes) {
    return OutOfRangeError("offset = ", offset, " is outside [0, ", shard_bytes,
                           ")");
  }
  Dimensions factors(grid.begin(), grid.end());
  factors.push_back(shard_bytes);
  TESSERA_RETURN_IF_ERROR(
      Product(factors, "the size of the tensor in bytes").status());
  return RowMajorNumber(cell, grid) * shard_bytes + offset;
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, PhysicalCore)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, WorkerGrid)
TESSERA_DEFINE_VALUE(tessera::tenstorrent, Device)
