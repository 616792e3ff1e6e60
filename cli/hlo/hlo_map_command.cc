#include "tessera/cli/hlo/hlo_map_command.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/report/hlo/plot.h"
#include "tessera/report/page/memory_map_of.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/viz/memory_map.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kHloMapFooter[] =
    R"(Draws the offset of every value in memory against the schedule: XLA's own
buffer assignment if the file has it (protos do: .hlo.pb, .xplane.pb). For other
scheduled modules it is computed by the same steps; docs/memory.md shows how
accurate that is. Values that overlap at the same time, which XLA allows, count
once.

--svg draws one memory space of one module: by default those that take the most
memory, or --space and --module. Each rectangle is a value; point at one for
details. --trace writes all memory spaces for https://ui.perfetto.dev or
chrome://tracing: a counter of bytes in use and a slice for each value, at one
microsecond per step.

Examples:
  tessera hlo map dump.txt
  tessera hlo map module.hlo.pb --svg map.svg
  tessera hlo map module.hlo.pb --svg map.svg --color=source
  tessera hlo map profile.xplane.pb --module=jit_step --space=1 --svg vmem.svg
  tessera hlo map module.hlo.pb --trace trace.json)";

struct HloMapOptions {
  std::string file;
  std::string module;  // "" for all
  absl::optional<std::string> space;
  MapColors colors = MapColors::kOpcode;
  int64_t top = 10;
  HloReading reading;
  MemoryOptions question;
  absl::optional<std::string> svg;
  absl::optional<std::string> trace;
};

// The maps of a module, by memory space.
struct ModuleMaps {
  HloModule module;
  bool is_of_xla;
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

// The values that lie there at `step`, the largest first.
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

Table ValueTable(const std::vector<const MapValue*>& values, bool is_unplaced,
                 const Display& display) {
  const bool has_padding = std::any_of(
      values.begin(), values.end(),
      [](const MapValue* value) { return value->padding_bytes() > 0; });
  std::vector<Table::Column> columns = {{"bytes", Table::kRight}};
  if (has_padding) columns.push_back({"padding", Table::kRight});
  if (!is_unplaced) columns.push_back({"offset", Table::kRight});
  columns.insert(columns.end(), {{"steps", Table::kRight},
                                 {"value", Table::kLeft},
                                 {"shape", Table::kLeft}});
  Table table(columns);
  for (const MapValue* value : values) {
    std::vector<std::string> cells = {HumanBytes(value->bytes())};
    if (has_padding) {
      cells.push_back(HumanPercent(value->padding_bytes(), value->bytes()));
    }
    if (!is_unplaced) cells.push_back(HumanBytes(value->offset()));
    cells.insert(cells.end(),
                 {absl::StrCat(value->first(), display.unicode ? "\u2013" : "-",
                               value->last()),
                  value->name(), value->shape()});
    table.AddRow(std::move(cells));
    table.AddNote(value->source());
  }
  return table;
}

// `use` is that of the map's memory space.
std::string MapToText(const SpaceMap& map, const SpaceUse& use,
                      const std::string& space, int64_t top,
                      const Display& display) {
  const int64_t peak = use.peak_step;
  const int64_t used = use.peak_bytes;
  std::string out = absl::StrCat(
      "\n", Paint(space, Color::kBold, display), ": assigned ",
      map.is_unplaced() ? "at least " : "",
      Paint(HumanBytes(map.bytes()), Color::kYellow, display), " in ",
      HumanQuantity(map.allocations_size(), "allocation"), "; ",
      HumanBytes(used), " in use at the peak, at step ", peak,
      StepName(map, peak),
      map.bytes() > used ? absl::StrCat("; ", HumanBytes(map.bytes() - used),
                                        " never in use at the same time")
                         : "",
      "\n");
  constexpr int kWidest = 72;
  constexpr int kLabels = 12;
  PlotSize size;
  size.columns = std::min(kWidest, display.columns - kLabels);
  out += Plot(map.used_bytes(), peak, size, kIndent, display);
  std::vector<const MapValue*> values = ValuesAt(map, peak);
  const size_t all = values.size();
  values.resize(std::min<size_t>(all, top));
  if (values.empty()) return out;
  absl::StrAppend(&out, kIndent, HumanQuantity(all, "value"), " then",
                  values.size() < all
                      ? absl::StrCat(", the ", values.size(), " largest")
                      : "",
                  "\n",
                  ValueTable(values, map.is_unplaced(), display)
                      .ToString(kIndent, display));
  return out;
}

class MapPrinter {
 public:
  MapPrinter(const HloMapOptions& options, Console* console)
      : options_(options), console_(*console) {}

