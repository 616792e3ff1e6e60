// Computes how much memory a tensor takes on a card, and finds the bank or core
// of each of its elements and the offset there.
//
//   // bf16 in tiles, interleaved over the twelve banks of a Wormhole's DRAM.
//   BufferSpec spec;
//   spec.shape = {3, 40, 70};
//   spec.element = {DataType::kBF16, TileShape{32, 32}};
//   spec.buffer_type = BufferType::kDram;
//   const absl::StatusOr<Buffer> buffer = Buffer::Create(spec);
//   buffer->sizes().page_bytes;              // 2048: a tile
//   buffer->sizes().pages;                   // 18: 3x2x3 tiles
//   buffer->sizes().content_bytes;           // 36864
//   buffer->sizes().taken_per_bank;          // 4096: two pages
//
//   const absl::StatusOr<BufferPlace> place = buffer->PlaceOf({2, 33, 5});
//   place->page.number;                      // 15
//   *place->page.bank;                       // 3: 15 mod 12
//   place->page.offset;                      // 2048, in the bank
//   place->byte;                             // 42, in the page
//   // And back.
//   BankPlace in_bank;
//   in_bank.bank = 3;
//   in_bank.byte = 2048 + 42;
//   buffer->At(in_bank)->index;              // {2, 33, 5}
//
//   // The same in shards of 64x96, a matrix each, on the cores (1,0) to (1,2).
//   spec.buffer_type = BufferType::kL1;
//   spec.sharding.emplace();
//   spec.sharding->shard = {64, 96};
//   spec.sharding->cores = {{{1, 0}, {1, 2}}};
//   const absl::StatusOr<Buffer> sharded = Buffer::Create(spec);
//   sharded->sizes().taken_per_bank;         // 12288
//   sharded->PlaceOf({2, 33, 5})->page.core->y;   // 2
//
// A size has up to three values:
//
// - written: the bytes of the memref of a layout (layout_buffer.h);
// - content: the pages of the padded tensor, without alignment;
// - taken: the bytes that the allocator takes. Pages are aligned, and the bytes
//   from a bank are a multiple of a unit. These fill L1 and DRAM.
//
// The rules below determine how interleaved tensors are allocated, whatever
// their memref is. For sharded tensors, the written shard determines it.
//
// The rules of Tenstorrent's runtime, ttnn 0.81.1:
//
// 1. The last two sizes of a tensor in tiles are rounded up to whole tiles.
// 2. A page is one tile. Without tiles it is one row of the shard or, if the
//    tensor is interleaved, of the tensor. Pages are numbered row-major over
//    the tensor.
// 3. Pages are aligned to 16 bytes in L1, and to 32 (Wormhole) or 64
//    (Blackhole) in DRAM. In system memory they are not aligned.
// 4. In an interleaved tensor, page p is in bank p mod B, where it is number p
//    div B.
// 5. In a sharded tensor, a shard holds its pages row-major, including padding.
//    Shards are numbered row-major. A shard with fewer sizes than the tensor
//    cuts the tensor after its first sizes are joined.
// 6. round_robin_1d puts shard n on core n mod C, where it is number n div C.
//    Cores are counted one range after the other, as written, and in each range
//    row by row, or column by column if the orientation is col_major.
// 7. grid_2d puts the shard (r, c) on the core (x0 + c, y0 + r) of one range,
//    or on (x0 + r, y0 + c) if the orientation is col_major.
// 8. The bytes taken from a bank are those of its aligned pages, rounded up to
//    32 bytes (Wormhole) or 64 (Blackhole). As much is allocated in every bank
//    as in the fullest one, because banks are allocated in lock-step.
//
// The bank of an interleaved page in L1 belongs to a core, but that core is not
// public. So a place has a bank or a core, never both.

#ifndef TESSERA_TENSTORRENT_BUFFER_BUFFER_H_
#define TESSERA_TENSTORRENT_BUFFER_BUFFER_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/position_kind.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {

enum class Architecture : uint8_t { kWormholeB0, kBlackhole };

