#include "tessera/viz/thread_picture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/viz/thread_panels.h"
#include "tests/viz/xml_reader.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

// (row, column) -> (value, thread) of all holders of the cell in their order,
// for each panel. The value is -1 if the text has none.
using Cells = std::map<std::pair<int64_t, int64_t>,
                       std::vector<std::pair<int64_t, int64_t>>>;

XmlElement ReadSvg(const std::string& svg) {
  absl::StatusOr<XmlElement> root = ReadXml(svg);
  EXPECT_THAT(root, IsOk()) << svg.substr(0, 200);
  return root.ok() ? *std::move(root) : XmlElement();
}

// From the titles of cells: "(1,3): T5 V1, T9 V1". A panel begins at (0,0).
std::vector<Cells> CellsOfTitles(const XmlElement& root) {
  std::vector<Cells> panels;
  for (const XmlElement* rect : root.All("rect")) {
    if (rect->children.empty()) continue;
    const std::vector<std::string> parts =
        absl::StrSplit(rect->children[0].text, ": ");
    const std::vector<std::string> at =
        absl::StrSplit(parts[0].substr(1, parts[0].size() - 2), ',');
    int64_t row, column;
    EXPECT_TRUE(absl::SimpleAtoi(at[0], &row)) << parts[0];
    EXPECT_TRUE(absl::SimpleAtoi(at[1], &column)) << parts[0];
    if (row == 0 && column == 0) panels.emplace_back();
    if (parts.size() < 2) continue;
    for (const std::string& holder :
         std::vector<std::string>(absl::StrSplit(parts[1], ", "))) {
      // "T0-T3 V1" is four of them.
      const std::vector<std::string> words = absl::StrSplit(holder, ' ');
      const std::vector<std::string> ends = absl::StrSplit(words[0], '-');
      int64_t first, last;
      EXPECT_TRUE(absl::SimpleAtoi(ends.front().substr(1), &first)) << holder;
      EXPECT_TRUE(absl::SimpleAtoi(ends.back().substr(1), &last)) << holder;
      for (int64_t thread = first; thread <= last; ++thread) {
        int64_t value = -1;
        if (words.size() > 1) {
          EXPECT_TRUE(absl::SimpleAtoi(words[1].substr(1), &value)) << holder;
        }
        panels.back()[{row, column}].emplace_back(value, thread);
      }
    }
  }
  return panels;
}

// The text in each cell, and its data, name the first holder.
void ExpectTextsAmong(const XmlElement& root,
                      const std::vector<Cells>& panels) {
  size_t texts = 0;
  for (const XmlElement* text : root.All("text")) {
    const std::string at = text->Attribute("data-at");
    if (at.empty()) continue;
    ++texts;
    const std::string panel = text->Attribute("data-panel");
    int64_t number = 0;
    if (!panel.empty()) {
      ASSERT_TRUE(absl::SimpleAtoi(panel, &number));
    }
    const std::vector<std::string> entries = absl::StrSplit(at, ',');
    int64_t row, column;
    ASSERT_TRUE(absl::SimpleAtoi(entries[0], &row));
    ASSERT_TRUE(absl::SimpleAtoi(entries[1], &column));
    int64_t thread, value = -1;
    ASSERT_TRUE(absl::SimpleAtoi(text->Attribute("data-thread"), &thread));
    const auto& holders = panels[number].at({row, column});
    ASSERT_EQ(text->text,
              holders.size() == 1
                  ? absl::StrCat("T", thread)
                  : absl::StrCat("T", thread, "+", holders.size() - 1));
    if (!text->children.empty()) {
      ASSERT_TRUE(absl::SimpleAtoi(text->Attribute("data-value"), &value));
      ASSERT_EQ(text->children[0].text, absl::StrCat("V", value));
    }
    ASSERT_EQ(holders[0], std::pair(value, thread)) << at;
  }
  size_t held = 0;
  for (const Cells& cells : panels) held += cells.size();
  EXPECT_EQ(texts, held);
}

// What the layout says, element by element. `rows` is the extent of the mode
// that the index counts fastest.
Cells CellsOfLayout(const cute::Layout& layout, int64_t rows,
                    bool is_transposed, bool has_values) {
  Cells cells;
  const int64_t threads = layout.Mode(0).size();
  for (int64_t i = 0; i < layout.size(); ++i) {
    const int64_t index = layout(i);
    std::pair<int64_t, int64_t> at = {index % rows, index / rows};
    if (is_transposed) std::swap(at.first, at.second);
    cells[at].emplace_back(has_values ? i / threads : -1, i % threads);
  }
  return cells;
}

