#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/origin_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

// "at most 12.1 MiB of 16.0 MiB, in kernel.1"
std::string LargestScopedText(const ScopedVmemSummary& scoped,
                              const Display& display) {
  if (!scoped.is_known()) return "the use of instructions is not known";
  if (scoped.users() == 0) return "no instruction uses any";
  return absl::StrCat(
      "at most ",
      Paint(HumanBytes(scoped.largest_bytes()), Color::kYellow, display),
      scoped.has_largest_limit_bytes()
          ? absl::StrCat(" of ", HumanBytes(scoped.largest_limit_bytes()))
          : "",
      ", in ", scoped.largest_instruction());
}

// Returns the source of the limit of most instructions.
std::string ScopedLimitText(const ScopedVmemSummary& scoped) {
  if (!scoped.has_limit_bytes()) {
    return "the limit is not known: it is 16 MiB on v4, v5e and v5p, and 32 "
           "MiB on v6e and v7x, unless it was set";
  }
  const std::string limit =
      absl::StrCat("the limit is ", HumanBytes(scoped.limit_bytes()));
  if (scoped.limit_source() == "request") {
    return absl::StrCat(limit, ", as requested");
  }
  return absl::StrCat(limit, scoped.limit_source() == "generation"
                                 ? ", the default of the generation"
                                 : ", by the compiler's options");
}

Table ScopedTable(const ScopedVmemSummary& scoped, int64_t rows,
                  const Display& display) {
  const bool has_reservations = scoped.reserving() > 0;
  Table table({{"uses", Table::kRight},
               {"of limit", Table::kRight},
               {"reserves", Table::kRight, has_reservations},
               {"kept from arrays", Table::kRight, has_reservations},
               {"opcode", Table::kLeft},
               {"instruction", Table::kLeft}});
  for (int64_t i = 0; i < rows; ++i) {
    const ScopedVmemInstruction& each = scoped.instructions(i);
    table.AddRow(
        {scoped.is_known() ? HumanBytes(each.used_bytes()) : "not known",
         each.has_limit_bytes() && scoped.is_known()
             ? HumanPercent(each.used_bytes(), each.limit_bytes())
             : "",
         each.has_reserved_bytes() ? HumanBytes(each.reserved_bytes()) : "",
         each.has_reserved_bytes() && scoped.is_known()
             ? HumanBytes(std::max<int64_t>(
                   each.reserved_bytes() - each.used_bytes(), 0))
             : "",
         each.opcode(), each.instruction()});
    table.AddNote(OriginText(each.source_line(), each.op_name(), display));
  }
  return table;
}

void AddStat(std::string_view name, int64_t bytes, std::string_view words,
             Table* table) {
  table->AddRow({std::string(name), HumanBytes(bytes), std::string(words)});
}

}  // namespace

std::string ScopedVmemText(const ScopedVmemSummary& scoped, int64_t top,
                           const Display& display) {
  if (scoped.users() == 0 && scoped.reserving() == 0) return "";
  std::string out = StrCat(
      "\n", Paint("Scoped VMEM", Color::kBold, display), ": ",
      LargestScopedText(scoped, display), "\n", kIndent,
      "memory that an instruction reserves for itself, apart from arrays; ",
      ScopedLimitText(scoped), "\n");
  if (scoped.over_limit() > 0) {
    StrAppend(
        &out, kIndent,
        Paint(absl::StrCat(HumanQuantity(scoped.over_limit(), "instruction"),
                           scoped.over_limit() == 1 ? " uses" : " use",
                           " more than the limit"),
              Color::kRed, display),
        "\n");
  }
  if (scoped.reserving() > 0) {
    StrAppend(&out, kIndent, HumanQuantity(scoped.reserving(), "instruction"),
              scoped.reserving() == 1 ? " reserves" : " reserve", " up to ",
              HumanBytes(scoped.reserved_bytes()),
              ", because a kernel has its own limit: no array can use that "
              "memory at the same time\n");
  }
  if (scoped.has_busiest_bytes()) {
    StrAppend(&out, kIndent, "with the arrays in VMEM, at most ",
              HumanBytes(scoped.busiest_bytes()),
              scoped.has_vmem_bytes()
                  ? absl::StrCat(" of ", HumanBytes(scoped.vmem_bytes()))
                  : "",
              " is in use, at ", scoped.busiest_instruction(),
              "; arrays have their own limit\n");
  }
  const int64_t all = std::max(scoped.users(), scoped.reserving());
  const int64_t rows = std::min<int64_t>(top, scoped.instructions_size());
  StrAppend(&out, kIndent, HumanQuantity(scoped.users(), "instruction"),
            scoped.users() == 1 ? " uses it" : " use it",
            rows > 0 && rows < all
                ? absl::StrCat(", the first ", HumanQuantity(rows, "row"))
                : "",
            "\n");
  if (rows == 0) return out;
  return out + ScopedTable(scoped, rows, display).ToString(kIndent, display);
}

std::string MemoryAnalysisText(const MemoryAnalysis& analysis,
                               std::string_view target,
                               const Display& display) {
  Table table(
      {{"", Table::kLeft}, {"bytes", Table::kRight}, {"", Table::kLeft}});
  AddStat("argument", analysis.argument_size_in_bytes(),
          "parameters, including donated ones", &table);
  AddStat("output", analysis.output_size_in_bytes(),
          "results, including donated parameters", &table);
  AddStat("alias", analysis.alias_size_in_bytes(),
          "donated parameters, in both sums above", &table);
  AddStat("temp", analysis.temp_size_in_bytes(), "temporaries, including gaps",
          &table);
  if (analysis.host_argument_size_in_bytes() > 0 ||
      analysis.host_output_size_in_bytes() > 0 ||
      analysis.host_temp_size_in_bytes() > 0) {
    AddStat("host argument", analysis.host_argument_size_in_bytes(),
            "the same in the memory of the host", &table);
    AddStat("host output", analysis.host_output_size_in_bytes(), "", &table);
    AddStat("host alias", analysis.host_alias_size_in_bytes(), "", &table);
    AddStat("host temp", analysis.host_temp_size_in_bytes(), "", &table);
  }
  AddStat("peak", analysis.peak_memory_in_bytes(), "see below", &table);
  table.AddRow({"generated code", "not known", "no dump has it"});
  constexpr std::string_view kOfTpu[] = {
      "temp is that of HBM: it leaves out the VMEM that instructions need",
      "peak is not the number that must fit, nor the peak of HBM: it adds the",
      "largest heap, often that of VMEM, to parameters, outputs and constants"};
  constexpr std::string_view kOfGpu[] = {
      "peak is not the number that must fit: it leaves out gaps between "
      "temporaries"};
  constexpr std::string_view kOfOthers[] = {
      "peak is not the number that must fit: on CPU it leaves out all "
      "temporaries"};
  std::string out = absl::StrCat(
      "\n", Paint("memory_analysis() of JAX", Color::kBold, display),
      analysis.is_assigned_by_xla() ? ", by XLA's own assignment\n"
                                    : ", computed from the module\n",
      table.ToString(kIndent, display));
  const absl::Span<const std::string_view> notes =
      target == "tpu"   ? absl::MakeConstSpan(kOfTpu)
      : target == "gpu" ? absl::MakeConstSpan(kOfGpu)
                        : absl::MakeConstSpan(kOfOthers);
  for (const std::string_view note : notes) {
    StrAppend(&out, kIndent, note, "\n");
  }
  return out;
}

}  // namespace tessera
