#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/layout/drawing.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/layout/picture_answer.h"
#include "tessera/cli/layout/tensor_argument.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/output_format.h"
#include "tessera/viz/layout_picture.h"
#include "tessera/viz/operation_panels.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/picture_style.h"
#include "tessera/viz/svg_picture.h"
#include "tessera/viz/text_picture.h"
#include "tessera/viz/thread_panels.h"
#include "tessera/viz/thread_picture.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera::cli {
namespace {

constexpr char kDrawFooter[] =
    R"(LAYOUT is an XLA array shape, a CuTe layout or expression, a Tenstorrent
tensor or a strided array. The start of the text determines the family, unless
--family does. Without -o the picture is drawn in characters, as wide as the
terminal. As JSON, it is the service's answer to the question "picture"
(docs/json.md).

With --tv LAYOUT is a layout of CuTe from (thread, value) to the column-major
index in a tile, or an MMA or copy atom by its name or as it is printed. Cells
then have their thread and value, and with --data the collisions in the banks of
shared memory are outlined (docs/bank_conflicts.md).

With --before-after LAYOUT is an expression, such as a divide or a product. The
operands and the result of each operation are side by side, and the cells that
belong together have the same color.

Cells are elements in rows and columns. Hatched cells are padding, between the
elements or after them. Windows count all cells. Tile lines follow the layout's
tiles; without any, they are inferred from memory order.

Examples:
  tessera draw 'f32[3,5]{1,0:T(2,2)}'
  tessera draw 'bf16[4,8]{1,0:T(2,4)(2,1)}' --path -o figure.svg
  tessera draw 'f32[7,1024,1024]{2,1,0:T(8,128)}' --at 3,0,0 \
      --window 0:16,120:136
  tessera draw 'bf16[9,130]' --target tpu --window 0:9,120:136
  tessera draw 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  tessera draw '(6,2):(8,2) o (4,3):(3,1)' --memory 0:43
  tessera draw 'f32[4,8] strides (64, 8) bytes'
  tessera draw --tv '((4,8),(2,2)):((32,1),(16,8))' --tile 16x8 --thread 5
  tessera draw --tv SM80_16x8x16_F32F16F16F32_TN -o mma.svg
  tessera draw --tv '(8,8):(1,8)' --data '(8,64):(64,1)' --bytes 2 --color bank
  tessera draw --tv SM80_16x8x16_F32F16F16F32_TN -o phone.svg --width 390
  tessera draw --before-after 'zipped_divide((8,8):(8,1), <4:1, 4:1>)'
  tessera draw '(9,8):(8,1)' --mark '(9,8):(8,1) o <3:3, 4:2>'
  tessera tt derive --shape 53x63 --grid 3x2 --element 'tile<32x32,bf16>' \
      --tensor | xargs -0 tessera draw -o shards.svg --window 0:96,0:64)";

// The width of most terminals, for output that is not a terminal.
constexpr int64_t kColumnsOfNoTerminal = 80;

struct DrawOptions {
  std::string layout;
  std::optional<std::string> aliases;
  std::optional<std::string> output;
  std::optional<LayoutFamily> family;
  std::optional<int64_t> rows, columns;
  std::optional<std::vector<int64_t>> at;
  std::optional<PictureRange> row_window, column_window, memory;
  std::optional<std::vector<std::vector<int64_t>>> tiles;
  std::optional<std::string> mark;
  CellText cells = CellText::kPositions;
  bool path = false;
  bool before_after = false;
  // For layouts of threads.
  bool tv = false;
  std::optional<std::string> data;
  std::optional<int64_t> bytes;
  ThreadPictureOptions threads;
  std::optional<int64_t> width;
  OutputFormat format = OutputFormat::kText;
  DrawingOptions drawing;
};