void ExpectCellsOfPanel(const ThreadPanel& panel, const cute::Layout& layout) {
  SCOPED_TRACE(panel.title);
  const auto picture = MakeThreadPicture({panel}, {});
  ASSERT_TRUE(picture.ok()) << picture.status();
  const XmlElement root = ReadSvg(RenderSvg(*picture, ""));
  const std::vector<Cells> cells = CellsOfTitles(root);
  ASSERT_EQ(cells.size(), 1);
  ExpectTextsAmong(root, cells);
  // Two megabytes of holders are no message.
  EXPECT_TRUE(cells[0] == CellsOfLayout(layout, panel.rows, panel.is_transposed,
                                        picture->has_values));
}

// All atoms that C++ prints and the DSL traces (tests/cute/data/README.md): the
// cells that are read back from the pictures of A, B and C, of source and
// destination, are those of the table, up to 256 x 256 cells of UMMA and 2^21
// elements of GMMA.
TEST(ThreadPicture, CellsOfAllAtoms) {
  const absl::StatusOr<FileBytes> file =
      FileBytes::Open("tests/cute/data/atoms.tsv.gz");
  ASSERT_THAT(file, IsOk());
  std::set<std::string> seen;
  int atoms = 0, refused = 0;
  for (const std::string_view row :
       SplitViews(file->text(), '\n', absl::SkipEmpty())) {
    const std::vector<std::string_view> fields = SplitViews(row, '\t');
    const std::string_view kind = fields[1];
    const auto panels = ThreadPanelsOf(fields[2], {});
    std::vector<cute::Layout> layouts;
    for (size_t i = 5; i < fields.size(); ++i) {
      const auto layout = cute::ParseLayout(fields[i]);
      if (layout.ok()) layouts.push_back(*layout);
    }
    // Some have a stride that no layout has.
    if (kind == "refused" || layouts.size() + 5 != fields.size()) {
      EXPECT_FALSE(panels.ok()) << row;
      ++refused;
      continue;
    }
    ASSERT_TRUE(panels.ok()) << row << panels.status();
    ++atoms;
    for (size_t i = 0; i < panels->size(); ++i) {
      const ThreadPanel& panel = (*panels)[i];
      // Those of copies are in other units than the table's.
      const cute::Layout& layout = kind == "mma" ? layouts[i] : *panel.threads;
      // Many atoms have the same layouts.
      const std::string key =
          absl::StrCat(layout.ToString(), " ", panel.threads->ToString(), " ",
                       panel.rows, panel.is_transposed ? " across" : " down");
      if (seen.insert(key).second) ExpectCellsOfPanel(panel, layout);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(atoms, 3300);
  EXPECT_GE(refused, 254);
  EXPECT_GE(seen.size(), 350u);
}

// The panels of an atom in one picture, with the elements of a copy in bytes.
TEST(ThreadPicture, PanelsOfOneAtom) {
  for (const auto& [name, parts] :
       {std::pair("warp.MmaF16BF16Op(Float16,Float32,(16,8,16))", "ABC"),
        {"Copy_Atom<SM75_U32x4_LDSM_N, half_t>", "SD"}}) {
    const auto panels = ThreadPanelsOf(name, {});
    ASSERT_TRUE(panels.ok()) << panels.status();
    ASSERT_EQ(panels->size(), std::string_view(parts).size());
    const auto picture = MakeThreadPicture(*panels, {});
    ASSERT_TRUE(picture.ok()) << picture.status();
    const std::string svg = RenderSvg(*picture, name);
    const std::vector<Cells> cells = CellsOfTitles(ReadSvg(svg));
    ASSERT_EQ(cells.size(), panels->size());
    ExpectTextsAmong(ReadSvg(svg), cells);
    for (size_t i = 0; i < panels->size(); ++i) {
      const ThreadPanel& panel = (*panels)[i];
      EXPECT_EQ(panel.title.substr(0, 1), std::string(1, parts[i]));
      EXPECT_EQ(cells[i], CellsOfLayout(*panel.threads, panel.rows,
                                        panel.is_transposed, true));
    }
    // Narrow pictures have the same cells in the same order.
    for (const int64_t width : {0, 200, 390, 600}) {
      const XmlElement narrow = ReadSvg(RenderSvg(*picture, name, width));
      EXPECT_EQ(narrow.Attribute("width"),
                absl::StrCat(std::max<int64_t>(width, 240)));
      std::vector<Cells> of_narrow(cells.size());
      for (const XmlElement* text : narrow.All("text")) {
        const std::string at = text->Attribute("data-at");
        if (at.empty()) continue;
        int64_t number = 0, row, column, thread, value;
        (void)absl::SimpleAtoi(text->Attribute("data-panel"), &number);
        const std::vector<std::string> entries = absl::StrSplit(at, ',');
        ASSERT_TRUE(absl::SimpleAtoi(entries[0], &row));
        ASSERT_TRUE(absl::SimpleAtoi(entries[1], &column));
        ASSERT_TRUE(absl::SimpleAtoi(text->Attribute("data-thread"), &thread));
        ASSERT_TRUE(absl::SimpleAtoi(text->Attribute("data-value"), &value));
        const auto& holders = cells[number].at({row, column});
        EXPECT_EQ(holders[0], std::pair(value, thread));
        of_narrow[number][{row, column}] = holders;
        int64_t x;
        ASSERT_TRUE(absl::SimpleAtoi(text->Attribute("x"), &x));
        EXPECT_GT(x, 0);
        EXPECT_LT(x, std::max<int64_t>(width, 240));
      }
      EXPECT_EQ(of_narrow, cells) << width;
    }
  }
}

ThreadPanel PanelOf(std::string_view threads, int64_t rows, int64_t columns) {
  ThreadPanel panel;
  panel.threads = *cute::ParseLayout(threads);
  panel.rows = rows;
  panel.columns = columns;
  return panel;
}

TEST(ThreadPicture, IsSmall) {
  const ThreadPanel panel = PanelOf("((4,8),(2,2)):((32,1),(16,8))", 16, 8);
  const std::string svg = RenderSvg(*MakeThreadPicture({panel}, {}), "C");
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_EQ(RenderSvg(*MakeThreadPicture({panel}, {}), "C"), svg);
}

int CountOfClass(const XmlElement& root, const std::string& name) {
  int count = 0;
  for (const XmlElement* rect : root.All("rect")) {
    count += rect->Attribute("class") == name;
  }
  return count;
}

TEST(ThreadPicture, OneThreadStandsOut) {
  ThreadPictureOptions options;
  options.thread = 5;
  const auto picture = MakeThreadPicture(
      {PanelOf("((4,8),(2,2)):((32,1),(16,8))", 16, 8)}, options);
  ASSERT_TRUE(picture.ok()) << picture.status();
  for (const auto& [row, column] : {std::pair(1, 2), {1, 3}, {9, 2}, {9, 3}}) {
    EXPECT_TRUE(picture->panels[0].At(row, column).is_lit);
  }
  EXPECT_EQ(CountOfClass(ReadSvg(RenderSvg(*picture, "")), "lit"), 4);
}

TEST(ThreadPicture, OutlinesTheWorstBank) {
  ThreadPanelOptions options;
  options.memory = *ParseMemoryOfThreads("(8,64):(64,1)");
  options.memory->bytes = 2;
  for (const bool is_swizzled : {false, true}) {
    if (is_swizzled) {
      options.memory->layout =
          *cute::ParseComposedLayout("Sw<3,3,3> o 0 o (8,64):(64,1)");
    }
    ThreadPictureOptions style;
    style.color = ThreadColor::kBank;
    const auto picture =
        MakeThreadPicture(*ThreadPanelsOf("(8,8):(1,8)", options), style);
    ASSERT_TRUE(picture.ok()) << picture.status();
    const ThreadPicture::Panel& panel = picture->panels[0];
    EXPECT_EQ(panel.rows, 8);
    EXPECT_EQ(panel.columns, 64);
    EXPECT_EQ(panel.At(0, 0).collides, !is_swizzled);
    EXPECT_FALSE(panel.At(0, 2).collides);
    // Row 1 begins at element 64, or 64 + 8: banks 0 and 4.
    EXPECT_EQ(panel.At(1, 0).bank, is_swizzled ? 4 : 0);
    EXPECT_EQ(panel.At(1, 0).color, is_swizzled ? 1 : 0);
    EXPECT_TRUE(panel.At(1, 8).holders.empty());
    EXPECT_EQ(CountOfClass(ReadSvg(RenderSvg(*picture, "")), "collides"),
              is_swizzled ? 0 : 16);
    EXPECT_THAT(RenderText(*picture, {}),
                HasSubstr(is_swizzled ? "no conflict: 1 wavefront"
                                      : "8-way conflict: 8 wavefronts"));
  }
}

TEST(ThreadPicture, ModesAreLines) {
  const ThreadPicture picture = *MakeThreadPicture(
      {MemoryPanelOf(
          *ParseMemoryOfThreads("((2,2),(2,2,2)):((1,4),(2,8,16))"))},
      {});
  EXPECT_EQ(picture.color, ThreadColor::kMode);
  EXPECT_EQ(picture.panels[0].row_lines, (std::vector<int>{0, 0, 1, 0, 0}));
  EXPECT_EQ(picture.panels[0].column_lines,
            (std::vector<int>{0, 0, 1, 0, 2, 0, 1, 0, 0}));
  EXPECT_EQ(RenderText(picture, {}), R"(      0   1    2   3    4   5    6   7
   +========+========+========+========+
 0 |  0   2 |  8  10 | 16  18 | 24  26 |
 1 |  1   3 |  9  11 | 17  19 | 25  27 |
   +--------+--------+--------+--------+
 2 |  4   6 | 12  14 | 20  22 | 28  30 |
 3 |  5   7 | 13  15 | 21  23 | 29  31 |
   +========+========+========+========+

Numbers are offsets in memory, in elements.
Lines are where a mode of the layout begins anew, thick ones where the outermost
mode goes on.
)");
}

// As CuTe colours its pictures: a swizzle permutes the colours of each row.
TEST(ThreadPicture, OffsetsHaveColors) {
  const ThreadPicture picture = *MakeThreadPicture(
      {MemoryPanelOf(*ParseMemoryOfThreads("Sw<3,0,3> o 0 o (8,8):(8,1)"))},
      {});
  EXPECT_EQ(picture.color, ThreadColor::kOffset);
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      EXPECT_EQ(picture.panels[0].At(row, column).color, row ^ column);
    }
  }
  EXPECT_THAT(RenderSvg(picture, ""),
              HasSubstr("The color of a cell is that of its offset"));
}

