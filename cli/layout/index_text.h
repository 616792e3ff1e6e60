// Indices and positions as they are written on the command line.
//
//   ParseIndex("2,3")->entries;    // {2, 3}
//   ParseIndex("[2,3]")->entries;  // the same, as for "(2,3)" and "2 3"
//   ParseIndex("()")->entries;     // {}, the one index of a rank-0 array
//   IndexToText({2, 3});           // "2,3"
//   IndexToText({});               // "()"

#ifndef TESSERA_CLI_LAYOUT_INDEX_TEXT_H_
#define TESSERA_CLI_LAYOUT_INDEX_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera::cli {

struct IndexText {
  std::vector<int64_t> entries;
  std::vector<int64_t> offsets;  // where in the text each entry begins
};

// Errors of all of these are kInvalidArgument and carry a diagnostic.
absl::StatusOr<IndexText> ParseIndex(std::string_view text);
absl::StatusOr<int64_t> ParsePosition(std::string_view text);

std::string IndexToText(absl::Span<const int64_t> index);

// "(2,3)", "()".
std::string InParentheses(absl::Span<const int64_t> index);

// Checks that an index, read from `text`, has `rank` entries. Errors:
// kInvalidArgument, about the start of the text.
absl::Status CheckRank(const IndexText& index, std::string_view text,
                       int64_t rank);

// Returns `status`, an error of map.LinearIndex about `index`, with its place
// in `text`.
absl::Status AtBadEntry(const IndexMap& map, const IndexText& index,
                        std::string_view text, const absl::Status& status);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_INDEX_TEXT_H_
