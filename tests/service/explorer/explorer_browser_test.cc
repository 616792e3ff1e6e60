// The explorer in a browser, as it is served and as it is saved: what is typed,
// pointed at, clicked, pressed and shared. Fails where there is no chromium.

#include <stdlib.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/explorer/explorer_assets.h"
#include "tessera/service/explorer/saved_page.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/http_transport.h"
#include "tessera/service/transport/work_queue.h"
#include "tessera/tenstorrent/verification.h"
#include "tessera/tests/status_matchers.h"
#include "tests/any_layout/texts.h"
#include "tests/service/explorer/browser.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";

// What every script may use. `settled` waits for all that follows from what was
// done.
constexpr std::string_view kHelpers = R"(
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const text = (selector) => one(selector).textContent.replace(/\s+/g, ' ').trim();
  const texts = (selector) => all(selector).map((node) => node.textContent);
  const isShown = (selector) => one(selector).getClientRects().length > 0;
  const settled = () => new Promise((done) => {
    const look = (_, observer) => {
      if (root.dataset.state !== 'ready') return false;
      observer?.disconnect();
      done();
      return true;
    };
    if (!look()) new MutationObserver(look).observe(root, {attributeFilter: ['data-state']});
  });
  const facts = () => Object.fromEntries(all('#facts dt').map((node) => [node.textContent, node.nextSibling.textContent]));
  const here = (side) => texts(`#${side} .c.here`).join(' ');
  const put = (layout) => {
    one('#text').value = layout;
    one('#text').dispatchEvent(new Event('input'));
  };
  // Keeps the questions that `isHeld` is true of from the server until letGo().
  const hold = (isHeld) => new Promise((heldOne) => {
    const ask = window.fetch;
    const held = [];
    window.fetch = (url, question) => !isHeld(question.body) ? ask(url, question)
      : new Promise((answer) => heldOne(held.push(() => answer(ask(url, question)))));
    window.letGo = () => {
      window.fetch = ask;
      for (const send of held) send();
    };
  });
  // What the page says of what is pointed at: as a heading, in the readout, in
  // the steps and by what is lit.
  const pointedAt = () => [text('#readout-heading'), facts().position ?? '', text('#steps'),
    all('#logical .c.here').map((node) => node.getAttribute('aria-label')).join(), here('memory')];
)";

class ExplorerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string folder = absl::StrCat(testing::TempDir(), "/explorer_XXXXXX");
    ASSERT_NE(mkdtemp(&folder[0]), nullptr);
    folder_ = new std::string(folder);
    HttpOptions options;
    options.assets = ExplorerAssets();
    service_ = new LayoutService();
    work_ = new WorkQueue(WorkQueue::Options{/*threads=*/2});
    absl::StatusOr<std::unique_ptr<HttpTransport>> transport =
        HttpTransport::Start(service_, work_, options);
    ASSERT_THAT(transport, IsOk());
    transport_ = transport->release();
    absl::StatusOr<std::unique_ptr<Browser>> browser =
        Browser::Start(folder, 1440, 1000);
    ASSERT_THAT(browser, IsOk());
    browser_ = browser->release();
  }

  static void TearDownTestSuite() {
    delete browser_;
    delete transport_;
    delete work_;
    delete service_;
    delete folder_;
  }

  void TearDown() override {
    const Json errors =
        Run("return [root.dataset.errors, root.dataset.firstError ?? ''];");
    EXPECT_EQ(errors, Json({"0", ""}));
  }

  static std::string Url() {
    return absl::StrCat("http://127.0.0.1:", transport_->port(), "/");
  }

  // The result of a script, or its failure as text, at once: what was done
  // before may still have to be answered.
  static Json RunAtOnce(std::string_view script) {
    absl::StatusOr<Json> result =
        browser_->Evaluate(absl::StrCat(AbslView(kHelpers), AbslView(script)));
    EXPECT_THAT(result, IsOk());
    return result.ok() ? *std::move(result) : Json();
  }
  // When all that follows from what was done before is there.
  static Json Run(std::string_view script) {
    return RunAtOnce(absl::StrCat("await settled();", AbslView(script)));
  }

  static void Open(const std::string& url) {
    const absl::Status status = browser_->Open(url);
    ASSERT_THAT(status, IsOk());
    Run("");
  }

  static void Check(const absl::Status& status) { EXPECT_THAT(status, IsOk()); }
  // What was done before may be what makes the cell.
  static void Hover(const std::string& selector) {
    Run("");
    Check(browser_->Hover(selector));
  }
  static void Click(const std::string& selector) {
    Run("");
    Check(browser_->Click(selector));
  }
  static void Press(const std::string& key) { Check(browser_->Press(key)); }

  // In place of what is there.
  static void Type(const std::string& text) {
    Click("#text");
    Run("one('#text').select();");
    Check(browser_->Type(text));
  }

  static std::string Text() {
    return Run("return one('#text').value;").get<std::string>();
  }

  static const std::string& folder() { return *folder_; }
  static Browser& browser() { return *browser_; }
  static const LayoutService& service() { return *service_; }

 private:
  static std::string* folder_;
  static LayoutService* service_;
  static WorkQueue* work_;
  static HttpTransport* transport_;
  static Browser* browser_;
};

