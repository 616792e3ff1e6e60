#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "proto/memory_check.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/dump_folder.h"
#include "tessera/hlo/dump_pass.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/padding.h"
#include "tessera/python/core/answers.h"
#include "tessera/python/core/bindings.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/hlo_handles.h"
#include "tessera/python/core/layout_handle.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/page/memory_map_of.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/report/text/byte_size.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/percent.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/hlo/hlo_diff_question.h"
#include "tessera/service/questions/hlo/hlo_passes_question.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/hlo_question.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/questions/hlo/memory_baseline.h"
#include "tessera/service/questions/hlo/memory_check.h"
#include "tessera/service/questions/hlo/scoped_vmem_answer.h"
#include "tessera/service/service_options.h"
#include "tessera/shape/shape.h"
#include "tessera/viz/memory_map.h"

namespace tessera::python {
namespace {

// The options of every question about memory.
struct MemoryQuestion {
  int64_t rows = 10;
  bool series = false;
  std::string computation;
  bool assume_text_order = false;
  std::string target;        // "" for a guess
  std::string count;         // "" for buffers
  int64_t scoped_limit = 0;  // in bytes; 0 for that of the generation
};

}  // namespace

template <>
inline constexpr bool kIsConstructed<MemoryQuestion> = true;
template <>
inline constexpr bool kIsConstructed<Display> = true;

namespace {

MemoryQuestion MakeMemoryQuestion(int64_t rows, bool series,
                                  const std::string& computation,
                                  bool assume_text_order,
                                  const std::string& target,
                                  const std::string& count,
                                  const std::string& scoped_limit) {
  if (rows < 0) {
    Throw(absl::InvalidArgumentError("rows: expected 0 or more"));
  }
  int64_t scoped_limit_bytes = 0;
  if (!scoped_limit.empty()) {
    const std::string problem =
        ReadByteSize(scoped_limit, {}, &scoped_limit_bytes);
    if (!problem.empty()) {
      Throw(InvalidArgumentError("scoped_limit: ", problem));
    }
  }
  return {rows,
          series,
          std::string(StripPrefix(computation, "%")),
          assume_text_order,
          target,
          count,
          scoped_limit_bytes};
}

MemoryOptions OptionsOf(const MemoryQuestion& question) {
  MemoryOptions options;
  options.schedule.computation = question.computation;
  options.schedule.assume_text_order = question.assume_text_order;
  options.scoped_vmem_limit = question.scoped_limit;
  ThrowIfError(SetTargetToAnswer(question.target, &options));
  return options;
}

HloTarget TargetOf(const MemoryQuestion& question, HloModule module) {
  return OptionsOf(question).target.value_or(GuessTarget(module));
}

Display DisplayFor(bool unicode, bool color, int columns) {
  Display display;
  display.unicode = unicode;
  display.color = color;
  if (columns > 0) display.columns = columns;
  return display;
}

// Returns the name by which a report calls a text that is not in a file.
std::string NameOrText(const HloFileHandle& file) {
  return file.name().empty() ? "<text>" : file.name();
}

// -- Report and peak ----------------------------------------------------------

SummarizeResult SummaryOf(const HloFileHandle& file,
                          const MemoryQuestion& question) {
  SummaryTable table;
  table.rows = question.rows;
  table.detail_rows = question.rows;
  table.counted = ValueOrThrow(CountedToAnswer(question.count));
  table.peaks.file = NameOrText(file);
  table.peaks.rows = question.rows;
  table.peaks.question = OptionsOf(question);
  table.peaks.assignments = &file.file().assignments;
  SummarizeResult result;
  ThrowIfError(
      FillSummary(ServiceOptions::Unlimited(), file.dump(), table, &result),
      file.name());
  return result;
}

ModulePeak PeakOf(const Kept<HloModule>& module, const MemoryQuestion& question,
                  bool series) {
  PeakTable table;
  table.file = NameOrText(*module.file);
  table.rows = question.rows;
  table.series = series;
  table.question = OptionsOf(question);
  table.assignments = &module.file->file().assignments;
  ModulePeak peak;
  AnswerBytes bytes(ServiceOptions::Unlimited());
  ThrowIfError(
      FillModulePeak(module.file->dump(), module.handle, table, &bytes, &peak),
      module.file->name());
  return peak;
}

// Returns the needs of a memory space without arrays.
py::object EmptySpace(const std::string& name) {
  SpacePeak space;
  space.set_name(name);
  space.set_reserved_bytes(0);
  space.set_parameter_bytes(0);
  space.set_constant_bytes(0);
  space.set_output_bytes(0);
  space.set_temporary_bytes(0);
  space.set_temporary_peak_bytes(0);
  space.set_reserved_unpadded_bytes(0);
  return ToPython(space);
}

// -- Passes -------------------------------------------------------------------

PassHistory HistoryFor(const MemoryQuestion& question) {
  return PassHistory(
      {question.rows, ValueOrThrow(CountedToAnswer(question.count))});
}

// Reads the dump in a file and adds it to the history.
HloDump AddDump(const std::string& path, PassHistory* history) {
  absl::Status status;
  absl::StatusOr<HloDump> read = [&]() -> absl::StatusOr<HloDump> {
    const py::gil_scoped_release release;
    TESSERA_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::Open(path));
    TESSERA_ASSIGN_OR_RETURN(
        HloDump dump, ParseHloFile(std::move(bytes), path, HloParseOptions(),
                                   /*problem_limit=*/0, nullptr));
    status = history->Add(DumpPassOf(path), dump);
    return dump;
  }();
  HloDump dump = ValueOrThrow(std::move(read), path);
  ThrowIfError(status, path);
  return dump;
}

// Returns the effects of the passes on each module of a folder, or on that of a
// file, and the text reports.
py::list Passes(const std::string& path, const MemoryQuestion& question,
                const Display& display) {
  const DumpFolder folder = ValueOrThrow(FindHloDumps(path), path);
  py::list all;
  for (const HloDumpFile& file : folder.dumps) {
    if (file.stages.empty()) continue;
    PassHistory history = HistoryFor(question);
    std::optional<HloDump> last;
    for (const std::string& stage : file.stages) {
      last.reset();
      last = AddDump(folder.folder + stage, &history);
    }
    ModulePasses passes;
    ThrowIfError(FillPasses(ServiceOptions::Unlimited(), history, *last,
                            question.rows, &passes),
                 folder.folder + file.stages.back());
    all.append(
        py::make_tuple(ToPython(passes), Text(PassesToText(passes, display))));
  }
  return all;
}

// Adds the earlier dumps next to a file to the history, and the file itself.
// Returns the history, or null if there are no such dumps.
const PassHistory* AddPassesBeside(const HloFileHandle& file,
                                   PassHistory* history) {
  if (file.name().empty()) return nullptr;
  const absl::StatusOr<DumpFolder> folder = FindHloDumps(file.name());
  // The name of a JAX program is not that of a file.
  if (!folder.ok() || folder->is_folder || folder->dumps.empty() ||
      folder->dumps[0].stages.empty()) {
    return nullptr;
  }
  // The last is the file itself.
  const std::vector<std::string>& stages = folder->dumps[0].stages;
  for (size_t i = 0; i + 1 < stages.size(); ++i) {
    AddDump(folder->folder + stages[i], history);
  }
  ThrowIfError(history->Add(DumpPassOf(file.name()), file.dump()), file.name());
  return history;
}

DiffResult DiffOf(const HloFileHandle& before, const HloFileHandle& after,
                  const MemoryQuestion& question, bool passes) {
  DiffTable table;
  table.before_file = NameOrText(before);
  table.after_file = NameOrText(after);
  table.rows = question.rows;
  table.options.question = OptionsOf(question);
  table.options.counted = ValueOrThrow(CountedToAnswer(question.count));
  table.options.before = &before.file().assignments;
  table.options.after = &after.file().assignments;
  PassHistory before_history = HistoryFor(question);
  PassHistory after_history = HistoryFor(question);
  if (passes) {
    table.options.before_history = AddPassesBeside(before, &before_history);
    table.options.after_history = AddPassesBeside(after, &after_history);
  }
  DiffResult result;
  ThrowIfError(FillDiff(ServiceOptions::Unlimited(), before.dump(),
                        after.dump(), table, &result));
  return result;
}

// -- Budgets ------------------------------------------------------------------

using Files = std::vector<HloFilePointer>;

// Calls `visit(file, module, memory)` for every module.
template <typename Visit>
void ForEachModule(const Files& files, const MemoryQuestion& question,
                   Visit visit) {
  const MemoryOptions options = OptionsOf(question);
  for (const HloFilePointer& file : files) {
    for (const HloModule module : file->dump().modules()) {
      visit(*file, module,
            ComputeBaselineModule(file->dump(), module, options,
                                  &file->file().assignments));
    }
  }
}

// Returns the bytes or parts per million in a str, read by `read`.
template <typename Read>
std::optional<int64_t> Amount(const char* name,
                              const std::optional<std::string>& text,
                              Read read) {
  if (!text.has_value()) return std::nullopt;
  int64_t amount = 0;
  const std::string problem = read(*text, &amount);
  if (!problem.empty()) {
    Throw(InvalidArgumentError(name, ": ", problem));
  }
  return amount;
}

MemoryBudget BudgetOf(const std::optional<std::string>& max_reserved,
                      const std::optional<std::string>& max_growth,
                      const std::optional<std::string>& max_scoped,
                      const std::string& memory_space) {
  const auto read_bytes = [](const std::string& text, int64_t* bytes) {
    return ReadByteSize(text, {}, bytes);
  };
  MemoryBudget budget;
  budget.max_reserved_bytes = Amount("max_reserved", max_reserved, read_bytes);
  budget.max_scoped_bytes = Amount("max_scoped", max_scoped, read_bytes);
  budget.max_growth_ppm = Amount("max_growth", max_growth, &ReadPercent);
  budget.memory_space = memory_space;
  return budget;
}

MemoryBaseline BaselineOf(const Files& files, const MemoryQuestion& question) {
  MemoryBaseline baseline;
  ForEachModule(files, question,
                [&](const HloFileHandle& file, HloModule,
                    const absl::StatusOr<BaselineModule>& memory) {
                  *baseline.add_modules() = ValueOrThrow(memory, file.name());
                });
  return baseline;
}

// The answer, its sentence and its text.
py::tuple Check(const Files& files, const MemoryQuestion& question,
                const std::optional<std::string>& max_reserved,
                const std::optional<std::string>& max_growth,
                const std::optional<std::string>& max_scoped,
                const std::string& memory_space,
                const std::optional<std::string>& baseline_text,
                const Files& baseline_files, const Display& display) {
  const MemoryBudget budget =
      BudgetOf(max_reserved, max_growth, max_scoped, memory_space);
  std::optional<MemoryBaseline> baseline;
  if (baseline_text.has_value()) {
    baseline = ValueOrThrow(ParseMemoryBaseline(*baseline_text));
  } else if (!baseline_files.empty()) {
    baseline = BaselineOf(baseline_files, question);
  }
  MemoryChecker checker(budget, baseline);
  bool has_space = budget.memory_space.empty();
  ForEachModule(files, question,
                [&](const HloFileHandle& file, HloModule module,
                    const absl::StatusOr<BaselineModule>& memory) {
                  const HloTarget target = TargetOf(question, module);
                  if (memory.ok()) {
                    checker.Add(file.name(), target, *memory,
                                ScopedVmemOf(module, &file.file().assignments));
                  } else {
                    checker.AddUnknown(file.name(), target,
                                       std::string(module.name()),
                                       std::string(memory.status().message()));
                  }
                });
  MemoryCheck check;
  checker.Finish(&check);
  if (!std::all_of(files.begin(), files.end(),
                   [](const auto& file) { return file->IsAllRead(); })) {
    check.set_is_within_budget(false);
  }
  for (const ModuleCheck& module : check.modules()) {
    has_space |= !module.has_by_memory_space() ||
                 !module.by_memory_space().spaces().empty();
  }
  if (!has_space) {
    Throw(absl::NotFoundError(
        absl::StrCat("memory_space: no module uses memory space '",
                     budget.memory_space, "'")));
  }
  return py::make_tuple(ToPython(check), Text(CheckSentence(check)),
                        Text(CheckToText(check, display)));
}

// -- Maps and pages -----------------------------------------------------------

MapColors ColorsNamed(const std::string& name) {
  if (name == "opcode") return MapColors::kOpcode;
  if (name == "source") return MapColors::kSource;
  if (name == "kind") return MapColors::kKind;
  Throw(InvalidArgumentError("color: expected opcode, source or kind, found ",
                             name));
}

ModuleAnalysis AnalysisOf(const Kept<HloModule>& module,
                          const MemoryQuestion& question) {
  return ValueOrThrow(
      ModuleAnalysis::Of(module.file->file(), module.handle.index(),
                         OptionsOf(question)),
      module.file->name());
}

// Returns by memory space its map, its name, and whether XLA itself assigned
// it.
py::dict MemoryMaps(const Kept<HloModule>& module,
                    const MemoryQuestion& question, const std::string& color) {
  const MapColors colors = ColorsNamed(color);
  const ModuleAnalysis analysis = AnalysisOf(module, question);
  const MemorySpaceNames& names = MemorySpaceNamesOf(analysis.target());
  py::dict maps;
  for (auto& [number, map] : MemoryMapsOf(analysis, colors)) {
    const std::string name = HumanMemorySpace(number, names.NameOf(number));
    maps[py::int_(number)] = py::make_tuple(
        py::cast(std::move(map)), Text(name), analysis.is_assigned_by_xla());
  }
  return maps;
}

py::dict ValueColumns(const SpaceMap& map) {
  py::dict columns = ToColumns(map, "values");
  if (!map.is_unplaced()) return columns;
  py::list offsets(map.values_size());
  for (int i = 0; i < map.values_size(); ++i) offsets[i] = py::none();
  columns["offset"] = offsets;
  return columns;
}

// Returns the array that each moves, and its shapes before and after.
py::list Relayouts(const Kept<HloModule>& module) {
  py::list rows;
  for (const Relayout& found :
       FindRelayouts(module.file->dump(), module.handle).relayouts) {
    rows.append(
        py::make_tuple(Kept<HloInstruction>{module.file, found.instruction},
                       Text(found.from->ToString()), Text(found.to->ToString()),
                       found.bytes, found.is_free, found.is_fused));
  }
  return rows;
}

// -- Words --------------------------------------------------------------------

// Returns the largest padding of the layout: "dim 3: 64→128"; "" if there is
// none, or if it is not an array.
py::str PaddingText(const LayoutHandle& layout, const Display& display) {
  const Shape* const shape = layout.layout().As<Shape>();
  if (shape == nullptr || !shape->IsArray()) return Text("");
  MostPadded blame;
  SetMostPadded(BlamePadding(ValueOrThrow(ComputeArraySizes(*shape))), &blame);
  return Text(HumanBlame(blame, Arrow(display)));
}

int64_t ByteSize(const std::string& name, const std::string& text) {
  return *Amount(name.c_str(), text,
                 [](const std::string& amount, int64_t* bytes) {
                   return ReadByteSize(amount, {}, bytes);
                 });
}

// Columns whose titles begin with ">" are right-aligned.
py::str TableText(const std::vector<std::string>& titles,
                  const std::vector<std::vector<std::string>>& rows,
                  const std::string& indent, const Display& display) {
  std::vector<Table::Column> columns;
  for (std::string_view title : titles) {
    const bool is_right = ConsumePrefix(&title, ">");
    columns.push_back(
        {std::string(title), is_right ? Table::kRight : Table::kLeft});
  }
  Table table(std::move(columns));
  for (const std::vector<std::string>& row : rows) {
    if (row.size() != titles.size()) {
      Throw(InvalidArgumentError("a row has ", row.size(),
                                 " cells, and there are ", titles.size(),
                                 " columns"));
    }
    table.AddRow(row);
  }
  return Text(table.ToString(indent, display));
}

py::str Page(const HloFileHandle& file, const std::string& title,
             const MemoryQuestion& question) {
  PageWriter page(title);
  page.Add(ValueOrThrow(PageSummary(title, file.dump(), OptionsOf(question),
                                    file.file().assignments),
                        file.name()));
  return Text(std::move(page).ToHtml());
}

}  // namespace