TEST(ThreadPicture, TextOfThreads) {
  for (const auto& [layout, text] :
       {std::pair("((4,8),(2,2)):((32,1),(16,8))", "32 threads x 4 values"),
        {"32:1", "32 threads"},
        {"(1,8):(0,1)", "1 thread x 8 values"}}) {
    EXPECT_EQ(TextOfThreads(*cute::ParseLayout(layout)), text);
  }
}

TEST(ThreadPicture, Text) {
  ThreadPictureOptions options;
  options.thread = 2;
  EXPECT_EQ(
      RenderText(*MakeThreadPicture({PanelOf("(4,2):(1,4)", 4, 2)}, options),
                 {}),
      R"(        0     1
   +============+
 0 | T0V0  T0V1 |
 1 | T1V0  T1V1 |
 2 |[T2V0][T2V1]|
 3 | T3V0  T3V1 |
   +============+

T5 V1: value 1 of thread 5 is in this cell.
The cells of thread 2 stand out.
)");
  // Cells of several threads, and of none.
  EXPECT_EQ(
      RenderText(*MakeThreadPicture({PanelOf("(2,2):(0,1)", 1, 3)}, {}), {}),
      R"(          0       1       2
   +========================+
 0 | T0V0+1  T0V1+1         |
   +========================+

T5 V1: value 1 of thread 5 is in this cell.
)");
}