// Reads "8:16"; nullopt for an empty text. Returns "", or a sentence without
// its subject that says what is wrong.
std::string ReadRange(std::string_view text, std::string_view form,
                      std::optional<PictureRange>* range) {
  if (text.empty()) return "";
  const std::vector<std::string_view> ends = SplitViews(text, ':');
  int64_t begin, end;
  if (ends.size() != 2 || !absl::SimpleAtoi(AbslView(ends[0]), &begin) ||
      !absl::SimpleAtoi(AbslView(ends[1]), &end)) {
    return StrCat("is not of the form ", form);
  }
  if (begin < 0) return absl::StrCat("begins at ", begin, ", below 0");
  if (end < begin) {
    return absl::StrCat("ends at ", end, ", before its begin ", begin);
  }
  *range = PictureRange{begin, end - begin};
  return "";
}

std::string ReadWindow(const std::string& text, DrawOptions* options) {
  constexpr std::string_view kForm = "R0:R1,C0:C1";
  const std::vector<std::string_view> ranges = SplitViews(text, ',');
  if (ranges.size() != 2) return StrCat(text, " is not of the form ", kForm);
  std::string wrong = ReadRange(ranges[0], kForm, &options->row_window);
  if (!wrong.empty()) return StrCat("the range of rows in ", text, " ", wrong);
  wrong = ReadRange(ranges[1], kForm, &options->column_window);
  if (!wrong.empty()) {
    return StrCat("the range of columns in ", text, " ", wrong);
  }
  return "";
}

std::string ReadMemory(const std::string& text, DrawOptions* options) {
  constexpr std::string_view kForm = "P0:P1";
  if (text.empty()) return StrCat(text, " is not of the form ", kForm);
  const std::string wrong = ReadRange(text, kForm, &options->memory);
  return wrong.empty() ? "" : StrCat(text, " ", wrong);
}

std::vector<std::pair<std::string, LayoutFamily>> NamedFamilies() {
  std::vector<std::pair<std::string, LayoutFamily>> named;
  for (const LayoutFamily family : kLayoutFamilies) {
    named.emplace_back(NameOf(family), family);
  }
  return named;
}

std::function<std::string(const std::string&)> ReadNumberInto(
    std::optional<int64_t>* into, std::string_view what) {
  return [into, what](const std::string& text) -> std::string {
    int64_t number;
    if (!absl::SimpleAtoi(text, &number)) {
      return StrCat(text, " is not ", what);
    }
    *into = number;
    return "";
  };
}

// "8,128", or "8x128".
std::string ReadTile(const std::string& text, DrawOptions* options) {
  std::string sizes = text;
  std::replace(sizes.begin(), sizes.end(), 'x', ',');
  std::optional<std::vector<int64_t>> tile;
  const auto read = ReadIndexInto(&tile);
  // The message quotes the text as typed.
  if (!read(sizes).empty()) return read(text);
  if (!options->tiles.has_value()) options->tiles.emplace();
  options->tiles->push_back(*std::move(tile));
  return "";
}

PictureOptions PictureOptionsOf(const DrawOptions& options,
                                PictureOptions picture) {
  if (options.rows.has_value() || options.columns.has_value()) {
    picture.rows = options.rows;
    picture.columns = options.columns;
  }
  picture.index = options.at;
  picture.row_window = options.row_window;
  picture.column_window = options.column_window;
  picture.memory = options.memory;
  if (options.tiles.has_value()) picture.tiles = options.tiles;
  return picture;
}

TextStyle StyleFor(const Display& display) {
  TextStyle style;
  style.color = display.color;
  style.columns =
      display.is_terminal() ? display.columns : kColumnsOfNoTerminal;
  return style;
}

void PrintPicture(const std::string& title, const std::string& picture,
                  const TextStyle& style, Console* console) {
  for (const std::string& line :
       WrappedLines(title, std::max<int64_t>(style.columns, 20))) {
    *console->out << Paint(line, Color::kBold, console->out_display) << "\n";
  }
  *console->out << "\n" << picture;
}

bool DrawText(const DrawOptions& options, const Drawing& drawing,
              const PictureOptions& picture_options, Console* console) {
  const Display& display = console->out_display;
  TextStyle style = StyleFor(display);
  style.unicode = display.unicode;
  style.text = options.cells;
  style.path = options.path;
  // A requested window is drawn in full if there is no terminal whose width
  // limits it.
  const bool fits =
      picture_options.column_window.has_value() && !display.is_terminal();
  const absl::StatusOr<Picture> picture =
      fits ? MakePicture(drawing.map, picture_options)
           : MakeFittingPicture(drawing.map, picture_options, style);
  if (!picture.ok()) {
    return PrintError({kArgumentName}, picture.status(), console);
  }
  PrintPicture(drawing.title, RenderText(*picture, style), style, console);
  if (!drawing.cores.empty()) {
    *console->out << "    " << absl::StrJoin(drawing.cores, "\n    ") << "\n";
  }
  return true;
}

