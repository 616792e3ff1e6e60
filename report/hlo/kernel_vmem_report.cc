#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

Table BlockTable(const KernelVmemResult& result, const Display& display) {
  const bool has_padding = std::any_of(
      result.blocks().begin(), result.blocks().end(),
      [](const KernelVmemBlock& block) { return block.has_most_padded(); });
  Table table({{"takes", Table::kRight},
               {"buffers", Table::kRight},
               {"one takes", Table::kRight},
               {"padding", Table::kRight, has_padding},
               {"padded most", Table::kLeft, has_padding},
               {"of", Table::kLeft},
               {"shape in VMEM", Table::kLeft}});
  for (const KernelVmemBlock& block : result.blocks()) {
    table.AddRow({HumanBytes(block.total_bytes()), HumanCount(block.buffers()),
                  HumanBytes(block.padded_bytes()),
                  HumanPercent(block.padded_bytes() - block.unpadded_bytes(),
                               block.padded_bytes()),
                  HumanBlame(block.most_padded(), Arrow(display)),
                  block.is_scratch() ? "scratch" : "block", block.shape()});
  }
  return table;
}

}  // namespace

std::string KernelVmemToText(const KernelVmemResult& result,
                             const Display& display) {
  std::string out = absl::StrCat(
      "The blocks of the kernel take ",
      Paint(HumanBytes(result.total_bytes()), Color::kYellow, display),
      " of scoped VMEM\n");
  for (const KernelVmemLimit& limit : result.limits()) {
    const int64_t over = result.total_bytes() - limit.limit_bytes();
    const bool is_given = limit.generations().empty();
    StrAppend(
        &out, kIndent,
        limit.fits() ? Paint("fits", Color::kGreen, display)
                     : Paint("does not fit", Color::kRed, display),
        is_given ? ""
                 : absl::StrCat(" ", absl::StrJoin(limit.generations(), ", ")),
        ": ", HumanPercent(result.total_bytes(), limit.limit_bytes()),
        is_given ? " of the given limit, " : " of the limit, ",
        HumanBytes(limit.limit_bytes()),
        limit.fits() ? "" : absl::StrCat("; ", HumanBytes(over), " too much"),
        "\n");
  }
  StrAppend(&out, "\n", BlockTable(result, display).ToString(kIndent, display),
            "\n", kIndent,
            "The compiler adds memory of its own. Operands and results "
            "that XLA keeps\n",
            kIndent, "in VMEM as a whole do not count.\n");
  return out;
}

}  // namespace tessera
