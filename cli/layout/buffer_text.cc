#include "tessera/cli/layout/buffer_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/report/text/units.h"

namespace tessera::cli {
namespace {

std::string InAll(int64_t bytes) {
  return absl::StrCat(
      bytes, " B in all",
      bytes >= 1024 ? absl::StrCat(" (", HumanBytes(bytes), ")") : "");
}

std::string CoreText(const CoreLocation& core) {
  return absl::StrCat("(", core.x(), ",", core.y(), ")");
}

// "12 banks, usual for wormhole_b0".
std::string BanksText(const TensorBuffer& buffer) {
  return absl::StrCat(Counted(buffer.banks(), "bank"),
                      buffer.has_usual_banks()
                          ? absl::StrCat(", usual for ", buffer.architecture())
                          : "");
}

// Returns the first cores, and the number of the others.
std::string CoresText(const TensorBuffer& buffer) {
  constexpr int kListed = 8;
  std::vector<std::string> cores;
  const int count = buffer.shard_cores_size();
  for (int i = 0; i < std::min(count, kListed); ++i) {
    cores.push_back(CoreText(buffer.shard_cores(i)));
  }
  if (count > kListed)
    cores.push_back(absl::StrCat("and ", count - kListed, " more"));
  return absl::StrCat("x,y of each shard: ", absl::StrJoin(cores, " "));
}

}  // namespace

Facts BufferFacts(const TensorBuffer& buffer) {
  const bool is_sharded = buffer.is_sharded();
  const bool is_one =
      buffer.banks() == 1 && !is_sharded && !buffer.has_usual_banks();
  const std::string noun = is_sharded ? "core" : "bank";
  Facts facts;
  facts.push_back(
      {"pages",
       absl::StrCat(buffer.pages(), " of ", buffer.page_bytes(), " B",
                    buffer.aligned_page_bytes() == buffer.page_bytes()
                        ? ""
                        : absl::StrCat(", each at a multiple of ",
                                       buffer.aligned_page_bytes(), " B"))});
  facts.push_back(
      {"content",
       absl::StrCat(InAll(buffer.content_bytes()),
                    is_one ? ""
                           : absl::StrCat("; ", buffer.content_bytes_per_bank(),
                                          " B of the fullest ", noun))});
  std::string taken = InAll(buffer.taken_bytes());
  if (is_sharded) {
    absl::StrAppend(&taken, "; ", buffer.taken_bytes_per_bank(),
                    " B allocated in each core, ", buffer.banks_in_use(),
                    " of ", buffer.banks(), " hold pages");
  } else if (!is_one) {
    absl::StrAppend(&taken, "; ", buffer.taken_bytes_per_bank(),
                    " B allocated in each of ", BanksText(buffer));
  }
  facts.push_back({"taken", std::move(taken)});
  if (buffer.has_shard()) {
    const ShardSizes& shard = buffer.shard();
    facts.push_back(
        {"shards", absl::StrCat(SizesText(buffer.shard_grid()), " of ",
                                SizesText(shard.shape()), ", each ",
                                Counted(shard.pages(), "page"), ", ",
                                shard.content_bytes(), " B of content, ",
                                shard.taken_bytes(), " B taken")});
  }
  if (!buffer.shard_cores().empty()) {
    facts.push_back({"cores", CoresText(buffer)});
  }
  return facts;
}

Facts BufferLocationFacts(const BufferLocation& location,
                          const TensorBuffer& buffer) {
  const bool is_of_2024 = location.rule() == "tt-mlir 2024";
  Facts facts = {
      {"page", absl::StrCat(location.page(), ", byte ", location.byte_in_page(),
                            is_of_2024 ? ", by tt-mlir's rule of 2024" : "")}};
  std::string place = absl::StrCat("offset ", location.offset());
  if (location.has_exponent_offset()) {
    absl::StrAppend(&place, ", exponent at ", location.exponent_offset());
  }
  if (location.has_address()) {
    absl::StrAppend(&place,
                    absl::StrFormat(", address 0x%x", location.address()));
  }
  std::string shard;
  if (location.has_shard()) {
    shard = absl::StrCat("shard ", location.shard(), ", ");
  }
  if (location.has_core()) {
    facts.push_back(
        {"core", absl::StrCat("x ", location.core().x(), ", y ",
                              location.core().y(), "; ", shard, place)});
  } else if (location.has_bank()) {
    facts.push_back(
        {"bank", absl::StrCat(location.bank(),
                              is_of_2024 || buffer.is_sharded()
                                  ? ""
                                  : absl::StrCat(" of ", BanksText(buffer)),
                              "; ", shard, place)});
  } else {
    facts.push_back({"place", absl::StrCat(shard, place)});
  }
  return facts;
}

}  // namespace tessera::cli
