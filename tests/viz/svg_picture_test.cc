#include "tessera/viz/svg_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"
#include "tests/viz/random_maps.h"
#include "tests/viz/xml_reader.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Picture Draw(const std::string& shape, const PictureOptions& options = {}) {
  return *MakePicture(*ToIndexMap(*ParseShape(shape)), options);
}

// Parses, or fails the test.
XmlElement Read(const std::string& svg) {
  absl::StatusOr<XmlElement> root = ReadXml(svg);
  EXPECT_THAT(root, IsOk()) << "\n" << svg;
  return root.ok() ? *std::move(root) : XmlElement();
}

// The classes of an element.
std::set<std::string> ClassesOf(const XmlElement& element) {
  return absl::StrSplit(element.Attribute("class"), ' ', absl::SkipEmpty());
}

// How many elements of all kinds have a class.
int CountOf(const XmlElement& root, const std::string& name) {
  int count = 0;
  for (const char* kind : {"rect", "path", "text"}) {
    for (const XmlElement* element : root.All(kind)) {
      count += ClassesOf(*element).count(name);
    }
  }
  return count;
}

TEST(SvgPicture, HasATitleAndAnElementForEachCell) {
  SvgStyle style;
  style.title = "f32[3,5]{1,0:T(2,2)}";
  const std::string svg = RenderSvg(Draw("f32[3,5]{1,0:T(2,2)}"), style);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  const XmlElement root = Read(svg);
  EXPECT_EQ(root.name, "svg");
  EXPECT_EQ(root.children[0].name, "title");
  EXPECT_EQ(root.children[0].text, "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(root.children[1].name, "desc");
  EXPECT_THAT(root.children[1].text,
              HasSubstr("Thick lines go around tiles of 2 x 2."));
  bool is_found = false;
  for (const XmlElement* text : root.All("text")) {
    if (text->Attribute("data-at") != "2,3") continue;
    is_found = true;
    EXPECT_EQ(text->text, "17");
    EXPECT_EQ(text->Attribute("class"), "n");
  }
  EXPECT_TRUE(is_found);
}

TEST(SvgPicture, LoadsNothing) {
  const std::string svg = RenderSvg(Draw("f32[3,5]{1,0:T(2,2)}"), {});
  EXPECT_THAT(svg, Not(HasSubstr("script")));
  EXPECT_THAT(svg, Not(HasSubstr("@import")));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  // The name of the language, and the hatching of the same file.
  EXPECT_EQ(svg.find("http"), svg.rfind("http"));
  EXPECT_EQ(svg.find("url("), svg.rfind("url("));
  EXPECT_THAT(svg, HasSubstr("url(#tessera-hatching)"));
}

TEST(SvgPicture, TitlesAreEscaped) {
  SvgStyle style;
  style.title = "<2:1> & \"o\" \x01\xff";
  const XmlElement root = Read(RenderSvg(Draw("f32[2]"), style));
  EXPECT_EQ(root.children[0].text, "<2:1> & \"o\" ??");
}

TEST(SvgPicture, TooltipsSayWhatACellIs) {
  const XmlElement root = Read(RenderSvg(Draw("f32[3,5]{1,0:T(2,2)}"), {}));
  std::vector<std::string> tooltips;
  for (const XmlElement* box : root.All("rect")) {
    for (const XmlElement& child : box->children) {
      tooltips.push_back(child.text);
    }
  }
  ASSERT_EQ(tooltips.size(), 24);
  EXPECT_EQ(tooltips[15], "element 2,3 at position 17, tile 4 of 2 x 2");
  EXPECT_EQ(tooltips[17], "padding at position 21, tile 5 of 2 x 2");
}

TEST(SvgPicture, TilesAreLinesAndBoxes) {
  PictureOptions options;
  options.tiles = std::vector<std::vector<int64_t>>{{2, 4}, {2, 1}};
  const XmlElement root =
      Read(RenderSvg(Draw("bf16[4,8]{1,0:T(2,4)(2,1)}", options), {}));
  // Three each way and a mark in the legend.
  EXPECT_EQ(CountOf(root, "thick"), 7);
  EXPECT_EQ(CountOf(root, "nested"), 17);
  EXPECT_EQ(CountOf(root, "cut"), 0);
}

TEST(SvgPicture, WindowsAreCutAndShownInAnOverview) {
  PictureOptions options;
  options.row_window = PictureRange{4, 8};
  options.column_window = PictureRange{126, 4};
  const XmlElement root =
      Read(RenderSvg(Draw("f32[64,512]{1,0:T(8,128)}", options), {}));
  EXPECT_EQ(CountOf(root, "cut"), 4);
  EXPECT_EQ(CountOf(root, "thick"), 3);
  // Of the overview, and of its mark in the legend.
  EXPECT_EQ(CountOf(root, "part"), 2);
  EXPECT_EQ(CountOf(root, "n"), 33);
}

TEST(SvgPicture, ThePathFollowsMemory) {
  SvgStyle style;
  style.path = true;
  const XmlElement root =
      Read(RenderSvg(Draw("f32[2,2]{1,0:T(2,128)}",
                          [] {
                            PictureOptions options;
                            options.column_window = PictureRange{0, 2};
                            return options;
                          }()),
                     style));
  std::map<std::string, std::string> paths;
  for (const XmlElement* path : root.All("path")) {
    paths.emplace(path->Attribute("class"), path->Attribute("d"));
  }
  // Two rows of two; between them lies the rest of the tile.
  const std::vector<std::string> along = absl::StrSplit(paths["path"], 'M');
  const std::vector<std::string> jumps = absl::StrSplit(paths["jump"], 'M');
  EXPECT_EQ(along.size(), 3);
  EXPECT_EQ(jumps.size(), 2);
  EXPECT_EQ(CountOf(root, "end"), 2);
}

TEST(SvgPicture, MarkedCellsAreFramed) {
  PictureOptions options;
  options.marks = *ToIndexMap(*ParseShape("f32[2,2]"));
  const XmlElement root =
      Read(RenderSvg(Draw("f32[3,5]{1,0:T(2,2)}", options), {}));
  // And once in the legend.
  EXPECT_EQ(CountOf(root, "mark"), 5);
  EXPECT_EQ(CountOf(root, "unmarked"), 11);
}

TEST(SvgPicture, Memory) {
  PictureOptions options;
  options.memory = PictureRange{0, 24};
  const XmlElement root =
      Read(RenderSvg(Draw("f32[3,5]{1,0:T(2,2)}", options), {}));
  std::vector<std::string> places;
  for (const XmlElement* text : root.All("text")) {
    if (text->Attribute("class") == "m") places.push_back(text->text);
  }
  ASSERT_EQ(places.size(), 15);
  EXPECT_EQ(places[2], "1,0");
  EXPECT_EQ(places[9], "1,4");
}

TEST(SvgPicture, IndicesOrNothingInTheCells) {
  SvgStyle style;
  style.text = CellText::kIndices;
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}");
  std::string svg = RenderSvg(picture, style);
  EXPECT_EQ(CountOf(Read(svg), "n"), 16);
  EXPECT_THAT(svg, HasSubstr("A cell shows the index of its element."));
  style.text = CellText::kNothing;
  svg = RenderSvg(picture, style);
  EXPECT_EQ(CountOf(Read(svg), "n"), 0);
}