bool DrawSvg(const DrawOptions& options, const Drawing& drawing,
             const PictureOptions& picture_options, Console* console) {
  const absl::StatusOr<Picture> picture =
      MakePicture(drawing.map, picture_options);
  if (!picture.ok()) {
    return PrintError({kArgumentName}, picture.status(), console);
  }
  SvgStyle style;
  style.title = drawing.title;
  style.text = options.cells;
  style.path = options.path;
  if (picture->rows.dimension == 0 && picture->columns.dimension == 1) {
    style.names = drawing.core_names;
  }
  style.notes = drawing.cores;
  return WriteOutputFile(*options.output, RenderSvg(*picture, style), console);
}

void SetRange(const PictureRange& from, CellRange* to) {
  to->set_first(from.first);
  to->set_count(from.count);
}

bool PrintJson(const DrawOptions& options, Console* console) {
  PictureRequest question;
  question.set_layout(options.layout);
  if (options.rows.has_value()) question.set_rows(*options.rows);
  if (options.columns.has_value()) question.set_columns(*options.columns);
  if (options.at.has_value()) {
    question.mutable_index()->Add(options.at->begin(), options.at->end());
  }
  if (options.row_window.has_value()) {
    SetRange(*options.row_window, question.mutable_row_window());
  }
  if (options.column_window.has_value()) {
    SetRange(*options.column_window, question.mutable_column_window());
  }
  if (options.memory.has_value()) {
    SetRange(*options.memory, question.mutable_memory());
  }
  return PrintPictureAnswer(question, console);
}

// Returns the option that gives cells threads, banks, modes or operands; null
// if there is none.
const char* ThreadsOption(const DrawOptions& options) {
  if (options.before_after) return "--before-after";
  if (options.tv) return "--tv";
  return options.threads.color.has_value() ? "--color" : nullptr;
}

// Reads the panels, or prints why there are none.
std::optional<std::vector<ThreadPanel>> ReadPanels(const DrawOptions& options,
                                                   Console* console) {
  ThreadPanelOptions of_panels;
  const std::optional<std::string> memory =
      options.tv ? options.data : std::optional<std::string>(options.layout);
  if (!options.before_after && memory.has_value()) {
    absl::StatusOr<MemoryOfThreads> read = ParseMemoryOfThreads(*memory);
    if (!read.ok()) {
      PrintError({options.tv ? "--data" : kArgumentName}, read.status(),
                 console);
      return std::nullopt;
    }
    if (options.bytes.has_value()) read->bytes = *options.bytes;
    if (!options.tv) return std::vector<ThreadPanel>{MemoryPanelOf(*read)};
    of_panels.memory = *std::move(read);
  }
  if (options.tiles.has_value()) {
    const std::vector<int64_t>& tile = options.tiles->front();
    of_panels.tile = std::array<int64_t, 2>{tile[0], tile[1]};
  }
  absl::StatusOr<std::vector<ThreadPanel>> panels =
      options.before_after ? OperationPanelsOf(options.layout)
                           : ThreadPanelsOf(options.layout, of_panels);
  if (!panels.ok()) {
    PrintArgumentError(options.layout, panels.status(), console);
    return std::nullopt;
  }
  return *std::move(panels);
}

bool DrawThreads(const DrawOptions& options, Console* console) {
  const auto panels = ReadPanels(options, console);
  if (!panels.has_value()) return false;
  const absl::StatusOr<ThreadPicture> picture =
      MakeThreadPicture(*panels, options.threads);
  if (!picture.ok()) {
    return PrintError({kArgumentName}, picture.status(), console);
  }
  const std::string title =
      options.tv && options.data.has_value()
          ? absl::StrCat(options.layout, " in ", *options.data)
          : options.layout;
  if (options.output.has_value()) {
    return WriteOutputFile(*options.output,
                           RenderSvg(*picture, title, options.width), console);
  }
  const TextStyle style = StyleFor(console->out_display);
  PrintPicture(title, RenderText(*picture, style), style, console);
  return true;
}

