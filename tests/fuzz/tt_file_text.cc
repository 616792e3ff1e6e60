#include "tests/fuzz/tt_file_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"
#include "tessera/tenstorrent/mlir_file/size_search.h"

namespace tessera {
namespace {

using tenstorrent::FileItem;
using tenstorrent::FilePlace;
using tenstorrent::LayoutFile;
using tenstorrent::SpacePeak;

std::string PlaceProblem(std::string_view text, const FilePlace& place,
                         std::string_view written) {
  if (place.offset < 0 || place.offset > static_cast<int64_t>(text.size())) {
    return absl::StrCat("byte ", place.offset, " is not in the text");
  }
  // An escaped bracket, \\u003c, takes six bytes of the text.
  const std::string raw = absl::AsciiStrToLower(
      AbslView(text.substr(place.offset, 6 * written.size())));
  if (text.substr(place.offset, written.size()) != written &&
      !StrContains(raw, "\\u003")) {
    return absl::StrCat("'", AbslView(written), "' is not at byte ",
                        place.offset);
  }
  const std::string_view before = text.substr(0, place.offset);
  const int64_t line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t begin = before.rfind('\n');
  const int64_t column = begin == std::string_view::npos
                             ? place.offset + 1
                             : place.offset - static_cast<int64_t>(begin);
  if (place.line != line || place.column != column) {
    return absl::StrCat("'", AbslView(written), "' is at ", line, ":", column,
                        ", not ", place.line, ":", place.column);
  }
  return "";
}

std::string ItemProblem(std::string_view text, const FileItem& item) {
  if (item.uses + item.alias_uses < 1) {
    return absl::StrCat(item.text, " is not used");
  }
  if (!item.status.ok() && item.sizes.has_value()) {
    return absl::StrCat(item.text, " is not read and has sizes");
  }
  if (item.sizes.has_value() &&
      (item.sizes->taken_per_bank < 0 || item.sizes->taken < 0 ||
       item.sizes->content < 0 || item.sizes->page_padding < 0)) {
    return absl::StrCat(item.text, " has a negative size");
  }
  return PlaceProblem(text, item.first, item.first_text);
}

std::string PeakProblem(const SpacePeak& peak) {
  if (!peak.series.empty() &&
      *std::max_element(peak.series.begin(), peak.series.end()) != peak.peak) {
    return "the peak is not in its series";
  }
  std::optional<int64_t> sum = 0;
  for (const tenstorrent::LiveTensor& live : peak.live) {
    if (live.bytes > (int64_t{1} << 50)) return "";  // sums may be cut
    *sum += live.bytes;
  }
  if (peak.live_count == static_cast<int64_t>(peak.live.size()) &&
      *sum != peak.peak) {
    return absl::StrCat("the peak is ", peak.peak, ", but ", *sum,
                        " bytes are live");
  }
  return "";
}

}  // namespace

std::string TtFileTextProblem(std::string_view text) {
  const LayoutFile file = tenstorrent::ReadLayoutFile(text);
  for (const FileItem& item : file.items) {
    std::string problem = ItemProblem(text, item);
    if (!problem.empty()) return problem;
  }
  for (const tenstorrent::FunctionMemory& function : file.functions) {
    for (const tenstorrent::SpacePeak* peak : {&function.l1, &function.dram}) {
      std::string problem = PeakProblem(*peak);
      if (!problem.empty()) return problem;
    }
  }
  // A blank line before the text changes nothing but lines.
  const std::string moved_text = absl::StrCat("\n", AbslView(text));
  const LayoutFile moved = tenstorrent::ReadLayoutFile(moved_text);
  if (moved.items.size() != file.items.size()) {
    return "a blank line changes the number of types";
  }
  for (size_t i = 0; i < file.items.size(); ++i) {
    if (moved.items[i].uses != file.items[i].uses ||
        moved.items[i].text != file.items[i].text ||
        moved.items[i].first.line != file.items[i].first.line + 1) {
      return absl::StrCat("a blank line changes ", file.items[i].text);
    }
  }
  const absl::StatusOr<tenstorrent::MemoryRequest> request =
      tenstorrent::ParseOutOfMemory(text);
  if (request.ok()) FindBySize(file.items, *request);
  return "";
}

}  // namespace tessera