void BindHloAnswers(py::module_* module) {
  py::class_<MemoryQuestion>(*module, "MemoryQuestion")
      .def(py::init(&MakeMemoryQuestion), py::arg("rows") = 10,
           py::arg("series") = false, py::arg("computation") = "",
           py::arg("assume_text_order") = false, py::arg("target") = "",
           py::arg("count") = "", py::arg("scoped_limit") = "");
  py::class_<Display>(*module, "Display")
      .def(py::init(&DisplayFor), py::arg("unicode") = true,
           py::arg("color") = false, py::arg("columns") = 0);
  py::class_<SpaceMap> memory_map(*module, "MemoryMap");
  WithoutConstructor(memory_map)
      .def_property_readonly(
          "title", [](const SpaceMap& self) { return Text(self.title()); })
      .def_property_readonly("bytes", &SpaceMap::bytes)
      .def_property_readonly("steps", &SpaceMap::steps)
      .def_property_readonly("used_bytes",
                             [](const SpaceMap& self) {
                               return std::vector<int64_t>(
                                   self.used_bytes().begin(),
                                   self.used_bytes().end());
                             })
      .def("value_columns", &ValueColumns)
      .def("allocation_columns",
           [](const SpaceMap& self) { return ToColumns(self, "allocations"); })
      .def("to_svg",
           [](const SpaceMap& self) { return Text(RenderMemoryMap(self)); })
      .def("to_trace",
           [](const SpaceMap& self) { return Text(MemoryMapTrace({self})); });
  module->def(
      "hlo_report",
      [](const HloFileHandle& file, const MemoryQuestion& question) {
        return ToPython(SummaryOf(file, question));
      },
      py::arg("file"), py::arg("question"));
  module->def(
      "hlo_report_text",
      [](const HloFileHandle& file, const MemoryQuestion& question,
         const Display& display) {
        return Text(
            HloReportToText(SummaryOf(file, question), question.rows, display));
      },
      py::arg("file"), py::arg("question"), py::arg("display"));
  module->def(
      "hlo_peak",
      [](const Kept<HloModule>& peak_module, const MemoryQuestion& question) {
        return ToPython(PeakOf(peak_module, question, question.series));
      },
      py::arg("module"), py::arg("question"));
  module->def("empty_space", &EmptySpace, py::arg("name"));
  module->def(
      "hlo_peak_text",
      [](const Kept<HloModule>& peak_module, const MemoryQuestion& question,
         const Display& display) {
        // Equal arrays form one row.
        MemoryQuestion all = question;
        all.rows = std::numeric_limits<int64_t>::max();
        return Text(PeakToText(PeakOf(peak_module, all, /*series=*/true),
                               question.rows, display));
      },
      py::arg("module"), py::arg("question"), py::arg("display"));
  module->def(
      "hlo_diff",
      [](const HloFileHandle& before, const HloFileHandle& after,
         const MemoryQuestion& question, bool passes) {
        return ToPython(DiffOf(before, after, question, passes));
      },
      py::arg("before"), py::arg("after"), py::arg("question"),
      py::arg("passes") = false);
  module->def(
      "hlo_diff_text",
      [](const HloFileHandle& before, const HloFileHandle& after,
         const MemoryQuestion& question, const Display& display, bool passes) {
        return Text(
            DiffToText(DiffOf(before, after, question, passes), display));
      },
      py::arg("before"), py::arg("after"), py::arg("question"),
      py::arg("display"), py::arg("passes") = false);
  module->def("hlo_passes", &Passes, py::arg("path"), py::arg("question"),
              py::arg("display"));
  module->def("hlo_check", &Check, py::arg("files"), py::arg("question"),
              py::arg("max_reserved"), py::arg("max_growth"),
              py::arg("max_scoped"), py::arg("memory_space"),
              py::arg("baseline_text"), py::arg("baseline_files"),
              py::arg("display"));
  module->def(
      "hlo_baseline_text",
      [](const Files& files, const MemoryQuestion& question) {
        MemoryBaseline baseline = BaselineOf(files, question);
        return Text(MemoryBaselineText(baseline));
      },
      py::arg("files"), py::arg("question"));
  module->def("hlo_memory_maps", &MemoryMaps, py::arg("module"),
              py::arg("question"), py::arg("color"));
  module->def("hlo_relayouts", &Relayouts, py::arg("module"));
  module->def("hlo_page", &Page, py::arg("file"), py::arg("title"),
              py::arg("question"));
  module->def("padding_text", &PaddingText, py::arg("layout"),
              py::arg("display"));
  module->def("byte_size", &ByteSize, py::arg("name"), py::arg("text"));
  module->def(
      "human_bytes",
      [](int64_t bytes) {
        if (bytes < 0) {
          Throw(InvalidArgumentError(bytes, " bytes are less than 0"));
        }
        return Text(HumanBytes(bytes));
      },
      py::arg("bytes"));
  module->def(
      "explanation_text",
      [](const std::string& text, int64_t rows, const Display& display) {
        ExplainTextRequest question;
        question.set_text(text);
        question.set_rows(rows);
        ExplainTextResult result;
        ThrowIfError(
            AnswerExplainText(ServiceOptions::Unlimited(), question, &result));
        return Text(ExplanationToText(result, display));
      },
      py::arg("text"), py::arg("rows"), py::arg("display"));
  module->def("table_text", &TableText, py::arg("titles"), py::arg("rows"),
              py::arg("indent"), py::arg("display"));
}

}  // namespace tessera::python
