#include "tessera/tenstorrent/derive/device.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

using Sizes = std::vector<int64_t>;

constexpr int64_t kLarge = int64_t{1} << 62;

WorkerGrid Given(const Dimensions& shape, const std::string& map) {
  return {shape, *ParseAffineMap(map)};
}

// Calls `visit` with each cell, in row-major order.
template <typename Visit>
void ForEachCell(absl::Span<const int64_t> shape, Visit visit) {
  int64_t volume = 1;
  for (int64_t size : shape) volume *= size;
  for (int64_t number = 0; number < volume; ++number) {
    Sizes cell(shape.size());
    int64_t rest = number;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim]) {
      cell[dim] = rest % shape[dim];
    }
    visit(number, cell);
  }
}

TEST(DefaultWorkerGrid, MapsThatTheReferenceAsserts) {
  struct Case {
    Sizes mesh;
    Sizes shape;
    const char* map;
  };
  for (const Case& c : {
           Case{{}, {8, 8}, "(d0, d1) -> (0, d0, d1)"},
           Case{{1, 1}, {8, 8}, "(d0, d1) -> (0, d0, d1)"},
           Case{{2, 1, 1}, {2, 8, 8}, "(d0, d1, d2) -> (d0, d1, d2)"},
           Case{{1, 2}, {8, 16}, "(d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)"},
           Case{{2, 4},
                {16, 32},
                "(d0, d1) -> (d1 floordiv 8 + (d0 floordiv 8) * 4, d0 mod 8, "
                "d1 mod 8)"},
           Case{{2, 1, 2},
                {2, 8, 16},
                "(d0, d1, d2) -> (d0 * 2 + d2 floordiv 8, d1, d2 mod 8)"},
           Case{{3, 3, 1},
                {3, 24, 8},
                "(d0, d1, d2) -> (d0 * 3 + d1 floordiv 8, d1 mod 8, d2)"},
           Case{{3, 2, 1, 1},
                {3, 2, 8, 8},
                "(d0, d1, d2, d3) -> (d0 * 2 + d1, d2, d3)"},
           Case{{2}, {16, 8}, "(d0, d1) -> (d0 floordiv 8, d0 mod 8, d1)"},
       }) {
    const WorkerGrid workers = *DefaultWorkerGrid(c.mesh, {8, 8});
    EXPECT_THAT(workers.shape, ElementsAreArray(c.shape));
    EXPECT_EQ(workers.map.ToString(), c.map);
  }
}

TEST(DefaultWorkerGrid, EveryCoreOfTheMeshOnce) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 200; ++i) {
    Sizes mesh;
    for (int64_t rank = Uniform(0, 4, &random); rank > 0; --rank) {
      mesh.push_back(Uniform(1, 3, &random));
    }
    const Sizes chip = {Uniform(1, 3, &random), Uniform(1, 3, &random)};
    const WorkerGrid workers = *DefaultWorkerGrid(mesh, chip);
    Sizes devices = mesh;
    devices.resize(std::max<size_t>(2, mesh.size()), 1);
    int64_t num_devices = 1;
    for (int64_t size : devices) num_devices *= size;
    EXPECT_THAT(CheckCores(workers, num_devices, chip), IsOk());

    std::set<std::tuple<int64_t, int64_t, int64_t>> cores;
    ForEachCell(workers.shape, [&](int64_t, const Sizes& cell) {
      // Which device stands there, by its coordinates in the mesh.
      int64_t device = 0;
      for (size_t dim = 0; dim < cell.size(); ++dim) {
        const size_t inner = dim + 2 - cell.size();
        const int64_t size = inner < 2 ? chip[inner] : 1;
        device = device * devices[dim] + cell[dim] / size;
      }
      const PhysicalCore core = *CoreOf(workers, cell);
      EXPECT_EQ(core.device, device) << workers.ToString();
      EXPECT_EQ(core.y, cell[cell.size() - 2] % chip[0]);
      EXPECT_EQ(core.x, cell[cell.size() - 1] % chip[1]);
      cores.emplace(core.device, core.y, core.x);
    });
    EXPECT_EQ(static_cast<int64_t>(cores.size()),
              num_devices * chip[0] * chip[1]);
  }
}

