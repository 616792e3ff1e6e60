#include "tessera/tenstorrent/buffer/buffer.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/internal/memory_axes.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/text/layout_printing.h"

namespace tessera::tenstorrent {
namespace {

constexpr std::string_view kArchitectureKeywords[] = {"wormhole_b0",
                                                      "blackhole"};

bool IsMatrix(const Sharding& sharding) {
  return sharding.memory_layout.has_value() &&
         IsSharded(*sharding.memory_layout);
}

bool IsInDram(BufferType type) {
  return WholeBufferOf(type) == BufferType::kDram;
}

// Returns the number of cores in a range; the largest int64_t if that does not
// fit. Precondition: the range does not end before it starts.
int64_t CoresIn(const CoreRange& range) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  const std::optional<int64_t> columns =
      CheckedAdd(range.end.x - range.start.x, 1);
  const std::optional<int64_t> rows =
      CheckedAdd(range.end.y - range.start.y, 1);
  return CheckedMultiply(columns.value_or(kMany), rows.value_or(kMany))
      .value_or(kMany);
}

int64_t CoresIn(const CoreRanges& ranges) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  int64_t cores = 0;
  for (const CoreRange& range : ranges) {
    cores = CheckedAdd(cores, CoresIn(range)).value_or(kMany);
  }
  return cores;
}

absl::Status ShardError(const std::string& message) {
  return RuleError(Rule::kMemRefShape, message);
}

absl::Status CoresError(const std::string& message) {
  return RuleError(Rule::kCoreRanges, message);
}

std::string Plural(int64_t count, std::string_view noun) {
  return StrCat(count, " ", noun, count == 1 ? "" : "s");
}

absl::Status CheckRanges(const CoreRanges& ranges, BufferType type,
                         const ChipDescription& chip) {
  for (const CoreRange& range : ranges) {
    if (range.start.x > range.end.x || range.start.y > range.end.y) {
      return CoresError(absl::StrCat("the core range ", range.ToString(),
                                     " ends before it starts"));
    }
    if (!IsInDram(type)) continue;
    if (range.start.y != 0 || range.end.y != 0) {
      return CoresError(absl::StrCat("the banks of DRAM are in row 0, but ",
                                     range.ToString(), " has others"));
    }
    if (range.end.x >= chip.dram_channels) {
      return CoresError(absl::StrCat(range.ToString(), " has other banks than ",
                                     "the ", chip.dram_channels, " of DRAM"));
    }
  }
  return absl::OkStatus();
}

// Splits a row-major number into coordinates.
Dimensions Unfolded(int64_t number, absl::Span<const int64_t> bounds) {
  Dimensions coordinates(bounds.size(), 0);
  for (size_t i = bounds.size(); i-- > 0;) {
    coordinates[i] = number % bounds[i];
    number /= bounds[i];
  }
  return coordinates;
}

}  // namespace

std::string_view KeywordOf(Architecture architecture) {
  return kArchitectureKeywords[static_cast<size_t>(architecture)];
}

std::optional<Architecture> ArchitectureOf(std::string_view keyword) {
  return ValueWithKeyword(keyword, kArchitectures);
}

ChipDescription UsualChip(Architecture architecture) {
  ChipDescription chip;
  if (architecture == Architecture::kBlackhole) {
    chip.grid_rows = 10;
    chip.grid_columns = 13;
    chip.l1_bytes = 1572864;
    chip.dram_channels = 8;
    chip.dram_channel_bytes = int64_t{4} << 30;
    chip.dram_alignment = 64;
    chip.pcie_alignment = 64;
  }
  return chip;
}

int64_t BanksOf(BufferType type, const ChipDescription& chip) {
  switch (WholeBufferOf(type)) {
    case BufferType::kDram:
      return chip.dram_channels;
    case BufferType::kL1:
      return chip.grid_rows * chip.grid_columns;
    default:
      return 1;
  }
}

