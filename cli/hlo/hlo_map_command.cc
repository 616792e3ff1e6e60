#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/answer_printer.h"
#include "tessera/cli/hlo/input/assignment_input.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/buffer_assignment/assigned_peak.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/layout/memory_space.h"
#include "tessera/report/hlo/plot.h"
#include "tessera/report/page/memory_map_of.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/questions/hlo/hlo_texts.h"
#include "tessera/service/questions/hlo/space_map.h"
#include "tessera/service/service_options.h"
#include "tessera/viz/memory_map.h"

namespace tessera::cli {
namespace {

constexpr char kHloMapFooter[] =
    R"(Draws the offset of every value in memory against the schedule: XLA's own
buffer assignment if the file has it (protos do: .hlo.pb, .xplane.pb). For other
scheduled modules it is computed by the same steps; docs/memory.md shows how
accurate that is. Values that overlap at the same time, which XLA allows, count
once.

For a *-buffer-assignment.txt without its module, the map has XLA's places and,
if XLA wrote them, the live ranges; colors are those of the kinds.

--svg draws one memory space of one module: by default those that take the most
memory, or --space and --module. Each rectangle is a value; point at one for
details. --trace writes all memory spaces for https://ui.perfetto.dev or
chrome://tracing: a counter of bytes in use and a slice for each value, at one
microsecond per step. JSON is the answer of 'tessera hlo peak' with the map of
each memory space.

Examples:
  tessera hlo map dump.txt
  tessera hlo map dumps --top 3
  tessera hlo map module.hlo.pb --svg map.svg
  tessera hlo map module.hlo.pb --svg map.svg --color=source
  tessera hlo map profile.xplane.pb --module=jit_step --space=1 --svg vmem.svg
  tessera hlo map module-buffer-assignment.txt --svg map.svg
  tessera hlo map module.hlo.pb --trace trace.json)";

struct HloMapOptions {
  std::vector<std::string> files;
  std::string module;  // "" for all
  std::optional<std::string> space;
  MapColors colors = MapColors::kOpcode;
  int64_t top = 10;
  HloReading reading;
  MemoryOptions question;
  OutputFormat format = OutputFormat::kText;
  std::optional<std::string> svg;
  std::optional<std::string> trace;
};

bool DrawsPicture(const HloMapOptions& options) {
  return options.svg.has_value() || options.trace.has_value();
}

// The maps of a module, by memory space.
struct ModuleMaps {
  std::string module;
  std::string title;  // "module jit_step, as XLA assigned its memory"
  MemorySpaceNames names;
  std::map<int64_t, SpaceMap> spaces;
  std::map<int64_t, SpaceUse> use;
};

// ", fusion.3": the instruction that runs then, if it is known.
std::string StepName(const SpaceMap& map, int64_t step) {
  const bool is_known =
      step < map.step_names_size() && !map.step_names(step).empty();
  return is_known ? absl::StrCat(", ", map.step_names(step)) : "";
}

// Returns the values in the memory space at `step`, the largest first.
std::vector<const MapValue*> ValuesAt(const SpaceMap& map, int64_t step) {
  std::vector<const MapValue*> values;
  for (const MapValue& value : map.values()) {
    if (value.first() <= step && step <= value.last() && value.bytes() > 0) {
      values.push_back(&value);
    }
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const MapValue* a, const MapValue* b) {
                     return a->bytes() > b->bytes();
                   });
  return values;
}

Table ValueTable(const std::vector<const MapValue*>& values,
                 const SpaceMap& map, const Display& display) {
  const bool has_steps = !map.used_bytes().empty();
  const bool has_padding = std::any_of(
      values.begin(), values.end(),
      [](const MapValue* value) { return value->padding_bytes() > 0; });
  Table table({{"bytes", Table::kRight},
               {"padding", Table::kRight, has_padding},
               {"offset", Table::kRight, !map.is_unplaced()},
               {"steps", Table::kRight, has_steps},
               {"value", Table::kLeft},
               {"shape", Table::kLeft}});
  for (const MapValue* value : values) {
    table.AddRow({HumanBytes(value->bytes()),
                  HumanPercent(value->padding_bytes(), value->bytes()),
                  HumanBytes(value->offset()),
                  absl::StrCat(value->first(), display.unicode ? "\u2013" : "-",
                               value->last()),
                  value->name(), value->shape()});
    table.AddNote(value->source());
  }
  return table;
}

