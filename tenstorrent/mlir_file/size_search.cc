#include "tessera/tenstorrent/mlir_file/size_search.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_cursor.h"

namespace tessera::tenstorrent {
namespace {

// Reads "512 B" after `words`, and moves `text` past both.
std::optional<int64_t> NumberBehind(std::string_view words,
                                    std::string_view* text) {
  const size_t at = text->find(words);
  if (at == std::string_view::npos) return std::nullopt;
  MlirCursor cursor(*text, at + words.size());
  int64_t number;
  if (!cursor.TakeDecimalNumber(&number)) return std::nullopt;
  text->remove_prefix(cursor.position() - text->data());
  return number;
}

// Returns the bytes that the runtime requests; nullopt past 2^63-1.
std::optional<int64_t> RequestedBytes(const FileItem& item) {
  const ItemSizes& sizes = *item.sizes;
  if (!item.is_sharded) return sizes.content;
  // For a sharded tensor, all shards in full.
  return CheckedMultiply(sizes.content_per_bank, sizes.banks_in_use);
}

bool FitsBanks(const FileItem& item, const MemoryRequest& request) {
  if (!request.bytes_per_bank.has_value()) return true;
  const ItemSizes& sizes = *item.sizes;
  if (item.is_sharded || !sizes.pages.has_value() || !sizes.page.has_value()) {
    return sizes.content_per_bank == *request.bytes_per_bank;
  }
  const int64_t banks =
      std::max<int64_t>(1, request.banks.value_or(sizes.banks_in_use));
  return CheckedMultiply(CeilOfRatio(*sizes.pages, banks), *sizes.page) ==
         request.bytes_per_bank;
}

std::optional<SizeMatch::What> Compare(const FileItem& item,
                                       const MemoryRequest& request) {
  const ItemSizes& sizes = *item.sizes;
  const bool is_in_all =
      RequestedBytes(item) == request.bytes || sizes.content == request.bytes;
  if (request.space.has_value() && *request.space != item.space) {
    if (is_in_all && item.space != MemorySpace::kSystem) {
      return SizeMatch::kOtherSpace;
    }
    return std::nullopt;
  }
  if (is_in_all) {
    return FitsBanks(item, request) ? SizeMatch::kEachBank : SizeMatch::kInAll;
  }
  if (sizes.taken == request.bytes) return SizeMatch::kTaken;
  // The message gives the size in all banks.
  if (!request.bytes_per_bank.has_value() &&
      (sizes.taken_per_bank == request.bytes ||
       sizes.content_per_bank == request.bytes ||
       sizes.written_per_bank == request.bytes)) {
    return SizeMatch::kPerBank;
  }
  return std::nullopt;
}

}  // namespace

std::string_view NameOf(SizeMatch::What what) {
  constexpr std::string_view kNames[] = {
      "in all banks and in each", "in all banks, but not in each",
      "in all banks, with aligned pages", "in one bank",
      "in all banks of another memory"};
  return kNames[what];
}

absl::StatusOr<MemoryRequest> ParseOutOfMemory(std::string_view text) {
  MemoryRequest request;
  std::string_view rest = text;
  const std::optional<int64_t> bytes = NumberBehind("allocate ", &rest);
  if (!bytes.has_value()) {
    return absl::InvalidArgumentError(
        "expected a message such as 'Not enough space to allocate 4096 B L1 "
        "buffer across 64 banks, where each bank needs to store 2048 B'");
  }
  request.bytes = *bytes;
  MlirCursor words(rest, 0);
  if (words.TakeKeyword("B")) {
    const std::string_view memory = words.TakeIdentifier();
    if (StartsWith(memory, "L1")) request.space = MemorySpace::kDeviceL1;
    if (memory == "DRAM" || memory == "TRACE") {
      request.space = MemorySpace::kDeviceDRAM;
    }
  }
  request.banks = NumberBehind("across ", &rest);
  request.bytes_per_bank = NumberBehind("needs to store ", &rest);
  request.bank_bytes = NumberBehind("bank size is ", &rest);
  return request;
}

std::vector<SizeMatch> FindBySize(absl::Span<const FileItem> items,
                                  const MemoryRequest& request) {
  std::vector<SizeMatch> matches;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].kind == FileItem::kLayout || !items[i].sizes.has_value()) {
      continue;
    }
    const std::optional<SizeMatch::What> what = Compare(items[i], request);
    if (what.has_value()) {
      matches.push_back({static_cast<int64_t>(i), *what});
    }
  }
  std::stable_sort(
      matches.begin(), matches.end(),
      [](const SizeMatch& a, const SizeMatch& b) { return a.what < b.what; });
  if (!matches.empty() && matches.front().what == SizeMatch::kEachBank) {
    matches.erase(std::find_if(matches.begin(), matches.end(),
                               [](const SizeMatch& match) {
                                 return match.what != SizeMatch::kEachBank;
                               }),
                  matches.end());
  }
  return matches;
}

}  // namespace tessera::tenstorrent