TEST(ThreadPicture, PrintOfAnMma) {
  const auto panels = ThreadPanelsOf(
      "MMA_Atom\n"
      "  ThrID:      _32:_1\n"
      "  Shape_MNK:  (_16,_8,_16)\n"
      "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
      "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n"
      "  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n",
      {});
  ASSERT_TRUE(panels.ok()) << panels.status();
  ASSERT_EQ(panels->size(), 3u);
  EXPECT_EQ((*panels)[0].title,
            "A, 16 x 16, 32 threads x 8 values: "
            "((4,8),(2,2,2)):((32,1),(16,8,128))");
  EXPECT_TRUE((*panels)[1].is_transposed);
  EXPECT_EQ((*panels)[1].rows, 8);
}

TEST(ThreadPicture, SquarestTile) {
  EXPECT_EQ(SquarestTile(128), (std::array<int64_t, 2>{16, 8}));
  EXPECT_EQ(SquarestTile(256), (std::array<int64_t, 2>{16, 16}));
  EXPECT_EQ(SquarestTile(13), (std::array<int64_t, 2>{13, 1}));
  EXPECT_EQ(SquarestTile(1), (std::array<int64_t, 2>{1, 1}));
}

std::string Refusal(const ThreadPanel& panel,
                    const ThreadPictureOptions& options = {}) {
  const auto picture = MakeThreadPicture({panel}, options);
  return picture.ok() ? "" : std::string(picture.status().message());
}