bool RunDraw(DrawOptions options, Console* console) {
  if (ThreadsOption(options) != nullptr) return DrawThreads(options, console);
  if (!ExpandTensorArgument(options.aliases, options.format, console,
                            &options.layout)) {
    return false;
  }
  if (options.format == OutputFormat::kJson) {
    return PrintJson(options, console);
  }
  const LayoutFamily family = options.family.value_or(FamilyOf(options.layout));
  const std::optional<Drawing> drawing =
      ReadDrawing(options.layout, family, options.drawing, console);
  if (!drawing.has_value()) return false;
  PictureOptions picture_options = PictureOptionsOf(options, drawing->options);
  if (options.mark.has_value()) {
    std::optional<Drawing> mark = ReadDrawing(
        *options.mark, FamilyOf(*options.mark), options.drawing, console);
    if (!mark.has_value()) return false;
    picture_options.marks = std::move(mark->map);
    picture_options.marks_name = std::move(mark->title);
  }
  return options.output.has_value()
             ? DrawSvg(options, *drawing, picture_options, console)
             : DrawText(options, *drawing, picture_options, console);
}

// Whether options are given, and their names.
using GivenOptions = std::initializer_list<std::pair<bool, std::string_view>>;

// Returns the error that the first of these that is given has `problem`; "" if
// none is given.
std::string RefuseGiven(GivenOptions options, std::string_view problem) {
  for (const auto& [is_given, name] : options) {
    if (is_given) return StrCat(name, problem);
  }
  return "";
}

// Returns an error for options that are invalid with threads, or only valid
// with them.
std::string ThreadsUsageError(const DrawOptions& options) {
  if (!options.tv) {
    std::string problem =
        RefuseGiven({{options.data.has_value(), "--data"},
                     {options.threads.thread.has_value(), "--thread"}},
                    " needs --tv");
    if (!problem.empty()) return problem;
  }
  if (options.width.has_value() && !options.output.has_value()) {
    return "--width needs -o";
  }
  const char* by = ThreadsOption(options);
  if (by == nullptr) {
    if (options.width.has_value()) {
      return "--width needs --tv, --color or --before-after";
    }
    return options.bytes.has_value() ? "--bytes needs --tv or --color" : "";
  }
  std::string problem = RefuseGiven(
      {{options.path, "--path"},
       {options.mark.has_value(), "--mark"},
       {options.memory.has_value(), "--memory"},
       {options.row_window.has_value() || options.column_window.has_value(),
        "--window"},
       {options.at.has_value(), "--at"},
       {options.rows.has_value(), "--rows"},
       {options.columns.has_value(), "--columns"},
       {options.tiles.has_value() && !options.tv, "--tile"},
       {options.tv && options.before_after, "--tv"},
       {options.threads.color.has_value() && options.before_after, "--color"},
       {options.bytes.has_value() && options.before_after, "--bytes"}},
      absl::StrCat(" does not go with ", by));
  if (!problem.empty()) return problem;
  if (options.tiles.has_value() &&
      (options.tiles->size() != 1 || options.tiles->front().size() != 2)) {
    return "with --tv, --tile is the rows and columns of the one tile";
  }
  return "";
}

// A picture is SVG, whatever its name.
std::string DrawUsageError(const DrawOptions& options) {
  std::string problem;
  if (options.format == OutputFormat::kJson) {
    problem = RefuseGiven({{options.output.has_value(), "--output"},
                           {options.tiles.has_value(), "--tile"},
                           {options.mark.has_value(), "--mark"},
                           {options.family.has_value(), "--family"},
                           {options.tv, "--tv"},
                           {options.threads.color.has_value(), "--color"},
                           {options.before_after, "--before-after"},
                           {options.drawing.parse.lenient, "--lenient"}},
                          " does not go with --format=json");
  }
  if (problem.empty()) problem = ThreadsUsageError(options);
  if (!problem.empty() || !options.output.has_value()) return problem;
  for (const std::string_view other :
       {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".pdf", ".eps"}) {
    if (absl::EndsWithIgnoreCase(*options.output, AbslView(other))) {
      return StrCat("--output writes SVG, not ", other.substr(1),
                    "; name a file that ends in .svg");
    }
  }
  return "";
}

}  // namespace

