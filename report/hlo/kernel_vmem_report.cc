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
  std::vector<Table::Column> columns = {{"takes", Table::kRight},
                                        {"buffers", Table::kRight},
                                        {"one takes", Table::kRight}};
  if (has_padding) {
    columns.push_back({"padding", Table::kRight});
    columns.push_back({"padded most", Table::kLeft});
  }
  columns.push_back({"of", Table::kLeft});
  columns.push_back({"shape in VMEM", Table::kLeft});
  Table table(columns);
  for (const KernelVmemBlock& block : result.blocks()) {
    std::vector<std::string> cells = {HumanBytes(block.total_bytes()),
                                      HumanCount(block.buffers()),
                                      HumanBytes(block.padded_bytes())};
    if (has_padding) {
      cells.push_back(HumanPercent(
          block.padded_bytes() - block.unpadded_bytes(), block.padded_bytes()));
      cells.push_back(HumanBlame(block.most_padded(), Arrow(display)));
    }
    cells.push_back(block.is_scratch() ? "scratch" : "block");
    cells.push_back(block.shape());
    table.AddRow(std::move(cells));
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