absl::StatusOr<Buffer> Buffer::Create(BufferSpec spec,
                                      const ChipDescription& chip) {
  TESSERA_RETURN_IF_ERROR(
      CheckSizes({chip.grid_rows, chip.grid_columns, chip.dram_channels,
                  chip.l1_alignment, chip.dram_alignment},
                 "chip"));
  Buffer buffer;
  buffer.spec_ = std::move(spec);
  std::optional<Sharding>& sharding = buffer.spec_.sharding;
  if (sharding.has_value() &&
      sharding->memory_layout == TensorMemoryLayout::kBlockSharded) {
    sharding->distribution = ShardDistribution::kGrid2d;
  }
  TESSERA_RETURN_IF_ERROR(buffer.CutIntoPages());
  if (sharding.has_value()) {
    TESSERA_RETURN_IF_ERROR(
        CheckRanges(sharding->cores, buffer.spec_.buffer_type, chip));
    TESSERA_RETURN_IF_ERROR(buffer.CutIntoShards());
    TESSERA_RETURN_IF_ERROR(buffer.CheckShards());
  }
  TESSERA_RETURN_IF_ERROR(buffer.Count(chip));
  return buffer;
}

absl::Status Buffer::CutIntoPages() {
  const ElementType& element = spec_.element;
  for (absl::Status& error : CheckElement(element)) return std::move(error);
  TESSERA_RETURN_IF_ERROR(CheckSizes(spec_.shape, "shape", 0));
  padded_ = spec_.shape;
  if (!spec_.padded_shape.empty()) {
    TESSERA_RETURN_IF_ERROR(CheckCount(spec_.padded_shape.size(),
                                       spec_.shape.size(), "padded sizes"));
    for (size_t i = 0; i < padded_.size(); ++i) {
      if (spec_.padded_shape[i] < padded_[i]) {
        return RuleError(
            Rule::kDimAlignments,
            absl::StrCat("size ", i, " of the tensor is ", padded_[i],
                         ", but padded it is ", spec_.padded_shape[i]));
      }
    }
    padded_ = spec_.padded_shape;
  }
  if (element.is_tile()) {
    page_ = *element.tile;
    while (padded_.size() < 2) padded_.insert(padded_.begin(), 1);
  } else {
    if (padded_.empty()) padded_.push_back(1);
    page_ = {1, padded_.back()};
    if (spec_.sharding.has_value()) {
      const Dimensions& shard = spec_.sharding->shard;
      if (shard.empty() || shard.back() < 1) {
        return ShardError("a shard has at least one size, each at least 1");
      }
      page_.width = shard.back();
    }
  }
  pages_ = padded_;
  const auto cut = [this](size_t i, int64_t page) -> absl::Status {
    // A row without elements.
    if (page == 0) return absl::OkStatus();
    const std::optional<int64_t> rounded = CheckedRoundUp(padded_[i], page);
    if (!rounded.has_value()) return SizeOverflowError("a padded size");
    padded_[i] = *rounded;
    pages_[i] = *rounded / page;
    return absl::OkStatus();
  };
  const size_t rank = padded_.size();
  TESSERA_RETURN_IF_ERROR(cut(rank - 1, page_.width));
  if (rank > 1) TESSERA_RETURN_IF_ERROR(cut(rank - 2, page_.height));
  const std::optional<int64_t> page_bytes =
      element.is_tile() ? element.bytes()
                        : CheckedMultiply(page_.width, *element.bytes());
  const std::optional<int64_t> pages = CheckedProduct(pages_);
  if (!page_bytes.has_value() || !pages.has_value()) {
    return SizeOverflowError("the number of pages");
  }
  sizes_.page_bytes = *page_bytes;
  sizes_.pages = *pages;
  return absl::OkStatus();
}