std::string* ExplorerTest::folder_ = nullptr;
LayoutService* ExplorerTest::service_ = nullptr;
WorkQueue* ExplorerTest::work_ = nullptr;
HttpTransport* ExplorerTest::transport_ = nullptr;
Browser* ExplorerTest::browser_ = nullptr;

TEST_F(ExplorerTest, Types) {
  Open(Url());
  EXPECT_EQ(Text(), "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(Run("return [text('#family'), texts('#logical .c').join(), "
                "texts('#memory .c').join(' ')];"),
            Json({"XLA",
                  "0,1,4,5,8,9,2,3,6,7,10,11,12,13,16,17,20,21,14,15,18,19,22,"
                  "23",
                  "0,0 0,1 1,0 1,1 0,2 0,3 1,2 1,3 0,4  1,4  2,0 2,1   2,2 2,3 "
                  "  2,4   "}));
  Type("((2,2),3):((24,2),8)");
  EXPECT_EQ(
      Run("return [text('#family'), texts('#logical .c').join(), "
          "text('#memory-sum'), all('#memory .c.gap').length];"),
      Json({"CuTe", "0,8,16,24,32,40,2,10,18,26,34,42", "43 positions", 31}));
  Type(kTensor);
  EXPECT_EQ(Run("return [text('#family'), texts('.core b'), "
                "texts('.core span'), text('#cores-sum')];"),
            Json({"Tenstorrent",
                  {"0,0", "0,1", "1,0", "1,1", "2,0", "2,1"},
                  {"18×32", "18×31", "18×32", "18×31", "17×32", "17×31"},
                  "3 × 2 cores; 4,096 bytes each"}));
}

// What the cells say is what the service says, on either side.
TEST_F(ExplorerTest, PositionsAreThoseOfTheService) {
  Open(Url());
  for (const std::string layout :
       {"bf16[10,14]{1,0:T(4,4)(2,1)}", "f32[4,6]{0,1}", "f32[20]{0:T(8)(3)}",
        "Sw<2,0,3> o 0 o (8,8):(8,1)", "((2,4),(2,2)):((1,4),(2,16))",
        kTensor}) {
    Type(layout);
    const Json seen = Run(R"(
      const cells = all('#logical .c').map((node) =>
        /^element \((.*)\), position (\d+)$/.exec(node.getAttribute('aria-label')));
      const places = all('#memory .c').map((node) =>
        /^position (\d+), element \((.*)\)$/.exec(node.getAttribute('aria-label')));
      return [...cells.filter((m) => m).map((m) => [m[1], m[2]]),
        ...places.filter((m) => m).map((m) => [m[2], m[1]])].map(
          ([index, position]) => [index.split(', ').map(Number), Number(position)]);)");
    ASSERT_GT(seen.size(), 10u) << layout;
    Request request;
    request.mutable_linearize()->set_layout(layout);
    std::vector<int64_t> positions;
    for (const Json& element : seen) {
      for (const int64_t entry : element[0]) {
        request.mutable_linearize()->add_indices(entry);
      }
      positions.push_back(element[1]);
    }
    const Response response = service().Answer(request);
    EXPECT_THAT(response.linearize().linear_indices(),
                ::testing::ElementsAreArray(positions))
        << layout;
  }
}