TEST(DefaultWorkerGrid, RefusesWhatIsNoMesh) {
  EXPECT_EQ(DefaultWorkerGrid({1, 0}, {8, 8}).status(),
            absl::InvalidArgumentError("mesh[1] = 0; expected at least 1"));
  EXPECT_EQ(DefaultWorkerGrid({1, 1}, {8, -1}).status(),
            absl::InvalidArgumentError("chip[1] = -1; expected at least 1"));
  EXPECT_EQ(DefaultWorkerGrid({1, 1}, {8}).status(),
            absl::InvalidArgumentError(
                "expected 2 dimensions of the chip's grid, found 1"));
  EXPECT_EQ(DefaultWorkerGrid({1, kLarge}, {8, 8}).status(),
            absl::OutOfRangeError("dimension 1 of the grid, "
                                  "4611686018427387904 * 8, exceeds 2^63-1"));
  EXPECT_EQ(DefaultWorkerGrid({2, kLarge, 2, 1}, {1, 1}).status(),
            absl::OutOfRangeError("the number of devices within dimension 0 of "
                                  "the mesh exceeds 2^63-1"));
  EXPECT_THAT(DefaultWorkerGrid(Sizes(2000, 1), {8, 8}),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(CoreOf, ReinterpretsTheCores) {
  struct Case {
    WorkerGrid workers;
    Sizes cell;
    PhysicalCore core;
  };
  const WorkerGrid transposed = Given({8, 8}, "(d0, d1) -> (0, d1, d0)");
  const WorkerGrid wide =
      Given({1, 64}, "(d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)");
  const WorkerGrid staircase =
      Given({8, 8}, "(d0, d1) -> (0, d0, (d0 + d1) mod 8)");
  for (const Case& c : {
           Case{transposed, {2, 5}, {0, 5, 2}},
           Case{wide, {0, 63}, {0, 7, 7}},
           Case{wide, {0, 20}, {0, 2, 4}},
           Case{staircase, {3, 7}, {0, 3, 2}},
       }) {
    EXPECT_EQ(*CoreOf(c.workers, c.cell), c.core) << c.workers.ToString();
    EXPECT_THAT(CheckCores(c.workers, 1, {8, 8}), IsOk());
  }
}

TEST(CoreOf, RefusesCellsAndMapsThatDoNotFit) {
  const WorkerGrid plain = *DefaultWorkerGrid({1, 1}, {8, 8});
  EXPECT_EQ(CoreOf(plain, {0, 8}).status(),
            absl::OutOfRangeError("cell[1] = 8 is outside [0, 8)"));
  EXPECT_EQ(CoreOf(plain, {0}).status(),
            absl::InvalidArgumentError("cell has 1 coordinates; expected 2"));
  EXPECT_EQ(
      CoreOf(Given({8, 8}, "(d0, d1) -> (0, d0 - 1, d1)"), {0, 3}).status(),
      absl::InvalidArgumentError("cell (0, 3) goes to device 0, core y -1, x "
                                 "3, which is negative"));
  for (const char* map : {"(d0) -> (0, 0, d0)", "(d0, d1) -> (d0, d1)",
                          "(d0, d1)[s0] -> (s0, d0, d1)"}) {
    EXPECT_THAT(
        std::string(CoreOf(Given({8, 8}, map), {0, 0}).status().message()),
        HasSubstr("expected a map of 2 dimensions, as the grid has, to 3 "
                  "results, without symbols; found (d0"));
  }
}

TEST(CheckCores, NamesTheCellsAtFault) {
  const Sizes chip = {8, 8};
  EXPECT_EQ(CheckCores(Given({9, 8}, "(d0, d1) -> (0, d0, d1)"), 1, chip),
            absl::InvalidArgumentError("cell (8, 0) goes to device 0, core y "
                                       "8, x 0, outside of 1 devices of 8x8 "
                                       "cores"));
  EXPECT_EQ(
      CheckCores(Given({8, 8}, "(d0, d1) -> (0, d0, d1 floordiv 2)"), 1, chip),
      absl::InvalidArgumentError("cell (0, 0) and cell (0, 1) both go to "
                                 "device 0, core y 0, x 0"));
  // What createWorkerGrid makes of a mesh of 1x2.
  EXPECT_EQ(
      CheckCores(Given({8, 16}, "(d0, d1) -> (d1 floordiv 8, d0, d1 mod 2)"), 2,
                 chip),
      absl::InvalidArgumentError("cell (0, 0) and cell (0, 2) both go to "
                                 "device 0, core y 0, x 0"));
  EXPECT_EQ(CheckCores(Given({kLarge, 8}, "(d0, d1) -> (0, d0, d1)"), 1, chip),
            absl::ResourceExhaustedError("a grid of 4611686018427387904x8 has "
                                         "more than 65536 cells to check"));
  EXPECT_EQ(CheckCores(*DefaultWorkerGrid({1, 1}, chip), 0, chip),
            absl::InvalidArgumentError(
                "the number of devices is 0; expected at least 1"));
}

TEST(CommonChipGrid, IsTheLeastOfEach) {
  ChipDescription harvested;
  harvested.grid_rows = 7;
  ChipDescription narrow;
  narrow.grid_columns = 6;
  EXPECT_THAT(*CommonChipGrid({ChipDescription()}), ElementsAre(8, 8));
  EXPECT_THAT(*CommonChipGrid({ChipDescription(), harvested, narrow}),
              ElementsAre(7, 6));
  EXPECT_EQ(CommonChipGrid({}).status(),
            absl::InvalidArgumentError("expected at least one chip"));
  narrow.grid_columns = 0;
  EXPECT_EQ(CommonChipGrid({harvested, narrow}).status(),
            absl::InvalidArgumentError(
                "the number of columns of chip 1 is 0; expected at least 1"));
}

Device TwoChips() {
  Device device;
  device.workers = *DefaultWorkerGrid({1, 2}, {8, 8});
  device.l1_map = *ParseAffineMap(
      "(d0, d1, d2)[s0] -> (d1 floordiv 8, d0, d1 mod 8, d2 + s0)");
  device.dram_map = *ParseAffineMap("(d0, d1, d2) -> (0, 0, 0, d2)");
  device.mesh_shape = {1, 2};
  device.chip_ids = {0, 1};
  return device;
}

TEST(VerifyDevice, InTheWordsOfTheReference) {
  EXPECT_THAT(VerifyDevice(TwoChips()), IsOk());
  EXPECT_EQ(
      TwoChips().ToString(),
      "#tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> (d1 floordiv 8, d0, "
      "d1 mod 8)>, l1Map = (d0, d1, d2)[s0] -> (d1 floordiv 8, d0, d1 mod 8, "
      "d2 + s0), dramMap = (d0, d1, d2) -> (0, 0, 0, d2), meshShape = 1x2, "
      "chipIds = [0, 1]>");

  struct Case {
    void (*change)(Device* device);
    const char* message;
  };
  for (const Case& c : {
           Case{[](Device* device) { device->chip_ids.clear(); },
                "expected at least one chip"},
           Case{[](Device* device) { device->chip_ids = {0}; },
                "expected chipIds size to match the volume of meshShape"},
           Case{[](Device* device) {
                  device->mesh_shape = {-1, -2};
                },
                "expected chipIds size to match the volume of meshShape"},
           Case{[](Device* device) {
                  device->mesh_shape = {kLarge, kLarge};
                },
                "expected chipIds size to match the volume of meshShape"},
           Case{[](Device* device) { device->workers.shape[1] = 0; },
                "expected positive grid dimensions"},
           Case{[](Device* device) {
                  device->workers.map = AffineMap::Identity(2);
                },
                "expected physical grid mapping to have "
                "PhysGridResultIdx::NumIndices results"},
           Case{[](Device* device) { device->l1_map = AffineMap(); },
                "expected l1Map to have MemoryMapResultIdx::NumIndices "
                "results"},
           Case{[](Device* device) { device->dram_map = AffineMap(); },
                "expected dramMap to have MemoryMapResultIdx::NumIndices "
                "results"},
       }) {
    Device device = TwoChips();
    c.change(&device);
    EXPECT_EQ(VerifyDevice(device), absl::InvalidArgumentError(c.message));
  }
}

TEST(ShardLayout, BuffersMultiplyTheSizeAndLeaveTheStrides) {
  ShardLayout shard;
  shard.shape = {4096, 1024};
  shard.element_bytes = 4;
  shard.buffers = 2;
  EXPECT_THAT(*ByteStrides(shard), ElementsAre(4096, 4));
  EXPECT_EQ(*ShardBytes(shard), 2 * 4096 * 4096);
  shard.shape = {};
  EXPECT_THAT(*ByteStrides(shard), ElementsAre());
  EXPECT_EQ(*ShardBytes(shard), 8);
}

TEST(ShardLayout, RefusesSizesThatMakeNoSense) {
  ShardLayout shard;
  EXPECT_EQ(ShardBytes(shard).status(),
            absl::InvalidArgumentError("the size of an element in bytes is 0; "
                                       "expected at least 1"));
  shard.element_bytes = 4;
  shard.buffers = 0;
  EXPECT_EQ(ByteStrides(shard).status(),
            absl::InvalidArgumentError(
                "the number of buffers is 0; expected at least 1"));
  shard.buffers = 1;
  shard.shape = {2, -1};
  EXPECT_EQ(ShardBytes(shard).status(),
            absl::InvalidArgumentError("shard[1] = -1; expected at least 1"));
  shard.shape = {kLarge, 2};
  EXPECT_EQ(ByteStrides(shard).status(),
            absl::OutOfRangeError("the size of a shard in bytes, "
                                  "4611686018427387904 * 2 * 4 * 1, exceeds "
                                  "2^63-1"));
}

TEST(L1Address, CountsElementsInRowMajorOrder) {
  ShardLayout shard;
  shard.shape = {2, 3, 5};
  shard.element_bytes = 1088;
  const PhysicalCore core = {1, 2, 3};
  ForEachCell(shard.shape, [&](int64_t number, const Sizes& offset) {
    const L1Address address = *L1AddressOf(core, shard, offset, 100);
    EXPECT_EQ(address.core, core);
    EXPECT_EQ(address.address, 100 + number * 1088);
    const Dimensions strides = *ByteStrides(shard);
    int64_t sum = 100;
    for (size_t dim = 0; dim < 3; ++dim) sum += strides[dim] * offset[dim];
    EXPECT_EQ(address.address, sum);
  });
  EXPECT_EQ(L1AddressOf(core, shard, {2, 0, 0}, 0).status(),
            absl::OutOfRangeError("offset[0] = 2 is outside [0, 2)"));
  EXPECT_EQ(L1AddressOf(core, shard, {0, 0, 0}, -1).status(),
            absl::InvalidArgumentError(
                "the base address is -1; expected at least 0"));
  EXPECT_EQ(L1AddressOf(core, shard, {0, 0, 0}, INT64_MAX).status(),
            absl::OutOfRangeError("a shard of 32640 bytes at "
                                  "9223372036854775807 ends past 2^63-1"));
}

TEST(DramAddress, FillsPageAfterPage) {
  DramInterleaving dram;
  dram.page_bytes = 3;
  dram.num_banks = 4;
  dram.base = 50;
  // Where the next byte of each bank goes.
  std::vector<int64_t> next(dram.num_banks, dram.base);
  for (int64_t flat = 0; flat < 200; ++flat) {
    const DramAddress address = *DramAddressOf(flat, dram);
    EXPECT_EQ(address.device, 0);
    EXPECT_EQ(address.page, flat / 3);
    EXPECT_EQ(address.bank, flat / 3 % 4);
    EXPECT_EQ(address.address, next[address.bank]++) << flat;
  }
}

TEST(DramAddress, BytesThatTheOldFormulaPutOnOneAddress) {
  const DramAddress low = *DramAddressOf(1, DramInterleaving());
  const DramAddress high = *DramAddressOf(98304, DramInterleaving());
  EXPECT_EQ(low.bank, high.bank);
  EXPECT_EQ(low.address, 1);
  EXPECT_EQ(high.address, 8192);
}

TEST(DramAddress, RefusesNumbersOutsideTheirRange) {
  DramInterleaving dram;
  EXPECT_EQ(DramAddressOf(-1, dram).status(),
            absl::InvalidArgumentError(
                "the number of a byte is -1; expected at least 0"));
  dram.page_bytes = 0;
  EXPECT_EQ(DramAddressOf(0, dram).status(),
            absl::InvalidArgumentError(
                "the size of a page is 0; expected at least 1"));
  dram.page_bytes = INT64_MAX;
  dram.num_banks = 0;
  EXPECT_EQ(DramAddressOf(0, dram).status(),
            absl::InvalidArgumentError(
                "the number of banks is 0; expected at least 1"));
  dram.num_banks = INT64_MAX;
  EXPECT_EQ(DramAddressOf(INT64_MAX, dram)->page, 1);
  dram.base = INT64_MAX;
  EXPECT_EQ(DramAddressOf(1, dram).status(),
            absl::OutOfRangeError(
                "the address 9223372036854775807 + 1 exceeds 2^63-1"));
}

TEST(DramByte, ShardsLieOneAfterTheOther) {
  const Sizes grid = {2, 3};
  ForEachCell(grid, [&](int64_t number, const Sizes& cell) {
    EXPECT_EQ(*DramByteOf(grid, cell, 100, 7), number * 100 + 7);
  });
  EXPECT_EQ(DramByteOf(grid, {2, 0}, 100, 7).status(),
            absl::OutOfRangeError("cell[0] = 2 is outside [0, 2)"));
  EXPECT_EQ(DramByteOf(grid, {0, 0}, 100, 100).status(),
            absl::OutOfRangeError("offset = 100 is outside [0, 100)"));
  EXPECT_EQ(DramByteOf(grid, {0, 0}, 0, 0).status(),
            absl::InvalidArgumentError(
                "the size of a shard in bytes is 0; expected at least 1"));
  EXPECT_EQ(DramByteOf(grid, {0, 0}, kLarge, 0).status(),
            absl::OutOfRangeError("the size of the tensor in bytes, 2 * 3 * "
                                  "4611686018427387904, exceeds 2^63-1"));
}

}  // namespace
}  // namespace tessera::tenstorrent