absl::Status Buffer::CutIntoShards() {
  const Sharding& sharding = *spec_.sharding;
  const bool is_tiled = spec_.element.is_tile();
  const size_t rank = sharding.shard.size();
  cut_pages_ = pages_;
  if (IsMatrix(sharding)) {
    if (rank != 2) {
      return ShardError(StrCat("a ", KeywordOf(*sharding.memory_layout),
                               " tensor has shards of 2 sizes, not ", rank));
    }
    if (cut_pages_.size() == 1) cut_pages_.insert(cut_pages_.begin(), 1);
  }
  const size_t least = is_tiled ? 2 : 1;
  if (rank < least || rank > cut_pages_.size()) {
    return ShardError(absl::StrCat("the shard has ", Plural(rank, "size"),
                                   ", but the padded tensor has ",
                                   cut_pages_.size()));
  }
  const absl::Span<const int64_t> sizes = cut_pages_;
  const size_t num_joined = sizes.size() - rank + 1;
  // Their product divides the number of pages, or one of them is 0.
  const int64_t joined = CheckedProduct(sizes.first(num_joined)).value_or(0);
  Dimensions cut = {joined};
  cut.insert(cut.end(), sizes.begin() + num_joined, sizes.end());
  cut_pages_ = std::move(cut);

  pages_in_shard_ = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t size = sharding.shard[i];
    const int64_t page = i == rank - 1               ? page_.width
                         : i == rank - 2 && is_tiled ? page_.height
                                                     : 1;
    // tt-mlir writes the shards of a tensor without elements in this way.
    if (size == 0 && KnownProduct(cut_pages_) == 0) {
      shard_pages_.push_back(0);
      shard_grid_.push_back(0);
      pages_in_shard_ = 0;
      continue;
    }
    if (size < 1 || size % page != 0) {
      return ShardError(absl::StrCat(
          "the shard is ", absl::StrJoin(sharding.shard, "x"),
          ", which is not in whole ",
          is_tiled ? absl::StrCat("tiles of ", page_.height, "x", page_.width)
                   : "elements"));
    }
    shard_pages_.push_back(size / page);
    shard_grid_.push_back(CeilOfRatio(cut_pages_[i], shard_pages_[i]));
    const std::optional<int64_t> pages =
        CheckedMultiply(pages_in_shard_, shard_pages_[i]);
    if (!pages.has_value()) return SizeOverflowError("the size of a shard");
    pages_in_shard_ = *pages;
  }
  return absl::OkStatus();
}

absl::Status Buffer::CheckShards() const {
  const Sharding& sharding = *spec_.sharding;
  const int64_t num_shards = KnownProduct(shard_grid_);
  if (num_shards == 0) return absl::OkStatus();
  if (sharding.memory_layout == TensorMemoryLayout::kHeightSharded &&
      padded_.back() != sharding.shard[1]) {
    return ShardError(absl::StrCat("shard width ", sharding.shard[1],
                                   " must match physical width ",
                                   padded_.back(), " for height sharded"));
  }
  if (sharding.memory_layout == TensorMemoryLayout::kWidthSharded &&
      cut_pages_[0] != shard_pages_[0]) {
    return ShardError(absl::StrCat(
        "shard height ", sharding.shard[0], " must match physical height ",
        cut_pages_[0] * page_.height, " for width sharded"));
  }
  if (sharding.cores.empty()) return absl::OkStatus();
  if (sharding.distribution == ShardDistribution::kRoundRobin1d) {
    const int64_t cores = CoresIn(sharding.cores);
    if (!IsMatrix(sharding) || num_shards <= cores) return absl::OkStatus();
    return CoresError(absl::StrCat(Plural(num_shards, "shard"),
                                   " must not exceed ", Plural(cores, "core"),
                                   " of the core ranges"));
  }
  if (sharding.cores.size() != 1 || shard_grid_.size() != 2) {
    return CoresError(absl::StrCat(
        "shards by row and column take one core range and two sizes, not ",
        sharding.cores.size(), " and ", shard_grid_.size()));
  }
  const CoreRange& range = sharding.cores[0];
  const bool by_row = sharding.orientation == ShardOrientation::kRowMajor;
  const int64_t shards_down = shard_grid_[by_row ? 0 : 1];
  const int64_t shards_across = shard_grid_[by_row ? 1 : 0];
  if (shards_down - 1 > range.end.y - range.start.y ||
      shards_across - 1 > range.end.x - range.start.x) {
    return CoresError(StrCat(
        shard_grid_[0], "x", shard_grid_[1], " shards in ",
        KeywordOf(sharding.orientation), " order take ", shards_down, "x",
        shards_across, " cores, more rows or columns than ", range.ToString()));
  }
  return absl::OkStatus();
}