// ", 2 KiB in use at the peak, at step 3, fusion.3", and the bytes over time.
std::string UseText(const SpaceMap& map, const SpaceUse& use,
                    const Display& display) {
  if (map.used_bytes().empty()) {
    return "; no live ranges were written, so the peak is not known\n";
  }
  const int64_t peak = use.peak_step;
  const int64_t used = use.peak_bytes;
  constexpr int kWidest = 72;
  constexpr int kLabels = 12;
  PlotSize size;
  size.columns = std::min(kWidest, display.columns - kLabels);
  return absl::StrCat(
      "; ", HumanBytes(used), " in use at the peak, at step ", peak,
      StepName(map, peak),
      map.bytes() > used ? absl::StrCat("; ", HumanBytes(map.bytes() - used),
                                        " never in use at the same time")
                         : "",
      "\n", Plot(map.used_bytes(), peak, size, kIndent, display));
}

// `use` is that of the map's memory space.
std::string MapToText(const SpaceMap& map, const SpaceUse& use,
                      const std::string& space, int64_t top,
                      const Display& display) {
  std::string out =
      absl::StrCat("\n", Paint(space, Color::kBold, display), ": assigned ",
                   map.is_unplaced() ? "at least " : "",
                   Paint(HumanBytes(map.bytes()), Color::kYellow, display),
                   " in ", HumanQuantity(map.allocations_size(), "allocation"),
                   UseText(map, use, display));
  std::vector<const MapValue*> values = ValuesAt(map, use.peak_step);
  const size_t all = values.size();
  values.resize(std::min<size_t>(all, top));
  if (values.empty()) return out;
  StrAppend(&out, kIndent, HumanQuantity(all, "value"),
            map.used_bytes().empty() ? "" : " then",
            values.size() < all
                ? absl::StrCat(", the ", values.size(), " largest")
                : "",
            "\n", ValueTable(values, map, display).ToString(kIndent, display));
  return out;
}

std::string ModuleMapsToText(const std::string& file, const ModuleMaps& module,
                             int64_t top, const Display& display) {
  std::string out = StrCat(Paint(Printable(file), Color::kBold, display), "\n",
                           kIndent, module.title, "\n");
  for (const auto& [number, map] : module.spaces) {
    const auto use = module.use.find(number);
    out += MapToText(map, use == module.use.end() ? SpaceUse() : use->second,
                     HumanMemorySpace(number, module.names.NameOf(number)), top,
                     display);
  }
  return out;
}

class MapPrinter {
 public:
  MapPrinter(const HloMapOptions& options, Console* console)
      : options_(options),
        console_(*console),
        printer_({options.format,
                  /*csv_titles=*/"",
                  "module",
                  {{"assigned", Table::kRight},
                   {"peak", Table::kRight},
                   {"memory space", Table::kLeft},
                   {"module", Table::kLeft},
                   {"file", Table::kLeft}},
                  options.top},
                 console) {}

  // Returns false if some input was bad.
  bool Report(const HloArgument& argument) {
    bool is_good = true;
    bool is_chosen = false;
    std::vector<std::string> names;  // not chosen
    has_map_ = false;
    printer_.Begin(argument);
    AssignmentVisitor add_assignment;
    if (options_.module.empty()) {
      add_assignment = [&](const std::string& file, std::string_view text) {
        is_chosen = true;
        is_good &= AddAssignment(file, text);
      };
    }
    const bool is_read = ForEachDump(
        argument, options_.reading, &console_, &is_good,
        [&](const std::string& file, const HloDump& dump,
            const HloAssignments& assignments) {
          for (const HloModule module : dump.modules()) {
            if (!IsChosen(module, options_.module)) {
              names.emplace_back(module.name());
              continue;
            }
            is_chosen = true;
            is_good &= AddModule(file, dump, module, assignments);
          }
        },
        add_assignment);
    printer_.End();
    const TextSource source = HloSource(argument.name);
    if (is_read && !is_chosen) {
      Fail(source, NoModuleText(options_.module, names));
      return false;
    }
    if (is_good && !has_map_) {
      Fail(source,
           options_.space.has_value()
               ? absl::StrCat("memory space ", *options_.space, " is empty")
               : "the module takes no memory");
      return false;
    }
    return is_good;
  }