TEST_F(ExplorerTest, HoveringShowsBothSides) {
  Open(Url());
  Hover("#logical .c[data-n='15']");
  const Json cell = Run(R"(return {
      heading: text('#readout-heading'), facts: facts(), logical: here('logical'), memory: here('memory'),
      lit: texts('.axis.lit').join(), steps: texts('#steps tr')};)");
  EXPECT_EQ(cell["heading"], "Element (2, 3)");
  EXPECT_EQ(cell["facts"], Json({{"position", "17"},
                                 {"byte", "68 (0x44)"},
                                 {"tile", "2 × 2, number 4 row by row"}}));
  EXPECT_EQ(cell["logical"], "17");
  EXPECT_EQ(cell["memory"], "2,3");
  EXPECT_EQ(cell["lit"], "3,2,16");
  EXPECT_EQ(cell["steps"],
            Json({"T(2,2)(2, 3) of (3, 5) by (2, 2)(1, 1, 0, 1)",
                  "i0 div 2 mod 2 = 1, × 1212", "i1 div 2 mod 3 = 1, × 44",
                  "i0 mod 2 = 0, × 20", "i1 mod 2 = 1, × 11", "position17"}));
  Hover("#memory .c[data-n='8']");
  EXPECT_EQ(Run("return [text('#readout-heading'), here('logical'), "
                "here('memory')];"),
            Json({"Element (0, 4)", "8", "0,4"}));
}

// The page is about another layout than the picture until the picture of that
// is there: what the pointer meets of the old one is of neither.
TEST_F(ExplorerTest, PointingAtTheOldPictureShowsNothingOfTheNewText) {
  for (const std::string layout :
       {"f32[3,5]{0,1}", "f32[2,2]{1,0}", "(3,5):(0,1)", kTensor}) {
    Open(Url());
    Hover("#logical .c[data-n='2']");
    EXPECT_EQ(Run("return text('#readout-heading');"), "Element (0, 2)");
    RunAtOnce(
        absl::StrCat("hold(() => true); put(", Json(layout).dump(), ");"));
    Check(browser().Hover("#logical .c[data-n='8']"));
    Check(browser().Hover("#text"));
    RunAtOnce("letGo();");
    EXPECT_EQ(Run("return pointedAt();"),
              Json({"Point at a cell", "", "", "", ""}))
        << layout;
    // As soon as it is there, it is pointed at.
    Hover("#logical .c[data-n='1']");
    const Json seen = Run("return pointedAt();");
    const std::string position = seen[1];
    EXPECT_EQ(seen[0], "Element (0, 1)") << layout;
    EXPECT_THAT(seen[2].get<std::string>(), EndsWith("position" + position));
    EXPECT_EQ(seen[3], "element (0, 1), position " + position) << layout;
  }
}

// A cell of the old picture, pointed at just before its text is there again.
TEST_F(ExplorerTest, WhatIsExplainedIsWhatIsShown) {
  Open(Url());
  Check(browser().Hover("#text"));
  Run(R"(
    put('f32[3,5]{0,1}');
    one("#logical .c[data-n='8']").dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    put('f32[3,5]{1,0:T(2,2)}');)");
  Hover("#logical .c[data-n='8']");
  const Json seen = Run("return pointedAt();");
  EXPECT_EQ(seen[0], "Element (1, 2)");
  EXPECT_EQ(seen[1], "6");
  EXPECT_THAT(seen[2].get<std::string>(), EndsWith("position6"));
  EXPECT_EQ(seen[3], "element (1, 2), position 6");
  EXPECT_EQ(seen[4], "1,2");
}

// The answer on what a link pins comes when another layout is shown.
TEST_F(ExplorerTest, ALateAnswerChangesNoOtherPicture) {
  Open(Url());
  Check(browser().Hover("#text"));
  Run(R"(
    const go = (link) => { location.hash = new URLSearchParams(link); };
    const isHeld = hold((question) => question.includes('"explain"'));
    go({layout: 'f32[4,6]{0,1}', position: 0, pin: 'e1,3'});
    await isHeld;
    const isThere = new Promise((done) => new MutationObserver((_, observer) => {
      if (all('#logical .c').length !== 6) return;
      observer.disconnect();
      done();
    }).observe(one('#logical'), {childList: true}));
    go({layout: 'f32[2,3]{1,0}'});
    await isThere;
    letGo();)");
  EXPECT_EQ(Run("return pointedAt();"),
            Json({"Point at a cell", "", "", "", ""}));
}

TEST_F(ExplorerTest, ThePalePictureIsNotPointedAt) {
  for (const char* text : {"f32[3,5", "(f32[2], s8[3,3])"}) {
    Open(Url());
    Hover("#logical .c[data-n='2']");
    const Json before = Run("return pointedAt();");
    EXPECT_THAT(before[2].get<std::string>(), EndsWith("position4"));
    Type(text);
    EXPECT_EQ(Run("return root.classList.contains('is-stale');"), true);
    Hover("#logical .c[data-n='8']");
    EXPECT_EQ(Run("return pointedAt();"), before) << text;
    Click("#memory .c[data-n='8']");
    EXPECT_EQ(Run("return pointedAt();"), before) << text;
    EXPECT_EQ(Run("return location.hash.includes('pin');"), false);
    Type("f32[3,5]{0,1}");
    Hover("#logical .c[data-n='8']");
    EXPECT_EQ(Run("return pointedAt()[3];"), "element (1, 3), position 10");
  }
}