absl::Status Buffer::Count(const ChipDescription& chip) {
  const BufferType type = WholeBufferOf(spec_.buffer_type);
  const bool is_on_card = type != BufferType::kSystemMemory;
  const int64_t alignment = !is_on_card                 ? 1
                            : type == BufferType::kDram ? chip.dram_alignment
                                                        : chip.l1_alignment;
  int64_t places = sizes_.pages;  // with the padding of shards
  if (!spec_.sharding.has_value()) {
    banks_ = BanksOf(type, chip);
    sizes_.pages_per_bank = CeilOfRatio(sizes_.pages, banks_);
    sizes_.banks_in_use = std::min(sizes_.pages, banks_);
  } else {
    const Sharding& sharding = *spec_.sharding;
    const int64_t num_shards = KnownProduct(shard_grid_);
    banks_ = sharding.cores.empty() ? num_shards : CoresIn(sharding.cores);
    const bool is_in_turn =
        sharding.distribution == ShardDistribution::kRoundRobin1d;
    const int64_t shards_per_bank = num_shards == 0 ? 0
                                    : is_in_turn
                                        ? CeilOfRatio(num_shards, banks_)
                                        : 1;
    const std::optional<int64_t> per_bank =
        CheckedMultiply(shards_per_bank, pages_in_shard_);
    const std::optional<int64_t> all =
        CheckedMultiply(num_shards, pages_in_shard_);
    if (!per_bank.has_value() || !all.has_value()) {
      return SizeOverflowError("the memory of all shards");
    }
    sizes_.pages_per_bank = *per_bank;
    sizes_.pages_per_shard = pages_in_shard_;
    sizes_.banks_in_use = std::min(num_shards, banks_);
    places = *all;
  }
  const std::optional<int64_t> aligned =
      CheckedRoundUp(sizes_.page_bytes, alignment);
  const std::optional<int64_t> taken =
      CheckedMultiply(places, aligned.value_or(0));
  const std::optional<int64_t> per_bank =
      CheckedMultiply(sizes_.pages_per_bank, aligned.value_or(0));
  const std::optional<int64_t> rounded = CheckedRoundUp(
      per_bank.value_or(0), is_on_card ? chip.dram_alignment : 1);
  if (!aligned.has_value() || !taken.has_value() || !per_bank.has_value() ||
      !rounded.has_value()) {
    return SizeOverflowError("the memory of the tensor");
  }
  sizes_.aligned_page_bytes = *aligned;
  // Neither exceeds the size of the aligned pages.
  sizes_.content_bytes = sizes_.pages * sizes_.page_bytes;
  sizes_.content_per_bank = sizes_.pages_per_bank * sizes_.page_bytes;
  sizes_.taken_bytes = *taken;
  sizes_.taken_per_bank = *rounded;
  if (KnownProduct(shard_grid_) > 0) {
    sizes_.content_per_shard = sizes_.pages_per_shard * sizes_.page_bytes;
    sizes_.taken_per_shard = sizes_.pages_per_shard * sizes_.aligned_page_bytes;
  }
  return absl::OkStatus();
}

CoreCoordinate Buffer::TargetOfShard(int64_t shard) const {
  const Sharding& sharding = *spec_.sharding;
  const bool by_row = sharding.orientation == ShardOrientation::kRowMajor;
  if (sharding.distribution == ShardDistribution::kGrid2d) {
    const CoreCoordinate& start = sharding.cores[0].start;
    const int64_t row = shard / shard_grid_[1], column = shard % shard_grid_[1];
    return {start.x + (by_row ? column : row),
            start.y + (by_row ? row : column)};
  }
  int64_t left = shard % banks_;
  size_t i = 0;
  for (; left >= CoresIn(sharding.cores[i]); ++i) {
    left -= CoresIn(sharding.cores[i]);
  }
  const CoreRange& range = sharding.cores[i];
  if (by_row) {
    const int64_t columns = range.end.x - range.start.x + 1;
    return {range.start.x + left % columns, range.start.y + left / columns};
  }
  const int64_t rows = range.end.y - range.start.y + 1;
  return {range.start.x + left / rows, range.start.y + left % rows};
}

std::optional<CoreCoordinate> Buffer::CoreOfShard(int64_t shard) const {
  if (spec_.sharding->cores.empty() || IsInDram(spec_.buffer_type)) {
    return std::nullopt;
  }
  return TargetOfShard(shard);
}