inline constexpr Architecture kArchitectures[] = {Architecture::kWormholeB0,
                                                  Architecture::kBlackhole};

// Returns the name: "wormhole_b0", "blackhole".
std::string_view KeywordOf(Architecture architecture);
std::optional<Architecture> ArchitectureOf(std::string_view keyword);

// Returns a usual chip: for Wormhole 12 banks of DRAM and 8x8 cores that give
// L1; for Blackhole 8 banks and 10x13 cores. Cards and versions of the runtime
// differ, so a caller who prints numbers that depend on banks should name the
// chip.
ChipDescription UsualChip(Architecture architecture);

// Returns the number of banks over which tensors of that type are interleaved:
// the channels of DRAM, or the cores of the grid. 1 in system memory.
int64_t BanksOf(BufferType type, const ChipDescription& chip);

// The shards of a tensor, and their places.
struct Sharding {
  // The sizes of a shard, in scalars; at most as many as the tensor has, or
  // two.
  Dimensions shard;
  // The cores in L1, or the banks of DRAM: bank x has the coordinates (x, 0).
  // If empty, the cores are not known, and each holds at most one shard.
  CoreRanges cores;
  ShardOrientation orientation = ShardOrientation::kRowMajor;
  ShardDistribution distribution = ShardDistribution::kRoundRobin1d;
  // If this is height, width or block sharded, ttnn's rules for it are checked,
  // and the tensor is cut as a matrix.
  std::optional<TensorMemoryLayout> memory_layout = std::nullopt;
};

struct BufferSpec {
  Dimensions shape;  // of the tensor, in elements
  // A tile, or a scalar for a row-major tensor.
  ElementType element;
  BufferType buffer_type = BufferType::kDram;
  // Absent if the tensor is interleaved.
  std::optional<Sharding> sharding = std::nullopt;
  // The padded sizes that a program of 2024 chose itself, one for each size of
  // the tensor. Empty: by the rules.
  Dimensions padded_shape = {};
};

struct BufferSizes {
  int64_t page_bytes = 0;
  int64_t aligned_page_bytes = 0;
  int64_t pages = 0;  // of the padded tensor
  // The number of places for pages in the fullest bank or core, including the
  // padding of shards.
  int64_t pages_per_bank = 0;
  int64_t banks_in_use = 0;  // banks or cores that hold a page
  // pages * page_bytes, and pages_per_bank * page_bytes.
  int64_t content_bytes = 0;
  int64_t content_per_bank = 0;
  // The aligned pages of all banks, with the padding of shards.
  int64_t taken_bytes = 0;
  // The bytes that are taken from each bank, in use or not.
  int64_t taken_per_bank = 0;
  // The pages of a shard, padding included, and their bytes without and with
  // the alignment of pages; 0 if interleaved.
  int64_t pages_per_shard = 0;
  int64_t content_per_shard = 0;
  int64_t taken_per_shard = 0;
};

struct PagePlace {
  int64_t number = 0;
  // The bank, if the tensor is interleaved or sharded in DRAM.
  std::optional<int64_t> bank;
  // The core, if the tensor is sharded in L1 and the cores are known.
  std::optional<CoreCoordinate> core;
  // The number of the shard, if there are shards.
  std::optional<int64_t> shard;
  // The bytes from the start of the buffer in that bank or core.
  int64_t offset = 0;
};

struct BufferPlace {
  PagePlace page;
  // The start of the element in the page, in bytes plus remaining bits.
  int64_t byte = 0;
  int64_t bit = 0;
  // For a block float: the byte of its shared exponent in the page.
  std::optional<int64_t> exponent_byte;

  // The bytes from the start of the buffer in the bank.
  int64_t offset() const { return page.offset + byte; }
};

// A byte of a bank or core, or of a page.
struct BankPlace {
  // At most one of these is set; none in system memory or if there is a page.
  std::optional<int64_t> bank;
  std::optional<CoreCoordinate> core;
  // A page, numbered as in PagePlace.
  std::optional<int64_t> page;
  // The bytes from the start of the buffer in the bank or core, or from the
  // start of the page.
  int64_t byte = 0;
  int64_t bit = 0;
};