// XLA's documents spell it so.
TEST_F(ExplorerTest, ReadsUpperCaseTypes) {
  Open(absl::StrCat(Url(), "#layout=F32[3,5]{1,0:T(2,2)}"));
  EXPECT_EQ(Text(), "F32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(Run("return [isShown('#error'), all('#logical .c').length, "
                "one('[data-key=d1]').value];"),
            Json({false, 24, "5"}));
  Hover("#logical .c[data-n='15']");
  EXPECT_EQ(Run("return pointedAt()[3];"), "element (2, 3), position 17");
  Type("BF16[9,130]<1,0:T(8,128)(2,1)>");
  EXPECT_EQ(Run("return [isShown('#error'), text('#family')];"),
            Json({false, "XLA"}));
  // A handle writes the canonical text.
  Click("[aria-label='Remove tile 2']");
  EXPECT_EQ(Run("return one('#text').value;"), "bf16[9,130]{1,0:T(8,128)}");
  Type("f32[2]{}");
  EXPECT_EQ(Run("return text('#error p');"),
            "Column 7: after the shape: expected end of text, found '{'; {} "
            "after an array is read only with the lenient option");
}

TEST_F(ExplorerTest, ClickingPins) {
  Open(Url());
  Click("#memory .c[data-n='9']");
  const char kSeen[] =
      "return [text('#readout-heading'), text('#readout-pin'), "
      "here('logical'), all('.c.pinned').length];";
  EXPECT_EQ(Run(kSeen), Json({"Tile padding", "pinned; Esc releases", "9", 2}));
  Hover("#logical .c[data-n='0']");
  EXPECT_EQ(Run(kSeen), Json({"Tile padding", "pinned; Esc releases", "9", 2}));
  Press("Escape");
  EXPECT_EQ(Run(kSeen), Json({"Tile padding",
                              "a tile reaches past the array here", "9", 0}));
  Hover("#logical .c[data-n='1']");
  EXPECT_EQ(Run(kSeen), Json({"Element (0, 1)", "", "1", 0}));
}

TEST_F(ExplorerTest, KeysMoveAndPin) {
  Open(Url());
  Click("#logical .c[data-n='0']");
  Press("Escape");
  for (const char* key : {"ArrowRight", "ArrowDown", "ArrowDown", "Enter"}) {
    Press(key);
  }
  EXPECT_EQ(Run("return [text('#readout-heading'), text('#readout-pin'), "
                "document.activeElement.textContent];"),
            Json({"Element (2, 1)", "pinned; Esc releases", "13"}));
  // Past the edge there is nothing more.
  Press("Escape");
  Press("ArrowDown");
  Press("ArrowDown");
  EXPECT_EQ(Run("return document.activeElement.textContent;"), "15");
  // Of a large array the window follows.
  Type("f32[7,1024,1024]{2,1,0:T(8,128)}");
  Click("#logical [role='row']:last-child .c");
  Press("Escape");
  const Json before = Run("return text('#readout-heading');");
  Press("ArrowDown");
  Run("");
  EXPECT_EQ(before, "Element (0, 19, 0)");
  EXPECT_EQ(Run("return [text('#readout-heading'), text('#logical "
                ".axis[role=rowheader]')];"),
            Json({"Element (0, 20, 0)", "1"}));
}