void AddDrawCommand(CommandLine* command_line) {
  auto options = std::make_shared<DrawOptions>();
  Subcommand command = command_line->Add(
      "draw", "Draw a layout: positions, tiles, padding", kDrawFooter);
  command.Argument("LAYOUT", "the layout", &options->layout);
  AddAliasesOption(&command, &options->aliases);
  command.Text("-o,--output", "FILE",
               "write an SVG picture to this file instead; - for standard "
               "output",
               &options->output);
  command.Value("--rows", "D", "the dimension that runs down",
                ReadNumberInto(&options->rows, "a dimension number"));
  command.Value("--columns", "D", "the dimension that runs across",
                ReadNumberInto(&options->columns, "a dimension number"));
  command.Value("--at", "I,J,...",
                "the fixed index of the other dimensions (0,0,...)",
                ReadIndexInto(&options->at));
  command.Value("--window", "R0:R1,C0:C1",
                "the cells to draw; either range may be left empty",
                [options](const std::string& text) {
                  return ReadWindow(text, options.get());
                });
  command.Values("--tile", "I,J,...",
                 "outline tiles of this extent; repeat for nested tiles; with "
                 "--tv, the rows and columns of the tile",
                 [options](const std::string& text) {
                   return ReadTile(text, options.get());
                 });
  command.Text("--mark", "LAYOUT",
               "mark the cells that hold elements of this layout",
               &options->mark);
  // Bytes are positions in another unit.
  command.Choice<std::pair<CellText, bool>>(
      "--cells",
      {{"positions", {CellText::kPositions, false}},
       {"bytes", {CellText::kPositions, true}},
       {"indices", {CellText::kIndices, false}},
       {"none", {CellText::kNothing, false}}},
      "the content of the cells (positions)", [options](const auto& cells) {
        std::tie(options->cells, options->drawing.in_bytes) = cells;
      });
  command.Flag("--tv",
               "draw the thread and value of each cell: LAYOUT is from "
               "(thread, value) to the index in the tile, or an atom",
               &options->tv);
  command.Text("--data", "LAYOUT",
               "with --tv, the layout in shared memory of what threads access",
               &options->data);
  command.Value("--bytes", "N", "the bytes of an element in memory",
                ReadNumberInto(&options->bytes, "a number of bytes"));
  command.Choice<ThreadColor>(
      "--color",
      {{"thread", ThreadColor::kThread},
       {"value", ThreadColor::kValue},
       {"bank", ThreadColor::kBank},
       {"mode", ThreadColor::kMode},
       {"offset", ThreadColor::kOffset}},
      "what the colors of cells show",
      [options](ThreadColor color) { options->threads.color = color; });
  command.Value("--thread", "N", "with --tv, highlight this thread",
                ReadNumberInto(&options->threads.thread, "a thread"));
  command.Flag("--before-after",
               "draw the operands and the result of each operation in an "
               "expression of CuTe layouts",
               &options->before_after);
  command.Value("--width", "N",
                "the width in pixels of a picture of threads or operations; "
                "panels that do not fit start new lines",
                ReadNumberInto(&options->width, "a number of pixels"));
  command.Flag("--path", "show the order of memory", &options->path);
  command.Value("--memory", "P0:P1", "also draw this stretch of memory",
                [options](const std::string& text) {
                  return ReadMemory(text, options.get());
                });
  command.Choice<LayoutFamily>(
      "--family", NamedFamilies(), "the family of LAYOUT",
      [options](LayoutFamily family) { options->family = family; });
  AddTargetOption(&options->drawing.parse, &command);
  AddLenientFlag(&options->drawing.parse, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(options, RunDraw, DrawUsageError);
}

}  // namespace tessera::cli