TEST(ThreadPicture, Refusals) {
  ThreadPictureOptions options;
  EXPECT_THAT(Refusal(PanelOf("32:1", 4, 4)),
              HasSubstr("thread 16 holds coordinate 16, which is outside the "
                        "tile of 4 x 4"));
  EXPECT_EQ(Refusal(PanelOf("(4,2,2):(1,4,8)", 4, 4)),
            "expected a layout of shape (thread, value) or (thread), found "
            "(4,2,2):(1,4,8)");
  EXPECT_EQ(Refusal(PanelOf("4:-1", 4, 4)),
            "thread 1 holds coordinate -1, which is outside the tile of 4 x 4");
  EXPECT_EQ(Refusal(PanelOf("2097153:0", 4, 4)),
            "threads hold at most 2097152 elements of a picture, and these "
            "hold 2097153");
  EXPECT_EQ(Refusal(PanelOf("32:1", 0, 4)), "a tile of 0 x 4 has no cells");
  EXPECT_EQ(Refusal(PanelOf("32:1", int64_t{1} << 40, int64_t{1} << 40)),
            "a picture has at most 65536 cells, and a tile of 1099511627776 x "
            "1099511627776 has more");
  EXPECT_EQ(Refusal(ThreadPanel()), "a panel has neither threads nor memory");
  options.thread = 40;
  EXPECT_EQ(Refusal(PanelOf("32:1", 8, 4), options),
            "thread 40 holds no element");
  options.color = ThreadColor::kBank;
  EXPECT_EQ(Refusal(PanelOf("32:1", 8, 4), options),
            "banks need a layout of memory and the bytes of an element");
  options.color = ThreadColor::kMode;
  EXPECT_EQ(Refusal(PanelOf("32:1", 8, 4), options),
            "modes and offsets need a layout of memory");
  options.color = ThreadColor::kValue;
  const ThreadPanel memory =
      MemoryPanelOf(*ParseMemoryOfThreads("(4,4):(4,1)"));
  EXPECT_EQ(Refusal(memory, options),
            "threads and values need a layout of threads");
  ThreadPanel larger = PanelOf("32:1", 8, 4);
  larger.memory = memory.memory;
  EXPECT_EQ(Refusal(larger),
            "a tile of 8 x 4 does not fit into Sw<0,0,0> o 0 o (4,4):(4,1), of "
            "size 16");

  const auto panels = [](std::string_view text) {
    return std::string(ThreadPanelsOf(text, {}).status().message());
  };
  EXPECT_EQ(panels("Sw<2,0,3>"),
            "expected a layout, found the swizzle Sw<2,0,3>");
  EXPECT_EQ(panels("(2,2):(1@0,1@1)"),
            "the values of (2,2):(1@0,1@1) are coordinates, not the index of a "
            "cell");
  ThreadPanelOptions tile;
  tile.tile = {4, 4};
  EXPECT_EQ(
      ThreadPanelsOf("SM80_16x8x16_F32F16F16F32_TN", tile).status().message(),
      "the tiles of an atom are its own, and it has no memory");
  EXPECT_THAT(MmaShapeOf(*cute::ParseLayout("6:1"), *cute::ParseLayout("4:1"),
                         *cute::ParseLayout("8:1"))
                  .status()
                  .message(),
              HasSubstr("tiles of 6, 4 and 8 elements are not M x K"));
}

}  // namespace
}  // namespace tessera