TEST_F(ExplorerTest, HandlesRewriteTheText) {
  Open(Url());
  const auto slide = [](const char* key, int value) {
    Run(absl::StrCat("const slider = one('[data-slider=\"", key,
                     "\"]'); slider.focus(); slider.value = ", value,
                     "; slider.dispatchEvent(new Event('input', {bubbles: "
                     "true})); await settled();"));
  };
  Run("window.slider = one('[data-slider=d0]');");
  slide("d0", 4);
  slide("d0", 6);
  EXPECT_EQ(Text(), "f32[6,5]{1,0:T(2,2)}");
  // It is not made anew while it is dragged.
  EXPECT_EQ(Run("return window.slider === one('[data-slider=d0]');"), true);
  EXPECT_EQ(Run("return all('#logical .c').length;"), 36);
  slide("t0.1", 4);
  EXPECT_EQ(Text(), "f32[6,5]{1,0:T(2,4)}");
  Click("[data-key='d1']");
  Press("ArrowUp");
  EXPECT_EQ(
      Run("return [one('#text').value, document.activeElement.dataset.key];"),
      Json({"f32[6,6]{1,0:T(2,4)}", "d1"}));
  Click(".order button:nth-child(2)");
  Run("");
  EXPECT_EQ(Text(), "f32[6,6]{0,1:T(2,4)}");
  Click("[aria-label='Add a tile']");
  Run("");
  EXPECT_EQ(Text(), "f32[6,6]{0,1:T(2,4)(2,1)}");
  Click("[aria-label='Remove tile 1']");
  Run("");
  EXPECT_EQ(Text(), "f32[6,6]{0,1:T(2,1)}");

  Type("(4,3):(1,8)");
  slide("stride1", 5);
  EXPECT_EQ(Text(), "(4,3):(1,5)");
  Click("[aria-label='Add a swizzle']");
  Run("");
  EXPECT_EQ(Text(), "Sw<2,0,3> o 0 o (4,3):(1,5)");

  Type(kTensor);
  slide("grid0", 4);
  EXPECT_THAT(Text(),
              AllOf(StartsWith("tensor<53x63xf32"), HasSubstr("<4x2>")));
  EXPECT_EQ(Run("return [all('.core').length, "
                "one('[data-key=\"shard0\"]').value];"),
            Json({8, "14"}));
  slide("shard1", 16);
  EXPECT_THAT(Text(), HasSubstr("<4x4>"));
  Run("const tile = one('select[aria-label=tile]'); tile.value = ''; "
      "tile.dispatchEvent(new Event('change')); await settled();");
  EXPECT_THAT(Text(), HasSubstr("<4x4>, memref<14x16xf32,"));
  // A map that joins other dimensions keeps on doing so.
  Type(
      "tensor<2x3x64x128xbf16, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * "
      "64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32x32, bf16>, "
      "#tt.memory_space<l1>>>>");
  slide("grid2", 2);
  EXPECT_THAT(Text(), HasSubstr("(d0, d1 * 64 + d2, d3), undef, <2x2x2>"));
}

TEST_F(ExplorerTest, ALinkRestoresTheState) {
  Open(Url());
  Type("f32[3,4,5]{2,1,0}");
  Run("const rows = one('#view-rows'); rows.value = '0'; "
      "rows.dispatchEvent(new Event('change')); await settled();");
  Run("const field = one('[data-key=\"index1\"]'); field.value = '3'; "
      "field.dispatchEvent(new Event('input')); await settled();");
  Click("#logical .c[data-n='7']");
  const char kSeen[] =
      "return [one('#text').value, text('#logical-sum'), "
      "texts('#logical .c').join(), text('#readout-heading'), "
      "text('#readout-pin')];";
  const Json seen = Run(kSeen);
  EXPECT_EQ(seen,
            Json({"f32[3,4,5]{2,1,0}", "dim 0 down, dim 2 across, dim 1 at 3",
                  "15,16,17,18,19,35,36,37,38,39,55,56,57,58,59",
                  "Element (1, 3, 2)", "pinned; Esc releases"}));
  const std::string link = Run("return location.href;");
  Open(Url());
  EXPECT_NE(Run(kSeen), seen);
  Open(link);
  EXPECT_EQ(Run(kSeen), seen);
}