// The colours of text and what it stands on are at least 4.5 to 1, by WCAG.
double Luminance(const std::string& color) {
  auto channel = [&color](int i) {
    const double value = static_cast<double>(std::stoi(
                             color.substr(1 + 2 * i, 2), nullptr, 16)) /
                         255;
    return value <= 0.03928 ? value / 12.92
                            : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
}

double Contrast(const std::string& a, const std::string& b) {
  const double one = Luminance(a) + 0.05;
  const double other = Luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

std::string ColorOf(const std::string& style, const std::string& rule) {
  const size_t at = style.find(rule + " { fill: ");
  EXPECT_NE(at, std::string::npos) << rule;
  return style.substr(style.find('#', at), 7);
}

TEST(SvgPicture, ContrastOnEitherGround) {
  const XmlElement root = Read(RenderSvg(Draw("f32[2]"), {}));
  const std::string style = root.All("style")[0]->text;
  const size_t dark = style.find("@media (prefers-color-scheme: dark)");
  ASSERT_NE(dark, std::string::npos);
  for (const std::string& rules : {style.substr(0, dark), style.substr(dark)}) {
    const std::string ink = ColorOf(rules, ".tessera text");
    for (int i = 0; i < Picture::kColors; ++i) {
      EXPECT_GE(Contrast(ink, ColorOf(rules, absl::StrCat(".tessera .c", i))),
                7.0);
    }
    EXPECT_GE(Contrast(ColorOf(rules, ".tessera .padded"),
                       ColorOf(rules, ".tessera .ground")),
              4.5);
  }
}

TEST(SvgPicture, PositionsOfRandomLayoutsAreTheirMaps) {
  RandomBits random(TestSeed());
  int64_t printed = 0;
  for (int i = 0; i < 1000; ++i) {
    const IndexMap map = RandomMap(&random);
    PictureOptions options;
    options.memory = PictureRange{0, 20};
    const absl::StatusOr<Picture> picture = MakePicture(map, options);
    ASSERT_THAT(picture, IsOk());
    SvgStyle style;
    style.title = map.ToString();
    style.path = i % 2 == 1;
    const std::string svg = RenderSvg(*picture, style);
    ASSERT_EQ(svg, RenderSvg(*MakePicture(map, options), style));
    const XmlElement root = Read(svg);
    std::vector<int64_t> index(map.rank());
    int64_t elements = 0;
    for (const XmlElement* text : root.All("text")) {
      const std::string at = text->Attribute("data-at");
      if (at.empty()) continue;
      const std::pair<std::string, std::string> place = absl::StrSplit(at, ',');
      int64_t row, column, position;
      ASSERT_TRUE(absl::SimpleAtoi(place.first, &row));
      ASSERT_TRUE(absl::SimpleAtoi(place.second, &column));
      ASSERT_TRUE(absl::SimpleAtoi(text->text, &position));
      if (ClassesOf(*text).count("padded") > 0) {
        EXPECT_EQ(*map.MultidimensionalIndex(position, absl::MakeSpan(index)),
                  PositionKind::kPadding);
      } else {
        ++elements;
        EXPECT_EQ(*map.LinearIndex(picture->IndexAt(row, column)), position)
            << map.ToString();
      }
    }
    // None is left out.
    int64_t cells = 0;
    for (const Picture::Cell& cell : picture->cells) {
      cells += cell.kind == Picture::CellKind::kElement;
    }
    EXPECT_EQ(elements, cells);
    printed += elements;
  }
  EXPECT_GT(printed, 20000);
}

TEST(XmlReader, RefusesWhatIsNotWellFormed) {
  EXPECT_THAT(ReadXml("<a b=\"1\">x<c/>&lt;</a>\n"), IsOk());
  for (const char* text :
       {"", "<a>\n", "<a></b>\n", "<a b=1/>\n", "<a b=\"1\" b=\"2\"/>\n",
        "<a>&nbsp;</a>\n", "<a b=\"<\"/>\n", "<a/><b/>\n", "<a>\x01</a>\n",
        "<a", "<a b=\"1", "<a/>"}) {
    EXPECT_FALSE(ReadXml(text).ok()) << text;
  }
}

}  // namespace
}  // namespace tessera