PagePlace Buffer::PlaceOfKnownPage(int64_t page) const {
  PagePlace place;
  place.number = page;
  if (!spec_.sharding.has_value()) {
    place.offset = page / banks_ * sizes_.aligned_page_bytes;
    if (WholeBufferOf(spec_.buffer_type) != BufferType::kSystemMemory) {
      place.bank = page % banks_;
    }
    return place;
  }
  const Dimensions coordinates = Unfolded(page, cut_pages_);
  int64_t shard = 0, in_shard = 0;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    shard = shard * shard_grid_[i] + coordinates[i] / shard_pages_[i];
    in_shard = in_shard * shard_pages_[i] + coordinates[i] % shard_pages_[i];
  }
  const bool is_in_turn =
      spec_.sharding->distribution == ShardDistribution::kRoundRobin1d;
  const int64_t slot = is_in_turn ? shard / banks_ : 0;
  place.shard = shard;
  place.offset =
      (slot * pages_in_shard_ + in_shard) * sizes_.aligned_page_bytes;
  if (spec_.sharding->cores.empty()) return place;
  const CoreCoordinate target = TargetOfShard(shard);
  if (IsInDram(spec_.buffer_type)) {
    place.bank = target.x;
  } else {
    place.core = target;
  }
  return place;
}

absl::StatusOr<PagePlace> Buffer::PlaceOfPage(int64_t page) const {
  if (page < 0 || page >= sizes_.pages) {
    return OutOfRangeError("page ", page, " is outside [0, ", sizes_.pages,
                           ")");
  }
  return PlaceOfKnownPage(page);
}

absl::StatusOr<BufferPlace> Buffer::PlaceOf(
    absl::Span<const int64_t> index) const {
  TESSERA_RETURN_IF_ERROR(CheckIndex(index, spec_.shape, "index"));
  Dimensions coordinates(padded_.size() - index.size(), 0);
  coordinates.insert(coordinates.end(), index.begin(), index.end());
  InTile in_page;
  const size_t last = coordinates.size() - 1;
  in_page.column = coordinates[last] % page_.width;
  coordinates[last] /= page_.width;
  if (last > 0) {
    in_page.row = coordinates[last - 1] % page_.height;
    coordinates[last - 1] /= page_.height;
  }
  BufferPlace place;
  place.page = PlaceOfKnownPage(RowMajorNumber(coordinates, pages_));
  const ElementType& element = spec_.element;
  const int64_t bits = BitsOf(element.data_type);
  if (!element.is_tile()) {
    place.byte = in_page.column * bits / 8;
    return place;
  }
  const int64_t position = InFaceOf(page_, in_page).position;
  place.byte = ExponentBytes(element) + position * bits / 8;
  place.bit = position * bits % 8;
  if (IsBlockFloat(element.data_type)) {
    constexpr int64_t kSharers = 16;
    place.exponent_byte = position / kSharers;
  }
  return place;
}