  // Writes the pictures of the reported modules.
  bool Draw(const std::vector<HloArgument>& arguments) {
    if (maps_.empty()) return true;
    std::vector<std::string> inputs;
    for (const HloArgument::File& file : FilesOf(arguments)) {
      inputs.push_back(file.name);
    }
    bool is_good = true;
    if (options_.svg.has_value()) {
      const auto largest = std::max_element(
          maps_.begin(), maps_.end(), [](const SpaceMap& a, const SpaceMap& b) {
            return a.bytes() < b.bytes();
          });
      is_good &= WriteOutputFile(*options_.svg, RenderMemoryMap(*largest),
                                 &console_, inputs);
    }
    if (options_.trace.has_value()) {
      is_good &= WriteOutputFile(*options_.trace, MemoryMapTrace(maps_),
                                 &console_, inputs);
    }
    return is_good;
  }

 private:
  bool AddModule(const std::string& file, const HloDump& dump, HloModule module,
                 const HloAssignments& assignments) {
    const TextSource source = HloSource(file);
    const absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(dump, module, options_.question, &assignments);
    if (!analysis.ok()) {
      Fail(source, absl::StrCat(ModuleText(module.name()), " has no map: ",
                                CommandLineReason(
                                    StdView(analysis.status().message()))));
      return false;
    }
    ModuleMaps maps{
        std::string(module.name()),
        absl::StrCat(
            ModuleText(module.name()),
            analysis->is_assigned_by_xla()
                ? ", as XLA assigned its memory"
                : ", as XLA would assign its memory, computed from the module"),
        MemorySpaceNamesOf(analysis->target()),
        MemoryMapsOf(*analysis, options_.colors), analysis->use()};
    return AddMaps(file, std::move(maps), [&] {
      return Json(std::string(source.name), dump, module, assignments);
    });
  }

  // Adds the maps of a buffer assignment without its module.
  bool AddAssignment(const std::string& file, std::string_view text) {
    const TextSource source = HloSource(file);
    const AssignmentTexts texts = ReadTextsBesideAssignment(file, &console_);
    AssignmentTextOptions reading;
    reading.values_text = texts.values;
    reading.live_range_text = texts.live_ranges;
    reading.problem_limit = kToldDiagnostics;
    const BufferAssignment assignment = ReadBufferAssignmentText(text, reading);
    for (const Diagnostic& problem : assignment.problems) {
      PrintNote(source, problem, &console_);
    }
    const MemorySpaceNames& names =
        MemorySpaceNamesOf(options_.question.target.value_or(HloTarget::kNone));
    constexpr char kWhat[] = "a buffer assignment without its module";
    ModuleMaps maps{
        "", kWhat, names, MemoryMapsOf(assignment, kWhat, names), {}};
    for (const auto& [number, peak] : FindAssignedPeaks(assignment)) {
      SpaceUse& use = maps.use[number];
      use.peak_bytes = peak.bytes;
      use.peak_step = peak.step;
    }
    return AddMaps(file, std::move(maps), [] {
      return absl::FailedPreconditionError(
          "JSON needs the module; 'tessera hlo explain --format=json' has the "
          "places of values");
    });
  }