TEST_F(ExplorerTest, ErrorsStandUnderTheText) {
  Open(Url());
  Type("f32[3,5");
  EXPECT_EQ(Run("return [isShown('#error'), one('#error pre').textContent, "
                "text('#error p'), one('#text').getAttribute('aria-invalid'), "
                "root.classList.contains('is-stale')];"),
            Json({true, "f32[3,5\n       ^",
                  "Column 8: in dimensions: expected ',' or ']', found end of "
                  "text",
                  "true", true}));
  Type("f32[3,5]");
  EXPECT_EQ(Run("return [isShown('#error'), all('#logical .c').length, "
                "root.className];"),
            Json({false, 15, ""}));
  // A tensor that its layout does not fit.
  Type(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<32x32xf32, #tt.memory_space<l1>>>>");
  EXPECT_THAT(Run("return text('#error');").get<std::string>(),
              AllOf(HasSubstr("memref-shape: the memref is 32x32, but the "
                              "rules give 18x32"),
                    HasSubstr("The rules give memref<18x32xf32")));
  // A tuple is shown by its arrays.
  Type("(f32[2], s8[3,3])");
  EXPECT_EQ(Run("return texts('#leaves button');"),
            Json({"f32[2]{0}", "s8[3,3]{1,0}"}));
  Click("#leaves button:nth-child(2)");
  Run("");
  EXPECT_EQ(Text(), "s8[3,3]{1,0}");
  EXPECT_EQ(Run("return isShown('#error') || isShown('#leaves');"), false);
}

TEST_F(ExplorerTest, CoresTilesAndFaces) {
  Open(Url());
  Type(kTensor);
  Hover("#logical .c[data-n='21']");
  const Json seen =
      Run("return {heading: text('#readout-heading'), facts: facts(), "
          "core: text('.core.here b'), dots: all('.core u').length, "
          "why: texts('.why td:last-child')};");
  EXPECT_THAT(seen["heading"].get<std::string>(), StartsWith("Element (1, "));
  EXPECT_EQ(seen["facts"]["core"], "(0, 0)");
  EXPECT_THAT(seen["facts"]["face"].get<std::string>(),
              StartsWith("0, row 1, column "));
  EXPECT_EQ(seen["core"], "0,0");
  EXPECT_EQ(seen["dots"], 1);
  EXPECT_EQ(seen["why"], Json({"", "18 a core", "1 tile", "32 a core", "1 tile",
                               "4,096", "0.3 %"}));
  // Both sides go to a core.
  Click(".core[data-core='4']");
  Run("");
  EXPECT_EQ(Run("return [text('#memory .axis'), "
                "texts('#logical .axis').includes('36'), "
                "texts('#logical .c').includes('4096')];"),
            Json({"4096", true, true}));
  EXPECT_EQ(Run("return ExplorerModel.L1_BYTES;"),
            tenstorrent::VerificationOptions().l1_bytes);
}

TEST_F(ExplorerTest, SharedPositions) {
  Open(Url());
  Type("(3,2):(0,1)");
  Hover("#logical .c[data-n='3']");
  EXPECT_EQ(Run("return [all('.c.here').length, all('.c.same').length, "
                "facts()['shared by']];"),
            Json({1, 2, "3 elements of the window"}));
  EXPECT_THAT(Run("return text('#memory');").get<std::string>(),
              HasSubstr("a position does not determine an element"));
}

TEST_F(ExplorerTest, MovesAWindowOverALargeArray) {
  Open(Url());
  Type("f32[7,1024,1024]{2,1,0:T(8,128)}");
  EXPECT_EQ(Run("return isShown('#logical-overview') && "
                "isShown('#memory-overview');"),
            true);
  Click("#logical-overview");
  const Json middle =
      Run("return Number(text('#logical .axis[role=rowheader]'));");
  EXPECT_NEAR(middle.get<int>(), 502, 12);
  Click("[aria-label='Rows after']");
  EXPECT_EQ(Run("return Number(text('#logical .axis[role=rowheader]'));"),
            middle.get<int>() + 20);
  // An element that is outside of the window is brought there.
  Click("#memory-overview");
  Run("");
  Click("#memory .c[data-n='5']");
  const Json seen =
      Run("return [here('logical') !== '', here('memory'), "
          "text('#readout-heading')];");
  EXPECT_EQ(seen[0], true);
  EXPECT_EQ(seen[2],
            absl::StrCat("Element (",
                         Run("return here('memory').replaceAll(',', ', ');")
                             .get<std::string>(),
                         ")"));
}

// An atom has threads and values; a click on a cell lights its thread.
TEST_F(ExplorerTest, DrawsAtoms) {
  Open(Url());
  Type("SM80_16x8x16_F32F16F16F32_TN");
  EXPECT_EQ(Run("return [isShown('#threads-body svg'), isShown('#logical'), "
                "text('#family')];"),
            Json({true, false, "CuTe atom"}));
  EXPECT_EQ(Run("return all('#threads-body [data-thread]').length;"),
            16 * 16 + 8 * 16 + 16 * 8);
  // The page's policy lets the picture have its colours.
  EXPECT_NE(Run("return getComputedStyle(one('#threads-body .cell')).fill;"),
            Run("return getComputedStyle(one('#threads-body .c1')).fill;"));
  Click("#threads-body [data-thread]");
  EXPECT_EQ(Run("return [all('#threads-body .lit').length, "
                "one('#threads-thread').value];"),
            Json({8 + 4 + 4, "0"}));
  EXPECT_THAT(Run("return location.hash;").get<std::string>(),
              HasSubstr("thread=0"));
  Check(browser().SetWidth(500, 900));
  EXPECT_EQ(Run("await new Promise((done) => setTimeout(done, 300)); await "
                "settled(); return root.scrollWidth <= root.clientWidth;"),
            true);
  Check(browser().SetWidth(1440, 1000));
  Type("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(Run("return [isShown('#threads'), isShown('#logical')];"),
            Json({false, true}));
  EXPECT_EQ(Run("return root.dataset.errors;"), "0");
}

TEST_F(ExplorerTest, DrawsThreadsBanksAndOperations) {
  Open(absl::StrCat(Url(),
                    "#layout=(8,8):(1,8)&shows=THREADS"
                    "&in=(8,64):(64,1)&bytes=2&color=BY_BANK"));
  EXPECT_EQ(Run("return all('#threads-body .collides').length;"), 16);
  Run("one('#threads-data').value = 'Sw<3,3,3> o 0 o (8,64):(64,1)';"
      "one('#threads-data').dispatchEvent(new Event('change'));");
  EXPECT_EQ(Run("return all('#threads-body .collides').length;"), 0);
  Type("zipped_divide((8,8):(8,1), <4:1, 4:1>)");
  Run("one('#threads-shows').value = 'OPERATIONS';"
      "one('#threads-shows').dispatchEvent(new Event('change'));");
  EXPECT_EQ(Run("return all('#threads-body .frame').length;"), 2);
  EXPECT_EQ(Run("return all('#threads-controls .row').filter((row) => "
                "!row.hidden).length;"),
            1);
  Type("(4,2):(1,4)");
  EXPECT_THAT(Run("return text('#threads-body');").get<std::string>(),
              HasSubstr("expected an operation"));
  EXPECT_EQ(Run("return root.dataset.errors;"), "0");
}

TEST_F(ExplorerTest, NarrowAndDark) {
  Open(Url());
  Check(browser().SetWidth(1024, 700));
  EXPECT_EQ(Run("return root.scrollWidth <= root.clientWidth;"), true);
  Check(browser().SetWidth(800, 700));
  EXPECT_EQ(Run("return root.scrollWidth <= root.clientWidth;"), true);
  const char kGround[] =
      "return getComputedStyle(document.body).backgroundColor;";
  const Json light = Run(kGround);
  Check(browser().SetColorScheme("dark"));
  EXPECT_NE(Run(kGround), light);
  Check(browser().SetColorScheme("light"));
  Check(browser().SetWidth(1440, 1000));
}

TEST_F(ExplorerTest, SavedPageNeedsNoServer) {
  for (const std::string layout : {"f32[3,5]{1,0:T(2,2)}", kTensor}) {
    PictureRequest question;
    question.set_layout(layout);
    const absl::StatusOr<std::string> html = SavedPage(service(), question);
    ASSERT_THAT(html, IsOk());
    const std::string file = absl::StrCat(folder(), "/saved.html");
    std::ofstream(file) << *html;
    Open(absl::StrCat("file://", file));
    EXPECT_EQ(Text(), layout);
    Hover("#logical .c[data-n='0']");
    EXPECT_EQ(Run("return [text('#readout-heading'), here('memory'), "
                  "text('#steps tr.total')];"),
              Json({"Element (0, 0)", "0,0", "position0"}));
    Click("#memory .c[data-n='3']");
    EXPECT_EQ(Run("return [text('#readout-pin'), one('#text').readOnly, "
                  "isShown('#handles'), isShown('#copy-link')];"),
              Json({"pinned; Esc releases", true, false, false}));
  }
  EXPECT_EQ(Run("return facts()['core'];"), "(0, 0)");
}

// The page reads no layout itself: every text has the family or the error that
// the service gives it, which tests/any_layout/texts_test.cc judges.
TEST_F(ExplorerTest, TextsAreReadAsByTheService) {
  Open(Url());
  for (const TextRow& row : TextRows()) {
    Request request;
    request.mutable_describe()->set_layout(row.text);
    const Response response = LayoutService().Answer(request);
    Run(absl::StrCat("put(", Json(row.text).dump(), ");"));
    const Json shown =
        Run("return [root.dataset.family, one('#error').textContent, "
            "text('#family')];");
    if (absl::StrContains(response.error().message(), "found the atom")) {
      // It is no layout, and is drawn.
      EXPECT_EQ(shown[2], "CuTe atom") << row.text;
    } else if (response.has_error()) {
      EXPECT_THAT(shown[1].get<std::string>(),
                  HasSubstr(response.error().message()))
          << row.text;
    } else {
      const Descriptor& type = *DescribeResult::descriptor();
      const FieldDescriptor* const family =
          type.FindFieldByNumber(response.describe().description_case());
      EXPECT_EQ(shown[0], family->name()) << row.text;
    }
  }
}

// A handle changes the parts of a layout, and the service writes the text.
TEST_F(ExplorerTest, PartsThatHaveNoHandleStay) {
  Open(Url());
  for (const auto& [text, label, value, changed] :
       std::vector<std::array<const char*, 4>>{
           {"s4[<=4,2]{0,1:T(*,2)L(1024)E(4)S(1)}", "Bound of dimension 1", "3",
            "s4[<=4,3]{0,1:T(*,2)L(1024)E(4)S(1)}"},
           {"(3,(2,2)):(0,(-1,2))", "Stride of mode 1.0", "7",
            "(3,(2,2)):(0,(7,2))"},
           {"Sw<2,0,3> o 64 o (8,8):(8,1)", "Swizzle bits", "1",
            "Sw<1,0,3> o 64 o (8,8):(8,1)"},
           {"tensor<4x64x128xf32, #tt.metal_layout<(d0, d1, d2) -> (d0, d1 * "
            "128 + d2), one, <2x4>, memref<2x2048xbf16, "
            "#tt.memory_space<dram>>>>",
            "Grid, axis 0", "4",
            "tensor<4x64x128xbf16, #tt.metal_layout<(d0, d1, d2) -> (d0, d1 * "
            "128 + d2), one, <4x4>, memref<1x2048xbf16, "
            "#tt.memory_space<dram>>>>"}}) {
    Run(absl::StrCat("put(", Json(text).dump(), ");"));
    Run(absl::StrCat(
        "const field = one('#handles input[type=number][aria-label=\"", label,
        "\"]'); field.value = ", value,
        "; field.dispatchEvent(new Event('input', {bubbles: true}));"));
    EXPECT_EQ(Run("return one('#text').value;"), changed) << text;
  }
}

// The pure functions of the page, each with what goes in and comes out.
TEST_F(ExplorerTest, WhatThePageSays) {
  Open(Url());
  const Json said = Run(R"(
    const M = ExplorerModel;
    const state = {...M.DEFAULTS, text: 'f32[3]{0:T(2)} #&=%', rows: 0, index: [1, 2], path: true, pin: 'e1,2'};
    return {
      integers: ['', '0, -1', '2x3', '1,a'].map(M.parseIntegers),
      link: M.fromHash(M.toHash(state)), state, hash: M.toHash(M.DEFAULTS),
      nonsense: M.fromHash('#rows=x&row=-1&index=a&order=7&layout=&shows=XX&color=XX&window=1000000&width=1000000'), defaults: M.DEFAULTS,
      bytes: [0, 1, 1023, 1536, 2 ** 40].map(M.bytesText), percent: [[0, 0], [0, 5], [1, 3], [1, 5000]].map(([a, b]) => M.percent(a, b)),
      grouped: [7, 1234, '12345678901234567890'].map(M.grouped),
      nibble: M.byteText({xla: {leaves: [{element_bits: 4, metadata_prefix_bytes: 8}]}}, 3),
      swizzle: M.explainSteps({linear_index: 31, digits: [{digit: {coordinate: {}, value: 3, modulus: 8, digit: 3}, stride: 8}],
        swizzle: {before: 28, bits: 2, shift: 3}}, [3]).map((step) => [step.label, step.formula, step.value].join('|')),
      cores: M.coresOf({grid: [2, 1, 2], cell_boxes: [{first: [0, 0, 0], last: [1, 0, 0], valid: [1, 2, 3]}]}, 3)
        .map(({cell, row, column, valid}) => [cell, row, column, valid].join(' ')),
    };)");
  EXPECT_EQ(said["integers"], Json({Json::array(), {0, -1}, {2, 3}, nullptr}));
  EXPECT_EQ(said["link"], said["state"]);
  EXPECT_EQ(said["hash"], "#");
  EXPECT_EQ(said["nonsense"], said["defaults"]);
  EXPECT_EQ(said["bytes"],
            Json({"0 bytes", "1 byte", "1023 bytes", "1.5 KiB", "1.0 TiB"}));
  EXPECT_EQ(said["percent"], Json({"0 %", "0 %", "33 %", "< 0.1 %"}));
  EXPECT_EQ(said["grouped"],
            Json({"7", "1,234", "12,345,678,901,234,567,890"}));
  EXPECT_EQ(said["nibble"], "9, bit 4 (0x9)");
  EXPECT_EQ(said["swizzle"], Json({"|i0 mod 8 = 3, × 8|24", "sum||28",
                                   "Sw<2,0,3>|11100 → 11111, binary|31"}));
  EXPECT_EQ(said["cores"],
            Json({"0,0,0 0 0 1,2,3", "0,0,1 0 1 0,0,0", "1,0,0 1 0 1,2,3"}));
}

}  // namespace
}  // namespace tessera