absl::Status Buffer::FindShards(const BankPlace& place, int64_t* first,
                                int64_t* step) const {
  const Sharding& sharding = *spec_.sharding;
  if (sharding.cores.empty()) {
    return absl::InvalidArgumentError(
        "the cores of the shards are not known; name a page");
  }
  const bool is_in_dram = IsInDram(spec_.buffer_type);
  if (is_in_dram ? !place.bank.has_value() : !place.core.has_value()) {
    return absl::InvalidArgumentError(is_in_dram ? "shards in DRAM are in banks"
                                                 : "shards in L1 are on cores");
  }
  const CoreCoordinate core =
      is_in_dram ? CoreCoordinate{*place.bank, 0} : *place.core;
  const bool by_row = sharding.orientation == ShardOrientation::kRowMajor;
  int64_t before = 0;
  for (const CoreRange& range : sharding.cores) {
    const int64_t x = core.x - range.start.x, y = core.y - range.start.y;
    if (core.x < range.start.x || core.x > range.end.x ||
        core.y < range.start.y || core.y > range.end.y) {
      before += CoresIn(range);
      continue;
    }
    const int64_t columns = range.end.x - range.start.x + 1;
    const int64_t rows = range.end.y - range.start.y + 1;
    if (sharding.distribution == ShardDistribution::kRoundRobin1d) {
      *first = before + (by_row ? y * columns + x : x * rows + y);
      *step = banks_;
      return absl::OkStatus();
    }
    const int64_t row = by_row ? y : x, column = by_row ? x : y;
    *step = KnownProduct(shard_grid_);  // one shard on a core
    *first = row < shard_grid_[0] && column < shard_grid_[1]
                 ? row * shard_grid_[1] + column
                 : *step;
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(
      is_in_dram
          ? absl::StrCat("no shard is in bank ", core.x)
          : absl::StrCat("no shard is on core (", core.x, ",", core.y, ")"));
}

absl::Status Buffer::FindPage(const BankPlace& place, int64_t* page,
                              int64_t* byte, PositionKind* padding) const {
  const int64_t number = place.byte / sizes_.aligned_page_bytes;
  *byte = place.byte % sizes_.aligned_page_bytes;
  *page = -1;
  *padding = PositionKind::kGap;
  if (!spec_.sharding.has_value()) {
    const bool is_on_card =
        WholeBufferOf(spec_.buffer_type) != BufferType::kSystemMemory;
    if (place.core.has_value() || is_on_card != place.bank.has_value()) {
      return absl::InvalidArgumentError(
          is_on_card ? "the pages of an interleaved tensor are in banks"
                     : "system memory has no banks or cores");
    }
    const int64_t bank = place.bank.value_or(0);
    if (bank < 0 || bank >= banks_) {
      return OutOfRangeError("bank ", bank, " is outside [0, ", banks_, ")");
    }
    if (number * banks_ + bank < sizes_.pages) *page = number * banks_ + bank;
    return absl::OkStatus();
  }
  int64_t shard, step;
  TESSERA_RETURN_IF_ERROR(FindShards(place, &shard, &step));
  if (pages_in_shard_ == 0) return absl::OkStatus();
  shard += number / pages_in_shard_ * step;
  if (shard >= KnownProduct(shard_grid_)) return absl::OkStatus();
  const Dimensions shards = Unfolded(shard, shard_grid_);
  Dimensions pages = Unfolded(number % pages_in_shard_, shard_pages_);
  for (size_t i = 0; i < pages.size(); ++i) {
    pages[i] += shards[i] * shard_pages_[i];
    if (pages[i] >= cut_pages_[i]) {
      *padding = PositionKind::kGridPadding;
      return absl::OkStatus();
    }
  }
  *page = RowMajorNumber(pages, cut_pages_);
  return absl::OkStatus();
}

absl::StatusOr<Place> Buffer::At(const BankPlace& place) const {
  if (place.byte < 0 || place.bit < 0 || place.bit > 7) {
    return OutOfRangeError("there is no byte ", place.byte, ", bit ",
                           place.bit);
  }
  const int64_t bytes = place.page.has_value() ? sizes_.aligned_page_bytes
                                               : sizes_.taken_per_bank;
  if (place.byte >= bytes) {
    return OutOfRangeError("byte ", place.byte, " is outside [0, ", bytes,
                           ") of the ",
                           place.page.has_value() ? "page" : "bank");
  }
  int64_t page, byte = place.byte;
  Place found;
  if (place.page.has_value()) {
    page = *place.page;
    TESSERA_RETURN_IF_ERROR(PlaceOfPage(page).status());
  } else {
    TESSERA_RETURN_IF_ERROR(FindPage(place, &page, &byte, &found.kind));
    if (page < 0) return found;
  }
  const ElementType& element = spec_.element;
  const int64_t header = element.is_tile() ? ExponentBytes(element) : 0;
  found.kind = PositionKind::kGap;
  if (byte < header || byte >= sizes_.page_bytes) return found;
  const int64_t position =
      ((byte - header) * 8 + place.bit) / BitsOf(element.data_type);
  const InTile in_page =
      element.is_tile() ? ScalarAt(page_, position) : InTile{0, position};
  Dimensions coordinates = Unfolded(page, pages_);
  const size_t last = coordinates.size() - 1;
  coordinates[last] = coordinates[last] * page_.width + in_page.column;
  if (last > 0) {
    coordinates[last - 1] = coordinates[last - 1] * page_.height + in_page.row;
  }
  // Tiles add dimensions of size 1 before the tensor's.
  const size_t added = coordinates.size() - spec_.shape.size();
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const int64_t size = i < added ? 1 : spec_.shape[i - added];
    if (coordinates[i] < size) continue;
    found.kind =
        element.is_tile() ? PositionKind::kPadding : PositionKind::kGridPadding;
    return found;
  }
  found.kind = PositionKind::kElement;
  found.index.assign(coordinates.begin() + added, coordinates.end());
  return found;
}

}  // namespace tessera::tenstorrent