class Buffer {
 public:
  // Returns the buffer of `spec` on `chip`.
  //
  // Errors, each with its rule (rule.h): kOutOfRange with kSizeOverflow, and
  // kInvalidArgument with
  //
  //   - kTensorSize, kTileRank, kTileType and kBlockFloat as Geometry::Create;
  //   - kDimAlignments if a padded size is less than the tensor's;
  //   - kMemRefShape if the shard is not in whole tiles, has a size below 1
  //     or too many sizes, or does not have the width or height that the memory
  //     layout requires;
  //   - kCoreRanges if there are more shards than cores, a range ends before it
  //     starts, grid_2d does not have exactly one range and two sizes, or the
  //     row of a DRAM bank is not 0.
  static absl::StatusOr<Buffer> Create(
      BufferSpec spec,
      const ChipDescription& chip = UsualChip(Architecture::kWormholeB0));

  const BufferSpec& spec() const { return spec_; }
  const BufferSizes& sizes() const { return sizes_; }
  // The number of banks over which pages are interleaved, or the number of
  // cores in the ranges.
  int64_t banks() const { return banks_; }
  // The shape with which it is allocated: in whole tiles, or in whole widths of
  // a shard.
  const Dimensions& padded_shape() const { return padded_; }
  // The number of shards along each size of the shard; empty if interleaved.
  const Dimensions& shard_grid() const { return shard_grid_; }
  // The number of pages of a shard along each of its sizes; empty if
  // interleaved.
  const Dimensions& shard_pages() const { return shard_pages_; }

  // Errors: kOutOfRange if there is no such page.
  absl::StatusOr<PagePlace> PlaceOfPage(int64_t page) const;
  // Errors: kInvalidArgument if `index` does not have the tensor's rank,
  // kOutOfRange if it is outside the tensor.
  absl::StatusOr<BufferPlace> PlaceOf(absl::Span<const int64_t> index) const;
  // Returns the element that the byte belongs to, or the padding: kPadding in
  // the last tiles, kGridPadding in the last shards, and kGap between pages,
  // after the last page and at the exponents of a block float. Errors:
  // kInvalidArgument if the place names a bank but the buffer has cores, or
  // vice versa; kOutOfRange if there is no such bank, core, page or byte.
  absl::StatusOr<Place> At(const BankPlace& place) const;
  // Returns the core of a shard; nullopt if the cores are not known, or if
  // shards are in banks of DRAM. Precondition: there is such a shard.
  std::optional<CoreCoordinate> CoreOfShard(int64_t shard) const;

 private:
  Buffer() = default;

  absl::Status CutIntoPages();
  absl::Status CutIntoShards();
  absl::Status CheckShards() const;
  absl::Status Count(const ChipDescription& chip);
  // Returns the core of a shard, or the coordinates of its bank.
  CoreCoordinate TargetOfShard(int64_t shard) const;
  PagePlace PlaceOfKnownPage(int64_t page) const;
  // Finds the shards of a core or bank: the number of the first and the step to
  // the next. Errors: those of At.
  absl::Status FindShards(const BankPlace& place, int64_t* first,
                          int64_t* step) const;
  // Finds the page of a byte in its bank, and the byte in the page; -1 in
  // padding. Errors: those of At.
  absl::Status FindPage(const BankPlace& place, int64_t* page, int64_t* byte,
                        PositionKind* padding) const;

  BufferSpec spec_;
  Dimensions padded_;
  // The sizes of a page along the last two sizes of the tensor, in scalars.
  TileShape page_;
  // The pages along each size of the tensor, and along each size that shards
  // cut. The totals are equal.
  Dimensions pages_, cut_pages_;
  Dimensions shard_grid_, shard_pages_;
  int64_t pages_in_shard_ = 0;
  int64_t banks_ = 1;
  BufferSizes sizes_;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_BUFFER_BUFFER_H_