  bool Run() {
    bool is_good = true;
    const absl::optional<std::string> file =
        FindOneHloFile(options_.file, &console_, &is_good);
    if (!file.has_value()) return false;
    source_ = HloSource(*file);
    const absl::optional<FileIdentity> input = IdentityOf(*file, &console_);
    HloAssignments assignments;
    const absl::optional<HloDump> dump =
        ReadHloDump(*file, options_.reading, &console_, &is_good, &assignments);
    if (!dump.has_value()) return false;
    is_good &= FindMaps(*dump, assignments);
    if (modules_.empty()) return false;
    if (!options_.svg.has_value() && !options_.trace.has_value()) Print();
    if (options_.svg.has_value()) {
      is_good &= WriteOutputFile(*options_.svg, RenderMemoryMap(*Largest()),
                                 &console_, input);
    }
    if (options_.trace.has_value()) {
      std::vector<SpaceMap> maps;
      for (const ModuleMaps& module : modules_) {
        for (const auto& [number, map] : module.spaces) maps.push_back(map);
      }
      is_good &= WriteOutputFile(*options_.trace, MemoryMapTrace(maps),
                                 &console_, input);
    }
    return is_good;
  }

 private:
  bool FindMaps(const HloDump& dump, const HloAssignments& assignments) {
    bool is_good = true;
    bool is_found = false;
    for (const HloModule module : dump.modules()) {
      if (!IsChosen(module, options_.module)) continue;
      is_found = true;
      is_good &= AddModule(dump, module, assignments);
    }
    if (!is_found) {
      Fail(absl::StrCat("there is no module '", options_.module, "'"));
      return false;
    }
    if (is_good && modules_.empty()) {
      Fail(options_.space.has_value()
               ? absl::StrCat("memory space ", *options_.space, " is empty")
               : "the module takes no memory");
      return false;
    }
    return is_good;
  }

  bool AddModule(const HloDump& dump, HloModule module,
                 const HloAssignments& assignments) {
    const absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(dump, module, options_.question.For(assignments),
                           assignments.Of(module));
    if (!analysis.ok()) {
      Fail(absl::StrCat(ModuleText(module.name()),
                        " has no map: ", analysis.status().message()));
      return false;
    }
    ModuleMaps maps{module, analysis->is_assigned_by_xla(),
                    MemorySpaceNamesOf(analysis->target()),
                    MemoryMapsOf(*analysis, options_.colors), analysis->use()};
    if (options_.space.has_value()) {
      const auto only =
          maps.spaces.find(maps.names.NumberFor(*options_.space).value_or(-1));
      std::map<int64_t, SpaceMap> kept;
      if (only != maps.spaces.end()) kept.insert(std::move(*only));
      maps.spaces = std::move(kept);
    }
    if (!maps.spaces.empty()) modules_.push_back(std::move(maps));
    return true;
  }

  const SpaceMap* Largest() const {
    const SpaceMap* largest = nullptr;
    for (const ModuleMaps& module : modules_) {
      for (const auto& [number, map] : module.spaces) {
        if (largest == nullptr || map.bytes() > largest->bytes()) {
          largest = &map;
        }
      }
    }
    return largest;
  }

  void Print() {
    const Display& display = console_.out_display;
    const char* separator = "";
    for (const ModuleMaps& module : modules_) {
      *console_.out << separator
                    << Paint(std::string(source_.name), Color::kBold, display)
                    << "\n"
                    << kIndent << ModuleText(module.module.name())
                    << (module.is_of_xla ? ", as XLA assigned its memory\n"
                                         : ", as XLA would assign its memory, "
                                           "computed from the module\n");
      for (const auto& [number, map] : module.spaces) {
        const auto use = module.use.find(number);
        *console_.out << MapToText(
            map, use == module.use.end() ? SpaceUse() : use->second,
            HumanMemorySpace(number, module.names.NameOf(number)), options_.top,
            display);
      }
      separator = "\n";
    }
  }

  void Fail(const std::string& message) {
    PrintError(source_, absl::FailedPreconditionError(message), &console_);
  }

  const HloMapOptions& options_;
  Console& console_;
  TextSource source_;
  std::vector<ModuleMaps> modules_;
};

std::string ReadColors(const std::string& text, MapColors* colors) {
  if (text == "opcode") {
    *colors = MapColors::kOpcode;
  } else if (text == "source") {
    *colors = MapColors::kSource;
  } else if (text == "kind") {
    *colors = MapColors::kKind;
  } else {
    return absl::StrCat("expected opcode, source or kind, found ", text);
  }
  return "";
}

}  // namespace

void AddHloMapCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloMapOptions>();
  Subcommand command = hlo->Add(
      "map", "Draw which value lies where in memory, and when", kHloMapFooter);
  command.Argument(
      "FILE|DIR",
      "an HLO file, or a folder with one dump; - for standard input",
      &options->file);
  AddModuleOption(&command, &options->module);
  command.Text("--space", "S",
               "only this memory space: its number, S(number), or its name",
               &options->space);
  command.Value("--color", "WHAT",
                "color values by opcode, source or kind (opcode)",
                [options](const std::string& text) {
                  return ReadColors(text, &options->colors);
                });
  command.Text("--svg", "FILE", "draw one memory space; - for standard output",
               &options->svg);
  command.Text("--trace", "FILE", "write all memory spaces as trace events",
               &options->trace);
  AddTopOption(&command, &options->top);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  command.Run([options](Console* console) {
    return MapPrinter(*options, console).Run();
  });
}

}  // namespace cli
}  // namespace tessera