  bool AddMaps(const std::string& file, ModuleMaps maps,
               absl::FunctionRef<absl::StatusOr<std::string>()> json_of) {
    if (options_.space.has_value()) {
      const int64_t only = maps.names.NumberFor(*options_.space).value_or(-1);
      std::map<int64_t, SpaceMap> kept;
      const auto found = maps.spaces.find(only);
      if (found != maps.spaces.end()) kept.insert(std::move(*found));
      maps.spaces = std::move(kept);
    }
    if (maps.spaces.empty()) return true;
    has_map_ = true;
    if (DrawsPicture(options_)) {
      for (auto& [number, map] : maps.spaces) maps_.push_back(std::move(map));
      return true;
    }
    const TextSource source = HloSource(file);
    AnswerPrinter::Answer answer;
    bool is_saturated = false;
    for (const auto& [number, map] : maps.spaces) {
      SaturatingAdd(map.bytes(), &answer.bytes, &is_saturated);
      answer.rows.push_back(
          {HumanBytes(map.bytes()), HumanBytes(maps.use[number].peak_bytes),
           HumanMemorySpace(number, maps.names.NameOf(number)), maps.module,
           std::string(NameInFolder(file))});
    }
    if (options_.format == OutputFormat::kText) {
      answer.text = ModuleMapsToText(std::string(source.name), maps,
                                     options_.top, console_.out_display);
    } else {
      const absl::StatusOr<std::string> json = json_of();
      if (!json.ok()) return PrintError(source, json.status(), &console_);
      answer.text = *json;
    }
    printer_.Add(std::move(answer));
    return true;
  }

  // The answer to the question "peak" with a map.
  absl::StatusOr<std::string> Json(const std::string& file, const HloDump& dump,
                                   HloModule module,
                                   const HloAssignments& assignments) const {
    PeakTable table;
    table.file = file;
    table.rows = options_.top;
    table.series = true;
    table.map = true;
    table.colors = options_.colors;
    table.question = options_.question;
    table.assignments = &assignments;
    AnswerBytes bytes(ServiceOptions::Unlimited());
    ModulePeak peak;
    TESSERA_RETURN_IF_ERROR(FillModulePeak(dump, module, table, &bytes, &peak));
    if (options_.space.has_value()) KeepMemorySpace(*options_.space, &peak);
    return JsonLineOf(peak);
  }

  void Fail(const TextSource& source, const std::string& message) {
    PrintError(source, absl::FailedPreconditionError(message), &console_);
  }

  const HloMapOptions& options_;
  Console& console_;
  AnswerPrinter printer_;
  std::vector<SpaceMap> maps_;  // to draw
  bool has_map_ = false;        // of the argument
};

bool RunHloMap(const HloMapOptions& options, Console* console) {
  MapPrinter printer(options, console);
  bool is_good = true;
  const std::vector<HloArgument> arguments =
      FindHloFiles(options.files, console, &is_good);
  for (const HloArgument& argument : arguments) {
    is_good &= printer.Report(argument);
  }
  return printer.Draw(arguments) && is_good;
}

std::string HloMapUsageError(const HloMapOptions& options) {
  if (options.format == OutputFormat::kText || !DrawsPicture(options)) {
    return "";
  }
  return StrCat("--format=", OutputFormatName(options.format),
                " does not go with --svg or --trace");
}

}  // namespace

void AddHloMapCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloMapOptions>();
  Subcommand command = hlo->Add(
      "map", "Draw which value lies where in memory, and when", kHloMapFooter);
  AddFilesArgument(&command, &options->files);
  AddModuleOption(&command, &options->module);
  AddSpaceOption(&command, &options->space);
  command.Choice<MapColors>(
      "--color",
      {{"opcode", MapColors::kOpcode},
       {"source", MapColors::kSource},
       {"kind", MapColors::kKind}},
      "what the colors of values show (opcode)",
      [options](MapColors colors) { options->colors = colors; });
  command.Text("--svg", "FILE", "draw one memory space; - for standard output",
               &options->svg);
  command.Text("--trace", "FILE", "write all memory spaces as trace events",
               &options->trace);
  AddTopOption(&command, &options->top);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunHloMap, HloMapUsageError);
}

}  // namespace tessera::cli
