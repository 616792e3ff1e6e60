#include "tessera/cli/layout/tensor_description.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/layout/buffer_text.h"
#include "tessera/cli/layout/tt_tensor.h"
#include "tessera/cli/output/fact.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera::cli {
namespace {

// "0..1", "2".
std::string RangeText(int64_t first, int64_t last) {
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

std::string PaddingText(int64_t count, const TensorDescription& tensor) {
  if (count == 0) return "none";
  return absl::StrCat(count, " (", HumanPercent(count, tensor.position_count()),
                      ")");
}

std::string GridText(const TensorDescription& tensor) {
  return absl::StrCat(SizesText(tensor.grid()),
                      tensor.tiles_first() ? ", tiles first, then grid"
                                           : ", grid first, then tiles");
}

std::string ShardText(const TensorDescription& tensor) {
  const std::string shard = SizesText(tensor.shard());
  if (tensor.tile_shape().empty()) return shard;
  return absl::StrCat(shard, ", in ", SizesText(tensor.memref()), " tiles of ",
                      SizesText(tensor.tile_shape()));
}

std::string BytesText(const TensorDescription& tensor) {
  std::string text = absl::StrCat(tensor.bytes_per_shard(), " per shard");
  if (tensor.exponent_bytes() > 0) {
    absl::StrAppend(&text, ", tiles of ", tensor.element_bytes(), " = ",
                    tensor.element_bytes() - tensor.exponent_bytes(), " and ",
                    tensor.exponent_bytes(), " of exponents");
  }
  return absl::StrCat(text, "; ", tensor.bytes(), " in all",
                      tensor.bytes() >= 1024
                          ? absl::StrCat(" (", HumanBytes(tensor.bytes()), ")")
                          : "");
}

std::string ElementsText(const TensorDescription& tensor) {
  const int64_t all = tensor.position_count();
  std::string text = absl::StrCat(tensor.elements(), " of ", all, " positions");
  if (all != tensor.elements() && tensor.elements() > 0) {
    absl::StrAppend(&text, ", ", HumanFactor(all, tensor.elements()),
                    " allocated");
  }
  return text;
}

// Returns whether the sizes by the rules are set.
bool HasPlacement(const TensorDescription& tensor) {
  return tensor.reason().empty();
}

// Appends the memref if it is not the shard by the rules.
void AppendWritten(const TensorDescription& tensor, Facts* facts) {
  if (!tensor.has_written_bytes() ||
      (HasPlacement(tensor) && tensor.written_bytes() == tensor.bytes())) {
    return;
  }
  facts->push_back(
      {"written", absl::StrCat(tensor.written_bytes_per_shard(), " per shard; ",
                               tensor.written_bytes(), " in all")});
}

Facts ToFacts(const TensorDescription& tensor) {
  Facts facts = {{"shape", SizesText(tensor.shape())}};
  if (HasPlacement(tensor)) {
    facts.insert(facts.end(), {{"extent", SizesText(tensor.extent())},
                               {"grid", GridText(tensor)},
                               {"shard", ShardText(tensor)},
                               {"bytes", BytesText(tensor)}});
  } else {
    facts.insert(facts.end(),
                 {{"grid", SizesText(tensor.grid())},
                  {"memref", absl::StrCat(SizesText(tensor.memref()), " of ",
                                          tensor.element())}});
  }
  AppendWritten(tensor, &facts);
  if (tensor.has_buffer()) {
    const Facts buffer = BufferFacts(tensor.buffer());
    facts.insert(facts.end(), buffer.begin(), buffer.end());
  }
  facts.push_back({"memory space", tensor.memory_space_name()});
  if (!HasPlacement(tensor)) return facts;
  if (!tensor.storage_grid().empty()) {
    facts.push_back(
        {"storage", absl::StrCat("cells ", SizesText(tensor.storage_grid()),
                                 " of ", SizesText(tensor.storage_memref()),
                                 ", which index and coords name")});
  }
  int64_t cells = 1;
  for (const int64_t size : tensor.grid()) cells *= size;
  facts.insert(
      facts.end(),
      {{"elements", ElementsText(tensor)},
       {"tile padding", PaddingText(tensor.tile_padding(), tensor)},
       {"grid padding", PaddingText(tensor.grid_padding(), tensor)},
       {"gaps", PaddingText(tensor.gaps(), tensor)},
       {"padding holds",
        tensor.has_oob_value() ? tensor.oob_value() : "not said"},
       {"empty cells", absl::StrCat(tensor.empty_cells(), " of ", cells)}});
  return facts;
}

std::string BoxesText(const TensorDescription& tensor, const Display& display) {
  Table table({{"cells", Table::kLeft},
               {"number", Table::kRight},
               {"valid box", Table::kRight}});
  for (const CellBoxSizes& box : tensor.cell_boxes()) {
    std::vector<std::string> ranges;
    int64_t count = 1;
    for (int i = 0; i < box.first_size(); ++i) {
      ranges.push_back(RangeText(box.first(i), box.last(i)));
      count *= box.last(i) - box.first(i) + 1;
    }
    const bool is_empty = std::find(box.valid().begin(), box.valid().end(),
                                    0) != box.valid().end();
    table.AddRow({absl::StrCat("(", absl::StrJoin(ranges, ", "), ")"),
                  absl::StrCat(count),
                  is_empty ? "empty" : SizesText(box.valid())});
  }
  return table.ToString(kIndent, display);
}

}  // namespace

std::string TensorDescriptionToText(const TensorDescription& tensor,
                                    const Display& display) {
  constexpr size_t kNameWidth = 16;
  std::string out = FactsToText(ToFacts(tensor), kNameWidth, display, kIndent);
  if (HasPlacement(tensor)) {
    absl::StrAppend(&out, "\n", BoxesText(tensor, display));
  }
  for (const RuleFinding& error : tensor.errors()) {
    StrAppend(&out, "\n", kIndent, ErrorText(error, display));
  }
  for (const RuleFinding& warning : tensor.warnings()) {
    StrAppend(&out, "\n", kIndent, WarningText(warning, display));
  }
  if (!tensor.errors().empty() || !tensor.warnings().empty()) {
    out.push_back('\n');
  }
  return out;
}

std::string TensorDescriptionToLine(const TensorDescription& tensor) {
  return absl::StrJoin(ToFacts(tensor), "; ", absl::PairFormatter(" "));
}

}  // namespace tessera::cli
