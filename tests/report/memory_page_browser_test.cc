// The page in a browser: what is drawn, and what the pointer, the keyboard and
// the tables' buttons do. Fails where there is no chromium.

#include <stdlib.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/service/json.h"
#include "tests/report/sample_page.h"

namespace tessera {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Runs a test's `script` after the page's own, and puts what it returns where
// the test finds it.
constexpr std::string_view kProbe = R"(<script>
(async () => {
  const frame = () => new Promise(
      (done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const text = (selector) => one(selector).textContent.replace(/\s+/g, ' ').trim();
  const isShown = (selector) => one(selector).getClientRects().length > 0;
  // A pointer at a share of the plot's width.
  const point = async (type, share) => {
    const box = one('#plot').getBoundingClientRect();
    one('#plot').dispatchEvent(new PointerEvent(type, {
      bubbles: true, button: 0, pointerId: 1, pointerType: 'mouse',
      clientX: box.left + 72 + share * (box.width - 84), clientY: box.top + 100}));
    await frame();
  };
  const press = async (key, shiftKey = false) => {
    one('#plot').dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true}));
    await frame();
  };
  const cursor = () => Number(one('#plot').getAttribute('aria-valuenow'));
  await frame();
  let answer = null;
  try {
    answer = await (async () => {
{{script}}
    })();
  } catch (error) {
    answer = {exception: String(error)};
  }
  const node = document.createElement('script');
  node.type = 'application/json';
  node.id = 'answer';
  const {errors, firstError, ready} = document.documentElement.dataset;
  node.textContent = JSON.stringify({
    answer, errors, first_error: firstError ?? '', is_ready: ready === ''
  }).replaceAll('<', '\\u003c');
  document.body.append(node);
})();
</script>
</body>)";

// Virtual time runs ahead of frames; it waits for timers.
constexpr std::string_view kFrames = R"(<head>
<script>requestAnimationFrame = (draw) => setTimeout(draw, 16);</script>)";

constexpr std::string_view kChromium =
    "chromium --headless --no-sandbox --disable-gpu --disable-quic "
    "--disable-dev-shm-usage --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-extensions "
    "--host-resolver-rules='MAP * ~NOTFOUND' "
    "--virtual-time-budget=20000 --dump-dom";

// What `script`, the body of an async function, returns in the page about a
// file, opened with `state` behind the "#" of its address, in a window of this
// width.
Json InBrowser(PageWriter page, std::string_view script,
               std::string_view state = "", int width = 1400) {
  std::string folder = absl::StrCat(testing::TempDir(), "/page_XXXXXX");
  if (mkdtemp(&folder[0]) == nullptr) {
    ADD_FAILURE() << "no folder " << folder;
    return Json::object();
  }
  const std::string file = absl::StrCat(folder, "/page.html");
  std::ofstream(file) << absl::StrReplaceAll(
      std::move(page).ToHtml(),
      {{"<head>", AbslView(kFrames)},
       {"</body>", absl::StrReplaceAll(AbslView(kProbe),
                                       {{"{{script}}", AbslView(script)}})}});

  setenv("HOME", folder.c_str(), /*overwrite=*/1);
  const std::string command =
      absl::StrCat(AbslView(kChromium), " --window-size=", width,
                   ",1000 --user-data-dir='", folder, "/profile' 'file://",
                   file, "#", AbslView(state), "' 2>'", folder, "/log'");
  FILE* pipe = popen(command.c_str(), "r");
  std::string dom;
  char buffer[65536];
  size_t size = 0;
  while ((size = fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
    dom.append(buffer, size);
  }
  const int status = pclose(pipe);

  constexpr std::string_view kTag = "id=\"answer\">";
  const size_t tag = dom.find(std::string(kTag));
  if (status != 0 || tag == std::string::npos) {
    std::ifstream log(absl::StrCat(folder, "/log"));
    std::string complaints, line;
    while (std::getline(log, line)) {
      if (!tessera::StrContains(line, "dbus")) complaints += line + "\n";
    }
    ADD_FAILURE() << "chromium gave no answer (status " << status << "):\n"
                  << complaints;
    return Json::object();
  }
  const size_t begin = tag + kTag.size();
  const Json result =
      Json::parse(dom.substr(begin, dom.find("</script>", begin) - begin));
  EXPECT_EQ(result["errors"], "0") << result["first_error"];
  EXPECT_EQ(result["is_ready"], true);
  return result["answer"];
}

std::string Text(const Json& json, const char* key) {
  const Json value = json.is_object() ? json.value(key, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Json InBrowser(const SummarizeResult& file, std::string_view script,
               std::string_view state = "", int width = 1400) {
  PageWriter page(file.file());
  page.Add(file);
  return InBrowser(std::move(page), script, state, width);
}

template <typename SomeMessage>
SomeMessage FromJson(std::string_view json) {
  SomeMessage message;
  const absl::Status status = JsonToProto(json, &message);
  EXPECT_TRUE(status.ok()) << status;
  return message;
}

// Three arrays, of which the last two are live together.
SummarizeResult SmallPage() {
  return FromJson<SummarizeResult>(R"({
    "file": "dumps/small.hlo", "counted": "buffers", "total": {},
    "modules": [{
      "name": "small", "instructions": 4,
      "total": {"unpadded_bytes": 2097152, "padded_bytes": 3145728},
      "peak": {
        "steps": 4, "unresolved": 0, "unresolved_calls": 0,
        "step_instructions": ["p", "copy.1", "fusion.2", "out"],
        "step_opcodes": ["parameter", "copy", "fusion", "tuple"],
        "by_memory_space": {"0": {
          "name": "HBM", "peak_bytes": 5242880, "peak_position": 2,
          "peak_unpadded_bytes": 4718592, "reserved_bytes": 6291456,
          "reserved_unpadded_bytes": 4194304,
          "bytes": [1048576, 2097152, 5242880, 0],
          "padding_bytes": [0, 524288, 524288, 0],
          "arrays": [
            {"instruction": "p", "opcode": "parameter",
             "shape": "f32[1,2]{1,0}", "unpadded_bytes": 1048576,
             "padded_bytes": 1048576, "first": 0, "last": 1},
            {"instruction": "copy.1", "opcode": "copy",
             "shape": "f32[<=3]{0}", "source_line": "m.py:7",
             "op_name": "jit(f)/mlp/copy", "unpadded_bytes": 524288,
             "padded_bytes": 1048576, "first": 1, "last": 2},
            {"instruction": "fusion.2", "opcode": "fusion",
             "shape": "f32[5]{0}", "source_line": "m.py:9",
             "op_name": "jit(f)/mlp/dot", "unpadded_bytes": 4194304,
             "padded_bytes": 4194304, "first": 2, "last": 2}]}}}}]})");
}

SpacePeak& Space(SummarizeResult* page, int64_t number = 0) {
  return (*page->mutable_modules(0)
               ->mutable_peak()
               ->mutable_by_memory_space()
               ->mutable_spaces())[number];
}

// A file of one module without a peak.
SummarizeResult BarePage() {
  return FromJson<SummarizeResult>(
      R"({"counted":"buffers","total":{},"modules":[{"total":{},)"
      R"("peak":{"is_unscheduled":true,"reason":"not scheduled"}}]})");
}

TEST(MemoryPageBrowser, OpensAtThePeak) {
  const Json answer = InBrowser(SmallPage(), R"(
    return {
      title: text('h1'), window: document.title, module: text('#module-name'),
      tiles: text('#tiles'), peak: text('#peak-label'),
      is_peak_shown: isShown('#peak-label'), cursor: cursor(),
      position: text('#readout-position'), name: text('#readout-name'),
      sums: text('#readout-sums'), exact: one('#readout-sums b').title,
      live: all('#live-rows tr').map((row) => row.querySelector('b').textContent),
      shapes: all('#live-rows .shape').map((node) => node.textContent),
      notes: text('#notes'), has_message: isShown('#no-timeline'),
      has_failure: isShown('.failure'),
    };)");
  EXPECT_EQ(Text(answer, "title"), "small.hlo");
  EXPECT_EQ(Text(answer, "window"), "dumps/small.hlo \u00b7 HLO memory");
  EXPECT_EQ(Text(answer, "module"), "small");
  EXPECT_THAT(Text(answer, "tiles"),
              AllOf(StartsWith("Peak5.00 MiB"),
                    HasSubstr("Padding at the peak10.0%512.0 KiB in HBM S(0)"),
                    HasSubstr("Reserved6.00 MiBfor the whole run in HBM S(0)"),
                    HasSubstr("All buffers3.00 MiB"),
                    HasSubstr("Padding33.3%1.00 MiB of all buffers")));
  EXPECT_EQ(Text(answer, "peak"), "Peak 5.00 MiB at 2 \u00b7 fusion.2");
  EXPECT_EQ(Text(answer, "is_peak_shown"), "true");
  EXPECT_EQ(Text(answer, "cursor"), "2");
  EXPECT_EQ(Text(answer, "position"), "Step 2, from 0 to 3, the peak");
  EXPECT_EQ(Text(answer, "name"), "fusion.2");
  EXPECT_EQ(Text(answer, "sums"), "5.00 MiB live4.50 MiB512.0 KiB2 arrays");
  EXPECT_EQ(Text(answer, "exact"), "5,242,880 bytes");
  EXPECT_EQ(Text(answer, "live"), R"(["fusion.2","copy.1"])");
  EXPECT_EQ(Text(answer, "shapes"), R"(["f32[5]{0}","f32[<=3]{0}"])");
  EXPECT_THAT(Text(answer, "notes"),
              AllOf(HasSubstr("Computed from the module; not XLA\u2019s buffer "
                              "assignment."),
                    HasSubstr("The peak is the most bytes in use at one step "
                              "of the schedule"),
                    HasSubstr("reserved is what XLA allocates for the whole "
                              "run"),
                    HasSubstr("Sums count every buffer")));
  EXPECT_EQ(Text(answer, "has_message"), "false");
  EXPECT_EQ(Text(answer, "has_failure"), "false");
}

// Of two modules, XLA assigned the memory of one.
SummarizeResult TwoModules() {
  SummarizeResult page = SmallPage();
  *page.add_modules() = page.modules(0);
  page.mutable_modules(1)->set_name("assigned");
  (*page.mutable_modules(1)
        ->mutable_peak()
        ->mutable_by_memory_space()
        ->mutable_spaces())[0]
      .set_assigned_bytes(4096);
  return page;
}

TEST(MemoryPageBrowser, TheOriginIsThatOfTheChosenModule) {
  const Json answer = InBrowser(TwoModules(), R"(
    const choose = (number) => {
      const select = one('#selectors select');
      select.value = number;
      select.dispatchEvent(new Event('change'));
      return text('#origin');
    };
    return {seen: [text('#origin'), choose(1), choose(0)]};)");
  EXPECT_EQ(answer.value("seen", Json()),
            Json({"Computed from the module; not XLA\u2019s buffer assignment.",
                  "The assignment and the map are XLA\u2019s own; everything "
                  "else is computed from the module.",
                  "Computed from the module; not XLA\u2019s buffer "
                  "assignment."}));
}

TEST(MemoryPageBrowser, PrintsWhatIsChosen) {
  SummarizeResult page = TwoModules();
  Space(&page, 1) = Space(&page);
  Space(&page, 1).set_name("VMEM");
  const Json answer = InBrowser(page, R"(
    for (const {media} of document.styleSheets[0].cssRules) {
      if (media?.mediaText === 'print') media.mediaText = 'all';
    }
    return {
      module: isShown('#selectors select'), controls: isShown('#groups-controls'),
      spaces: all('#space-choice button').filter((node) => node.getClientRects().length > 0)
          .map((node) => node.textContent).join(),
    };)");
  EXPECT_EQ(Text(answer, "module"), "true");
  EXPECT_EQ(Text(answer, "controls"), "false");
  EXPECT_EQ(Text(answer, "spaces"), "HBM S(0)");
}

TEST(MemoryPageBrowser, TablesStackInNarrowWindows) {
  const std::string_view kIsStacked =
      "return {stacked: !isShown('.rows.cards thead'), whole: "
      "document.documentElement.scrollWidth <= innerWidth};";
  for (const auto& [width, is_stacked] :
       {std::pair(700, true), {880, true}, {1000, false}}) {
    SCOPED_TRACE(width);
    const Json answer = InBrowser(TwoModules(), kIsStacked, "", width);
    EXPECT_EQ(answer.value("stacked", !is_stacked), is_stacked);
    EXPECT_EQ(Text(answer, "whole"), "true");
  }
}

// Such characters would show a name as another one.
TEST(MemoryPageBrowser, NamesDoNotChangeTheDirectionOfText) {
  SummarizeResult page = SmallPage();
  page.mutable_modules(0)->set_name("a\u202eb\u2066c\u200fd");
  EXPECT_EQ(
      Text(InBrowser(page, "return {name: text('#module-name')};"), "name"),
      "a?b?c?d");
}

TEST(MemoryPageBrowser, HoverClickAndKeys) {
  const Json answer = InBrowser(SmallPage(), R"(
    const live = () => all('#live-rows b').map((node) => node.textContent).join();
    const seen = [];
    const note = () => seen.push(`${cursor()} ${live()}`);
    await point('pointermove', 0.1); note();
    await point('pointermove', 0.4); note();
    await point('pointermove', 0.9); note();
    await point('pointerleave', 0.9); note();
    // Pinned, the cursor stays.
    await point('pointerdown', 0.1); await point('pointerup', 0.1); note();
    const pinned = one('#timeline-body').classList.contains('pinned');
    await point('pointermove', 0.9); note();
    await press('ArrowRight'); note();
    await press('End'); note();
    await press('ArrowRight'); note();
    await press('ArrowLeft', true); note();
    await press('p'); note();
    await press('Home'); note();
    await press('Escape'); note();
    return {
      seen, pinned, now: one('#timeline-body').classList.contains('pinned'),
      spoken: one('#plot').getAttribute('aria-valuetext'),
    };)");
  EXPECT_EQ(Text(answer, "seen"),
            R"(["0 p","1 p,copy.1","3 ","2 fusion.2,copy.1","0 p","0 p",)"
            R"("1 p,copy.1","3 ","3 ","0 p","2 fusion.2,copy.1","0 p",)"
            R"("2 fusion.2,copy.1"])");
  EXPECT_EQ(Text(answer, "pinned"), "true");
  EXPECT_EQ(Text(answer, "now"), "false");
  EXPECT_EQ(Text(answer, "spoken"),
            "2: fusion.2 fusion, 5.00 MiB live in 2 arrays");
}

TEST(MemoryPageBrowser, MapOfValues) {
  SummarizeResult page = SmallPage();
  SpacePeak& space = Space(&page);
  space.set_assigned_bytes(4096);
  space.set_peak_bytes(4096);
  space.set_peak_position(1);
  *space.mutable_map() = FromJson<SpaceMap>(R"({
    "bytes": 4096, "steps": 4, "value_count": 3,
    "allocations": [
      {"name": "allocation 0", "kind": "parameter 0", "bytes": 1024},
      {"name": "allocation 1", "kind": "temporary", "offset": 1024,
       "bytes": 3072}],
    "values": [
      {"name": "p", "group": "parameter", "shape": "f32[256]", "bytes": 1024,
       "last": 3},
      {"name": "a", "group": "add", "shape": "f32[512]", "source": "x.py:3",
       "offset": 1024, "bytes": 2048, "last": 1, "padding_bytes": 1024},
      {"name": "b", "group": "copy", "shape": "f32[256]", "offset": 3072,
       "bytes": 1024, "first": 1, "last": 2}]})");
  const Json answer = InBrowser(page, R"(
    const at = async (type, right, up) => {
      const box = one('#map-plot').getBoundingClientRect();
      one('#map-plot').dispatchEvent(new PointerEvent(type, {
        bubbles: true, button: 0, pointerId: 1, pointerType: 'mouse',
        clientX: box.left + 72 + right * (box.width - 84),
        clientY: box.bottom - 26 - up * (box.height - 38)}));
      await frame();
    };
    const facts = () => all('#map-rows tr').map((row) =>
        Array.from(row.children, (cell) => cell.textContent).join(': ')).join('; ');
    const seen = [`${text('#map-name')}: ${facts()}`];
    for (const [right, up] of [[0.3, 0.5], [0.6, 0.9], [0.9, 0.1], [0.9, 0.9]]) {
      await at('pointermove', right, up);
      seen.push(`${text('#map-name')}: ${facts()}`);
    }
    // A drag shows a part, and a button shows all again.
    await at('pointerdown', 0.2, 0.2); await at('pointermove', 0.6, 0.8); await at('pointerup', 0.6, 0.8);
    const zoomed = isShown('#map-zoom-out');
    one('#map-zoom-out').click();
    await frame();
    const kinds = all('#map-controls button').find((button) => button.textContent === 'Kind');
    kinds.click();
    await frame();
    return {seen, zoomed, whole: !isShown('#map-zoom-out'), legend: text('#map-legend'), lead: text('#map-lead')};)");
  EXPECT_EQ(
      Text(answer, "seen"),
      R"(["HBM S(0): assigned: 4.00 KiB; allocations: 2; values: 3; )"
      R"(peak use: 4.00 KiB; at: step 1 copy.1; unused at that step: 0 B",)"
      R"("a: shape: f32[512]; bytes: 2.00 KiB; padding: 1.00 KiB 50.0%; )"
      R"(offset: 1.00 KiB; steps: 0 to 1; from: x.py:3; )"
      R"(lies in: allocation 1, temporary; with: b; above it: b; )"
      R"(below it: p",)"
      R"("b: shape: f32[256]; bytes: 1.00 KiB; offset: 3.00 KiB; steps: 1 to 2; )"
      R"(lies in: allocation 1, temporary; with: a; below it: p",)"
      R"("p: shape: f32[256]; bytes: 1.00 KiB; offset: 0 B; steps: 0 to 3; )"
      R"(lies in: allocation 0, parameter 0; with: nothing else",)"
      R"("HBM S(0): assigned: 4.00 KiB; allocations: 2; values: 3; )"
      R"(peak use: 4.00 KiB; at: step 1 copy.1; unused at that step: 0 B"])");
  EXPECT_EQ(Text(answer, "zoomed"), "true");
  EXPECT_EQ(Text(answer, "whole"), "true");
  EXPECT_EQ(Text(answer, "legend"), "temporaryparameter");
  EXPECT_THAT(Text(answer, "lead"),
              StartsWith("The map shows HBM S(0) as XLA assigned it."));
}

TEST(MemoryPageBrowser, TwentyThousandInstructions) {
  const SummarizeResult page = SamplePage(20000);
  const Json answer = InBrowser(page, R"(
    const before = text('#readout-sums');
    await point('pointermove', 0.25);
    const quarter = cursor();
    const rest = text('#live-rest');
    // Part of the schedule, then all of it.
    await point('pointerdown', 0.2); await point('pointermove', 0.3);
    await point('pointerup', 0.3);
    await point('pointermove', 0);
    const left = cursor();
    await point('pointermove', 0.9999);
    const right = cursor();
    const zoomed = isShown('#zoom-out');
    const has_peak = isShown('#peak-label');
    one('#zoom-out').click();
    await point('pointermove', 0.9999);
    return {
      before, quarter, rest, left, right, zoomed, has_peak, end: cursor(),
      rows: all('#live-rows tr').length, tree: all('#groups-rows tr').length,
      drawn: one('#plot-canvas').width > 300,
    };)");
  EXPECT_THAT(Text(answer, "before"), HasSubstr("live"));
  const int64_t peak =
      page.modules(0).peak().by_memory_space().spaces().at(0).peak_position();
  // Of the instructions under one pixel, the one with the most bytes.
  EXPECT_NEAR(answer.value("quarter", 0), 5000, 40);
  EXPECT_THAT(Text(answer, "rest"), StartsWith("and "));
  EXPECT_NEAR(answer.value("left", 0), 4000, 80);
  EXPECT_NEAR(answer.value("right", 0), 6000, 80);
  EXPECT_EQ(Text(answer, "zoomed"), "true");
  EXPECT_EQ(Text(answer, "has_peak"),
            4000 < peak && peak < 6000 ? "true" : "false");
  EXPECT_NEAR(answer.value("end", 0), 19999, 40);
  EXPECT_EQ(Text(answer, "rows"), "60");
  EXPECT_EQ(Text(answer, "drawn"), "true");
  EXPECT_GE(answer.value("tree", 0), 12);
  EXPECT_LT(answer.value("tree", 0), 100);
}

// More than a call takes arguments.
TEST(MemoryPageBrowser, TwoHundredThousandInstructions) {
  constexpr int64_t kSteps = 200000;
  SummarizeResult page = SmallPage();
  ModulePeak& peak = *page.mutable_modules(0)->mutable_peak();
  peak.clear_step_instructions();
  peak.clear_step_opcodes();
  SpacePeak& space = Space(&page);
  space.clear_bytes();
  space.set_peak_bytes(999);
  space.set_peak_position(999);
  SpaceMap& map = *space.mutable_map();
  map.set_bytes(kSteps);
  map.set_steps(kSteps);
  for (int64_t i = 0; i < kSteps; ++i) {
    peak.add_step_instructions(absl::StrCat("n", i));
    peak.add_step_opcodes("negate");
    space.add_bytes(i % 1000);
  }
  // As many allocations as values.
  for (int64_t i = 0; i < 20000; ++i) {
    MapAllocation& allocation = *map.add_allocations();
    allocation.set_name(absl::StrCat("allocation ", i));
    allocation.set_kind("temporary");
    allocation.set_offset(10 * i);
    allocation.set_bytes(10);
    MapValue& value = *map.add_values();
    value.set_name(absl::StrCat("v", i));
    value.set_group("negate");
    value.set_shape("u8[10]");
    value.set_offset(10 * i);
    value.set_bytes(10);
    value.set_last(kSteps - 1);
  }
  map.set_value_count(map.values_size());
  const Json answer = InBrowser(page, R"(
    const box = one('#map-plot').getBoundingClientRect();
    one('#map-plot').dispatchEvent(new PointerEvent('pointermove', {
      bubbles: true, clientX: box.left + 72 + 100, clientY: box.bottom - 26 - 0.5 * (box.height - 38)}));
    const whole = text('#map-rows');
    await frame();
    return {whole, tables: all('section').length, hovered: text('#map-rows')};)");
  EXPECT_THAT(Text(answer, "whole"), HasSubstr("peak use999 Batstep 999 n999"));
  EXPECT_THAT(Text(answer, "hovered"),
              HasSubstr("temporarywithnothing elseabove it"));
  EXPECT_GE(answer.value("tables", 0), 6);
}

TEST(MemoryPageBrowser, TablesSortAndFilter) {
  SummarizeResult page = BarePage();
  for (int i = 0; i < 120; ++i) {
    ArrayMove& move = *page.add_moves();
    move.set_instruction(absl::StrCat("copy.", i));
    move.set_opcode(i < 40 ? "bitcast" : "copy");
    move.set_bytes((i * 37) % 120 + 1);
    move.set_is_free(i < 40);
  }
  // Equal as doubles.
  for (const int64_t bytes :
       {int64_t{1}, std::numeric_limits<int64_t>::max()}) {
    OriginSum& origin = *page.add_by_origin();
    origin.set_opcode(bytes == 1 ? "small" : "large");
    origin.set_instructions(1);
    origin.set_padded_bytes(bytes);
  }
  const Json answer = InBrowser(page, R"(
    const table = '#relayouts table';
    const rows = () => all(`${table} tbody tr`).length;
    const column = (i) => all(`${table} tbody td:nth-child(${i})`)
        .slice(0, 3).map((node) => node.textContent).join();
    const sorts = () => all(`${table} th`).map((th) => th.getAttribute('aria-sort')).join();
    const heads = all(`${table} th button`);
    const result = {moving: text('#relayouts .more span'), lead: text('#relayouts .lead')};
    all('#relayouts .choice button')[1].click();
    Object.assign(result, {first: rows(), status: text('#relayouts .more span'), sort: sorts(), largest: column(2)});
    heads[1].click();
    result.ascending = sorts();
    result.smallest = column(2);
    heads[0].click();
    result.by_name = sorts();
    result.names = column(1);
    one('#relayouts .more button').click();
    result.everything = rows();
    const filter = one('#relayouts input');
    filter.value = ' COPY.11';
    filter.dispatchEvent(new Event('input'));
    result.filtered = rows();
    result.filter_status = text('#relayouts .more span');
    filter.value = 'nothing like it';
    filter.dispatchEvent(new Event('input'));
    result.nothing = text(`${table} tbody`);
    result.exact = one('#opcodes td:nth-child(3) span').title;
    result.opcode = text('#opcodes tbody td');
    result.none = text('#largest .lead');
    result.captions = all('caption').length === all('.rows table').length;
    return result;)");
  EXPECT_EQ(Text(answer, "moving"), "80 rows, the first 50 shown");
  EXPECT_THAT(Text(answer, "lead"),
              StartsWith("80 instructions put an array elsewhere or in another "
                         "layout, and move 4.88 KiB. 40 others move nothing"));
  EXPECT_EQ(Text(answer, "first"), "50");
  EXPECT_EQ(Text(answer, "status"), "120 rows, the first 50 shown");
  EXPECT_EQ(Text(answer, "sort"), ",descending,,,,,,");
  EXPECT_EQ(Text(answer, "largest"), "120 B,119 B,118 B");
  EXPECT_EQ(Text(answer, "ascending"), ",ascending,,,,,,");
  EXPECT_EQ(Text(answer, "smallest"), "free,free,free");
  EXPECT_EQ(Text(answer, "by_name"), "ascending,,,,,,,");
  EXPECT_EQ(Text(answer, "names"), "copy.0,copy.1,copy.2");
  EXPECT_EQ(Text(answer, "everything"), "120");
  EXPECT_EQ(Text(answer, "filtered"), "11");
  EXPECT_EQ(Text(answer, "filter_status"), "11 of 120 rows");
  EXPECT_EQ(Text(answer, "nothing"), "Nothing matches.");
  EXPECT_EQ(Text(answer, "opcode"), "large");
  EXPECT_EQ(Text(answer, "exact"), "9,223,372,036,854,775,807 bytes");
  EXPECT_EQ(Text(answer, "none"), "There are no arrays.");
  EXPECT_EQ(Text(answer, "captions"), "true");
}

TEST(MemoryPageBrowser, DoesItFit) {
  const Json answer = InBrowser(SmallPage(), R"(
    const input = one('#capacity');
    const write = (value) => {
      input.value = value;
      input.dispatchEvent(new Event('input'));
      return text('#verdict-text');
    };
    const result = {asked: text('#verdict-text')};
    for (const value of ['8 MiB', '6291456', '5.5M', '4MB', '1e7', 'much', '']) result[value] = write(value);
    result.invalid = input.getAttribute('aria-invalid');
    write('4MiB');
    result.gauge = all('#gauge > *').map((node) => `${node.tagName} ${node.style.width}${node.style.left}`).join();
    return result;)");
  EXPECT_EQ(Text(answer, "asked"),
            "It needs 6.00 MiB of HBM S(0). Enter the device’s memory to "
            "check whether it fits.");
  EXPECT_EQ(Text(answer, "8 MiB"),
            "It fits. It needs 6.00 MiB of 8.00 MiB of HBM S(0); 2.00 MiB stay "
            "free.");
  EXPECT_THAT(Text(answer, "6291456"), HasSubstr("; 0 B stay free."));
  EXPECT_EQ(Text(answer, "5.5M"),
            "It does not fit. It needs 6.00 MiB of HBM S(0), 512.0 KiB more "
            "than 5.50 MiB. Its padding, 2.00 MiB, is more than that.");
  EXPECT_THAT(Text(answer, "4MB"), HasSubstr(" more than 3.81 MiB."));
  EXPECT_THAT(Text(answer, "1e7"), HasSubstr("; 3.54 MiB stay free."));
  EXPECT_THAT(Text(answer, "much"),
              HasSubstr("\u201cmuch\u201d is not a size; write 16 GiB."));
  EXPECT_EQ(Text(answer, ""), Text(answer, "asked"));
  EXPECT_EQ(Text(answer, "invalid"), "false");
  EXPECT_EQ(Text(answer, "gauge"),
            "I 66.6667%,I 33.3333%,S 66.6667%,U 66.6667%");
}

// Without a size, a full bar would read as a full memory.
TEST(MemoryPageBrowser, TheBarWaitsForASize) {
  const Json answer = InBrowser(SmallPage(), R"(
    const before = String(one('#gauge').hidden);
    one('#capacity').value = '8 MiB';
    one('#capacity').dispatchEvent(new Event('input'));
    return {before, after: String(one('#gauge').hidden)};)");
  EXPECT_EQ(Text(answer, "before"), "true");
  EXPECT_EQ(Text(answer, "after"), "false");
}

TEST(MemoryPageBrowser, DonationAndScopedVmem) {
  SummarizeResult page = SmallPage();
  ModulePeak& peak = *page.mutable_modules(0)->mutable_peak();
  SpacePeak& space = (*peak.mutable_by_memory_space()->mutable_spaces())[0];
  space.set_donated_result_bytes(1 << 20);
  space.set_donatable_bytes(1 << 21);
  ScopedVmemSummary& scoped = *peak.mutable_scoped_vmem();
  scoped.set_largest_bytes(5 << 20);
  scoped.set_largest_limit_bytes(16 << 20);
  scoped.set_largest_instruction("kernel.1");
  const Json answer = InBrowser(page, "return {tiles: text('#tiles')};");
  EXPECT_THAT(
      Text(answer, "tiles"),
      AllOf(HasSubstr("Donated1.00 MiBresults in parameters of HBM S(0)"),
            HasSubstr("Could be donated2.00 MiBparameters with the shape of a "
                      "result"),
            HasSubstr("Scoped VMEM5.00 MiBof 16.0 MiB, kernel.1")));
}

// People ask of HBM whether a program fits, although VMEM may hold more.
TEST(MemoryPageBrowser, HbmComesFirst) {
  SummarizeResult page = SmallPage();
  Space(&page, 1) = Space(&page);
  Space(&page, 1).set_name("VMEM");
  Space(&page, 1).set_reserved_bytes(int64_t{1} << 40);
  EXPECT_EQ(Text(InBrowser(page, R"(
              return {space: text('#space-choice [aria-pressed="true"]')};)"),
                 "space"),
            "HBM S(0)");
}

// A part of the page that was chosen, and comes back with its address.
TEST(MemoryPageBrowser, TheAddressKeepsWhatWasChosen) {
  SummarizeResult page = SmallPage();
  Space(&page, 1) = Space(&page);
  Space(&page, 1).set_name("VMEM");
  Space(&page, 1).set_reserved_bytes(10);
  *page.add_modules() = page.modules(0);
  page.mutable_modules(1)->set_name("other");
  for (int i = 0; i < 9; ++i) {
    OriginSum& origin = *page.add_by_origin();
    origin.set_opcode(absl::StrCat("op", i));
    origin.set_instructions(i);
    origin.set_unpadded_bytes(i);
    origin.set_padded_bytes(i);
  }
  const Json kept = InBrowser(page, R"(
    const pause = () => new Promise((done) => setTimeout(done, 400));
    const select = one('#selectors select');
    select.value = 1;
    select.dispatchEvent(new Event('change'));
    all('#space-choice button')[1].click();
    one('#capacity').value = '16GiB';
    one('#capacity').dispatchEvent(new Event('input'));
    await press('Home');
    all('#groups-controls .choice')[1].children[1].click();
    const filter = one('#opcodes input');
    filter.value = 'op1';
    filter.dispatchEvent(new Event('input'));
    all('#opcodes th button')[0].click();
    await pause();
    return {address: location.hash};)");
  EXPECT_EQ(Text(kept, "address"),
            "#module=1&space=VMEM+S%281%29&memory=16GiB&at=0&by=opcode&"
            "filter.opcodes=op1&sort.opcodes=0up");
  constexpr std::string_view kState = R"(
    return {
      module: one('#selectors select').value,
      space: text('#space-choice [aria-pressed="true"]'),
      capacity: one('#capacity').value, cursor: cursor(),
      pinned: one('#timeline-body').classList.contains('pinned'),
      by: text('#groups-controls .choice:nth-child(2) [aria-pressed="true"]'),
      rows: all('#opcodes tbody tr').length, filter: one('#opcodes input').value,
      sort: one('#opcodes th').getAttribute('aria-sort'),
    };)";
  // What stands before the "#" is not the page's.
  EXPECT_EQ(Text(InBrowser(page, R"(
              history.replaceState(null, '', '?theme=x#by=opcode');
              all('#groups-controls .choice')[1].children[0].click();
              await new Promise((done) => setTimeout(done, 400));
              return {address: location.search + location.hash};)"),
                 "address"),
            "?theme=x");
  const Json again = InBrowser(page, kState, Text(kept, "address").substr(1));
  EXPECT_EQ(again, Json({{"by", "Opcode"},
                         {"capacity", "16GiB"},
                         {"cursor", 0},
                         {"filter", "op1"},
                         {"module", "1"},
                         {"pinned", true},
                         {"rows", 1},
                         {"sort", "ascending"},
                         {"space", "VMEM S(1)"}}));
  // Nonsense is what nobody chose.
  const Json nonsense = InBrowser(
      page, kState,
      "module=77&space=x&memory=much&at=99&from=9&to=2&by=x&map=1,2&scope=//x&"
      "sort.opcodes=9up&filter.opcodes=&view=%zz&=&&");
  EXPECT_EQ(nonsense, Json({{"by", "op_name"},
                            {"capacity", "much"},
                            {"cursor", 2},
                            {"filter", ""},
                            {"module", "0"},
                            {"pinned", false},
                            {"rows", 9},
                            {"sort", nullptr},
                            {"space", "HBM S(0)"}}));
}

TEST(MemoryPageBrowser, WhatTakesThePeak) {
  const Json answer = InBrowser(SmallPage(), R"(
    const rows = () => all('#groups-rows tr').map((row) =>
        Array.from(row.children, (cell) => cell.textContent).join(' ').trim());
    const result = {lead: text('#groups-lead'), tree: rows()};
    one('#groups-rows button').click();
    result.closed = rows();
    const [of, by, measure, view] = all('#groups-controls .choice');
    by.children[2].click();
    result.source = rows();
    measure.children[1].click();
    result.padding = rows();
    measure.children[0].click();
    by.children[0].click();
    view.children[1].click();
    await frame();
    result.is_tree_hidden = !isShown('#groups-tree');
    result.groups = all('.group > button').map((node) => node.title).join();
    result.cells = all('.cell').map((node) => node.querySelector('span')?.textContent).join();
    const cell = one('.cell');
    cell.dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 300}));
    result.tooltip = text('#tooltip');
    one('.group > button').click();
    result.path = text('#treemap-path');
    one('#treemap-back').click();
    result.back = all('.group > button').map((node) => node.title).join();
    return result;)");
  EXPECT_EQ(Text(answer, "lead"),
            "5.00 MiB in 2 arrays live at the peak in HBM S(0), 10.0% of it "
            "padding, by bytes.");
  EXPECT_EQ(Text(answer, "tree"),
            "[\"\u25bejit(f)/mlp 5.00 MiB 100.0% 10.0%\","
            "\"\u25bedot 4.00 MiB 80.0%\",\"fusion.2f32[5]{0} 4.00 MiB 80.0%\","
            "\"\u25becopy 1.00 MiB 20.0% 50.0%\","
            "\"copy.1f32[<=3]{0} 1.00 MiB 20.0% 50.0%\"]");
  EXPECT_EQ(Text(answer, "closed"),
            "[\"\u25b8jit(f)/mlp 5.00 MiB 100.0% 10.0%\"]");
  EXPECT_EQ(Text(answer, "source"),
            "[\"\u25bem.py 5.00 MiB 100.0% 10.0%\","
            "\"\u25beline 9 4.00 MiB 80.0%\","
            "\"fusion.2f32[5]{0} 4.00 MiB 80.0%\","
            "\"\u25beline 7 1.00 MiB 20.0% 50.0%\","
            "\"copy.1f32[<=3]{0} 1.00 MiB 20.0% 50.0%\"]");
  EXPECT_EQ(Text(answer, "padding"),
            "[\"\u25bem.py 5.00 MiB 100.0% 10.0%\","
            "\"\u25beline 7 1.00 MiB 100.0% 50.0%\","
            "\"copy.1f32[<=3]{0} 1.00 MiB 100.0% 50.0%\"]");
  EXPECT_EQ(Text(answer, "is_tree_hidden"), "true");
  EXPECT_EQ(Text(answer, "groups"), "jit(f)/mlp");
  EXPECT_EQ(Text(answer, "cells"), "dot,copy");
  EXPECT_THAT(Text(answer, "tooltip"),
              AllOf(HasSubstr("jit(f)/mlpdot"),
                    HasSubstr("in all4.00 MiB4,194,304 bytes1 array")));
  EXPECT_EQ(Text(answer, "path"),
            "\u2190 Back jit(f)/mlp: 5.00 MiB, 10.0% of it padding, in 2 "
            "arrays");
  EXPECT_EQ(Text(answer, "back"), "jit(f)/mlp");
}

TEST(MemoryPageBrowser, AllBuffersByOpcode) {
  SummarizeResult page = BarePage();
  page.mutable_modules(0)->mutable_total()->set_padded_bytes(1000);
  page.mutable_modules(0)->mutable_total()->set_unpadded_bytes(800);
  for (const char* origin :
       {R"({"opcode":"fusion","source_line":"a/model.py:12",)"
        R"("instructions":3,"unpadded_bytes":600,"padded_bytes":800})",
        R"({"opcode":"fusion","source_line":"a/model.py:14",)"
        R"("instructions":1,"unpadded_bytes":100,"padded_bytes":100})",
        R"({"opcode":"copy","instructions":1,"unpadded_bytes":100,)"
        R"("padded_bytes":100})",
        R"({"opcode":"after-all","source_line":"a/model.py:12",)"
        R"("instructions":1})"}) {
    *page.add_by_origin() = FromJson<OriginSum>(origin);
  }
  const Json answer = InBrowser(page, R"(
    const area = (node) => { const box = node.getBoundingClientRect(); return box.width * box.height; };
    const [large, small] = all('.cell').map(area);
    return {
      lead: text('#groups-lead'),
      groups: all('.group > button').map((node) => node.title).join(),
      cells: all('.cell').map((node) => node.querySelector('span').textContent).join(),
      ratio: large / small,
      padding: all('.cell i').map((node) => node.style.width || node.style.height)[0],
    };)",
                                "by=opcode&view=treemap");
  EXPECT_EQ(Text(answer, "lead"),
            "All buffers of the file as if none shared memory: 1000 B, "
            "20.0% of it padding, by bytes.");
  EXPECT_EQ(Text(answer, "groups"), "fusion,copy");
  EXPECT_EQ(Text(answer, "cells"),
            "a/model.py:12,a/model.py:14,no source line");
  EXPECT_NEAR(answer.value("ratio", 0.0), 8, 0.5);
  EXPECT_EQ(Text(answer, "padding"), "25%");
}

// What the padding at the peak is, and what a better order would save.
TEST(MemoryPageBrowser, Padding) {
  SummarizeResult page = SmallPage();
  for (const char* array :
       {R"({"shape":"f32[9]{0}","count":3,"unpadded_bytes":100,)"
        R"("padded_bytes":200,"total_padding_bytes":300,"most_padded":)"
        R"({"cause":"dimension","dimensions":[0],"bound":9,"padded":128},)"
        R"("hint":{"minor_to_major":[1,0],"padded_bytes":120}})",
        R"({"shape":"f32[<=3]{0}","count":1,"unpadded_bytes":524288,)"
        R"("padded_bytes":1048576,"total_padding_bytes":524288,)"
        R"("most_padded":{"cause":"dimension","dimensions":[0],"bound":3,)"
        R"("padded":8},)"
        R"("hint":{"minor_to_major":[0,1],"padded_bytes":786432}})"}) {
    *page.add_most_wasteful() = FromJson<ArrayUse>(array);
  }
  const Json answer = InBrowser(page, R"(
    return {
      lead: text('#most-wasteful .lead'),
      rows: all('#most-wasteful tbody tr').map((row) =>
          Array.from(row.children, (cell) => cell.textContent).join(' | ')),
    };)");
  EXPECT_THAT(Text(answer, "lead"),
              StartsWith("512.0 KiB of the 5.00 MiB at the peak in HBM S(0) "
                         "are padding. Better orders would save 256.0 KiB "
                         "of it. To avoid it, "));
  EXPECT_EQ(Text(answer, "rows"),
            "[\"f32[<=3]{0} | 512.0 KiB | 512.0 KiB | 1 | 2.00\u00d7 | 1.00 "
            "MiB |  | dim 0: 3\u21928 | {0,1} 768.0 KiB each\","
            "\"f32[9]{0} | 0 B | 300 B | 3 | 2.00\u00d7 | 200 B |  | dim 0: "
            "9\u2192128 | {1,0} 120 B each\"]");
}

TEST(MemoryPageBrowser, WhatChanged) {
  PageWriter page("dumps/small.hlo");
  page.Add(SmallPage());
  page.SetChanges(FromJson<DiffResult>(R"({
    "before_file": "dumps/before.hlo",
    "before_reading": {"diagnostic_count": 1},
    "modules": [
      {"before": "older", "counted": "buffers"},
      {"before": "small", "after": "small", "matched_by_structure": 3,
       "appeared": 1, "counted": "buffers",
       "peak_bytes": {
         "0": {"name": "HBM", "before": 2097152, "after": 5242880,
               "reserved_before": 6291456, "reserved_after": 5242880,
               "group_count": 3, "groups": [
                 {"change": "new", "count": 3, "after_shape": "f32[5]{0}",
                  "after_bytes": 3145728, "op_name": "jit(f)/dot",
                  "source_line": "m.py:9", "instruction": "fusion.2"}]},
         "1": {"name": "VMEM", "before": 1024}},
       "by_memory_space": {
         "0": {"name": "HBM", "before": {"padded_bytes": 7340032},
               "after": {"padded_bytes": 7340032}},
         "1": {"name": "VMEM", "before": {"padded_bytes": 1024},
               "after": {}}},
       "group_count": 1, "groups": [
         {"change": "tiles", "count": 1, "before_shape": "f32[8]{0}",
          "after_shape": "f32[8]{0:T(128)}", "before_bytes": 512,
          "after_bytes": 32, "instruction": "copy.1"}]}]})"));
  const Json answer = InBrowser(std::move(page), R"(
    return {
      title: text('#title'), lead: text('#changes-lead'),
      tiles: text('#changes .tiles'), all: text('#changes'),
      rows: all('#changes tbody tr').map((row) =>
          Array.from(row.children, (cell) => cell.textContent).join(' | ')),
    };)");
  EXPECT_EQ(Text(answer, "title"), "before.hlo \u2192 small.hlo");
  EXPECT_EQ(Text(answer, "lead"), "3 instructions in both, 1 new, 0 gone.");
  EXPECT_EQ(Text(answer, "tiles"),
            "Peak+3.00 MiB 2.00 MiB \u2192 5.00 MiBReserved\u22121.00 MiB 6.00 "
            "MiB \u2192 5.00 MiBAll bufferssame 7.00 MiB \u2192 7.00 MiB");
  EXPECT_EQ(Text(answer, "rows"),
            "[\"+3.00 MiB |  | 3 \u00d7 +1.00 MiB | new | "
            "f32[5]{0}fusion.2 \u00b7 m.py:9jit(f)/dot\","
            "\"\u2212480 B |  |  | tiles | f32[8]{0} \u2192 "
            "{0:T(128)}copy.1\"]");
  EXPECT_THAT(Text(answer, "all"),
              AllOf(HasSubstr("and 2 smaller groups"),
                    HasSubstr("Only the other dump has older."),
                    HasSubstr("The other dump could not be read in full; "),
                    HasSubstr("Other peaks that changed: VMEM S(1), "
                              "\u22121.00 KiB (1.00 KiB \u2192 0 B).")));
  EXPECT_EQ(Text(InBrowser(SmallPage(), "return {shown: isShown('#changes')};"),
                 "shown"),
            "false");
}

TEST(MemoryPageBrowser, WhereCompilationsPartWays) {
  PageWriter page("small.hlo");
  page.Add(SmallPage());
  page.SetChanges(FromJson<DiffResult>(R"({
    "modules": [
      {"before": "small", "after": "small", "counted": "buffers",
       "passes": {"before_dumps": 7, "after_dumps": 9,
         "before_alike": {"pipeline": "fusion", "name": "pipeline-start"},
         "after_alike": {"pipeline": "fusion", "name": "pipeline-start"},
         "after_next": {
           "pass_name": {"number": 5, "pipeline": "fusion", "name": "merge"},
           "before_bytes": 4096, "bytes": 1024, "new_count": 2, "gone_count": 3,
           "new_arrays": [
             {"instruction": "f.1", "shape": "f32[64]{0}", "opcode": "fusion",
              "bytes": 256, "source_line": "m.py:3", "op_name": "jit(f)/dot"}]}},
       "group_count": 1, "groups": [
         {"change": "tiles", "count": 1, "before_shape": "f32[8]{0}",
          "after_shape": "f32[8]{0:T(128)}", "before_bytes": 512,
          "after_bytes": 32, "instruction": "copy.1",
          "before_pass": {"name": "before_optimizations"},
          "after_pass": {"pipeline": "layout", "name": "assign"}}]}]})"));
  const Json answer = InBrowser(std::move(page), R"(
    return {
      all: text('#changes'), since: text('#changes .since'),
      next: Array.from(one('#changes tbody tr').children,
                       (cell) => cell.textContent).join(' | '),
    };)");
  EXPECT_THAT(
      Text(answer, "all"),
      AllOf(HasSubstr("7 dumps before, 9 after: the same arrays for "
                      "the last time after fusion/pipeline-start."),
            HasSubstr("Before: no pass follows."), HasSubstr("After, next:")));
  EXPECT_EQ(Text(answer, "since"),
            "since layout/assign, in the first since before_optimizations");
  EXPECT_EQ(Text(answer, "next"),
            "5 | 1.00 KiB | \u22123.00 KiB | 2 | 3 | 0 | fusion/merge"
            "largest new:256 B f.1 f32[64]{0} (fusion)m.py:3 \u00b7 "
            "jit(f)/dot");
}

TEST(MemoryPageBrowser, ArraysThatAreNewAfterAPass) {
  PageWriter page("small.hlo");
  page.Add(SmallPage(), FromJson<ModulePasses>(R"({
    "module": "small",
    "passes": [
      {"pass_name": {"name": "before_optimizations"}, "bytes": 1024},
      {"pass_name": {"number": 0, "pipeline": "a", "name": "pipeline-start"},
       "before_bytes": 1024, "bytes": 1024},
      {"pass_name": {"number": 1, "pipeline": "a", "name": "b"},
       "before_bytes": 1024, "bytes": 4096, "new_count": 4, "changed_count": 1,
       "new_arrays": [
         {"instruction": "n.1", "shape": "f32[64]{0}", "opcode": "negate",
          "bytes": 256},
         {"instruction": "n.2", "shape": "f32[32]{0}", "opcode": "negate",
          "bytes": 128}]}],
    "array_count": 5,
    "arrays": [
      {"instruction": "n.1", "shape": "f32[64]{0}", "opcode": "negate",
       "bytes": 256, "made_by": {"pipeline": "a", "name": "b"},
       "made_as": "n", "made_as_opcode": "abs",
       "changed_by": {"pipeline": "c", "name": "d"}}]})"));
  const Json answer = InBrowser(std::move(page), R"(
    return {
      lead: text('#passes .lead'), arrays: text('#passes h3'),
      more: text('#passes summary'),
      rows: all('#passes tbody tr').map((row) =>
          Array.from(row.children, (cell) => cell.textContent).join(' | ')),
    };)");
  EXPECT_THAT(Text(answer, "lead"), StartsWith("module small: 3 dumps."));
  EXPECT_EQ(Text(answer, "arrays"), "5 arrays in the last dump, the largest 1");
  EXPECT_EQ(Text(answer, "more"), "1 more, of 4 new");
  EXPECT_EQ(Text(answer, "rows"),
            "[\" | 1.00 KiB |  |  |  |  | before_optimizations\","
            "\"1 dump changes no array\","
            "\"1 | 4.00 KiB | +3.00 KiB | 4 | 0 | 1 | a/blargest new:"
            "256 B n.1 f32[64]{0} (negate)1 more, of 4 new"
            "128 B n.2 f32[32]{0} (negate)\","
            "\"256 B | a/b | n.1 f32[64]{0} (negate)as n (abs) \u00b7 "
            "changed by c/d\"]");
  EXPECT_EQ(Text(InBrowser(SmallPage(), "return {shown: isShown('#passes')};"),
                 "shown"),
            "false");
}

// Ten rows of each table, and the others on request.
TEST(MemoryPageBrowser, ManyChanges) {
  DiffResult changes = FromJson<DiffResult>(R"({
    "before_file": "before.hlo", "before_reading": {},
    "modules": [{
      "before": "small", "after": "small", "counted": "buffers",
      "reason": "before: the module is not scheduled; assume_text_order uses the order of the text",
      "by_memory_space": {
        "0": {"name": "HBM", "before": {"padded_bytes": 3072},
              "after": {"padded_bytes": 1024}}},
      "group_count": 40}]})");
  for (int i = 0; i < 25; ++i) {
    ChangedGroup& group = *changes.mutable_modules(0)->add_groups();
    group.set_change("shape");
    group.set_count(1);
    if (i > 0) group.set_before_shape("f32[2]{0}");
    if (i > 0) group.set_after_shape("f32[1]{0}");
    group.set_before_bytes(8);
    group.set_after_bytes(4);
    group.set_op_name(absl::StrCat("same", i));
    group.set_instruction(absl::StrCat("same", i));
    group.set_opcode("negate");
  }
  PageWriter page("small.hlo");
  page.Add(BarePage());
  page.SetChanges(changes);
  const Json answer = InBrowser(std::move(page), R"(
    const rows = () => all('#changes tbody tr').length;
    const first = rows();
    const foot = text('#changes .more');
    const row = text('#changes tbody tr');
    one('#changes .more button').click();
    return {first, foot, row, second: rows(), rest: text('#changes .more'), facts: text('#changes .tiles'),
            why: text('#changes .callout')};)");
  EXPECT_EQ(Text(answer, "first"), "10");
  EXPECT_EQ(Text(answer, "foot"), "and 30 smaller groupsShow the largest 25");
  // The op_name stands there once.
  EXPECT_EQ(Text(answer, "row"), "\u22124 Bshape(within negate)same0");
  EXPECT_EQ(Text(answer, "second"), "25");
  EXPECT_EQ(Text(answer, "rest"), "and 15 smaller groups");
  EXPECT_EQ(Text(answer, "facts"),
            "All buffers in HBM S(0)\u22122.00 KiB 3.00 KiB \u2192 1.00 KiB");
  EXPECT_EQ(Text(answer, "why"),
            "The peaks are not known. Before: the module is not scheduled; "
            "--assume-text-order uses the order of the text.");
}

constexpr std::string_view kAboutTimeline = R"(
  return {
    plot: isShown('#timeline-body'), message: text('#no-timeline'),
    title: text('h1'), module: text('#module-name'),
    groups: text('#groups-lead'), verdict: isShown('#verdict'),
  };)";

TEST(MemoryPageBrowser, ModuleWithoutASchedule) {
  const Json answer = InBrowser(BarePage(), kAboutTimeline);
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_THAT(Text(answer, "message"), StartsWith("Not scheduled: "));
  EXPECT_THAT(Text(answer, "message"),
              HasSubstr("--assume-text-order uses the order of the text"));
}

TEST(MemoryPageBrowser, EmptyPage) {
  const Json answer = InBrowser(
      FromJson<SummarizeResult>(R"({"counted":"buffers","total":{}})"),
      kAboutTimeline);
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_THAT(Text(answer, "message"), StartsWith("There is no module"));
  EXPECT_EQ(Text(answer, "title"), "Untitled");
  EXPECT_EQ(Text(answer, "module"), "no module");
  EXPECT_EQ(Text(answer, "groups"), "Nothing takes memory.");
  EXPECT_EQ(Text(answer, "verdict"), "false");
}

// Names that are long, or look like markup, and the largest numbers.
TEST(MemoryPageBrowser, OddPages) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  SummarizeResult page = SmallPage();
  SpacePeak& odd = Space(&page, 1);
  odd = Space(&page);
  odd.set_name("odd");
  Space(&page).set_name("small");  // HBM would come first
  odd.set_peak_bytes(kLargest);
  odd.set_peak_position(0);
  odd.set_bytes(0, kLargest);
  odd.clear_reserved_bytes();
  odd.clear_reserved_unpadded_bytes();
  odd.mutable_arrays(0)->set_padded_bytes(kLargest);
  for (const std::string& name :
       {std::string("</script><b>\xff"), std::string(2000, 'm')}) {
    ModuleSummary& module = *page.add_modules();
    module = page.modules(0);
    module.set_name(name);
    auto& spaces =
        *module.mutable_peak()->mutable_by_memory_space()->mutable_spaces();
    spaces.erase(0);
    SpacePeak& nothing = spaces[1];
    nothing.set_peak_bytes(0);
    nothing.clear_bytes();
    nothing.add_bytes(0);
    nothing.clear_arrays();
  }
  page.set_file(std::string(2000, 'm'));
  const Json answer = InBrowser(page, R"(
    const result = {
      peak: text('#peak-label'), exact: one('#readout-sums b').title,
      live: all('#live-rows b').map((node) => node.textContent).join(),
      modules: all('#modules tbody tr').length,
      fits: document.documentElement.scrollWidth <= innerWidth,
    };
    const select = one('#selectors select');
    select.value = 1;
    select.dispatchEvent(new Event('change'));
    await frame();
    result.option = select.options[1].textContent;
    result.other = text('#peak-label');
    await press('ArrowRight'); await press('+'); await press('-'); await press('0');
    await point('pointermove', 0.5);
    result.cursor = cursor();
    return result;)");
  EXPECT_EQ(Text(answer, "peak"), "Peak 8.00 EiB at 0 \u00b7 p");
  EXPECT_EQ(Text(answer, "exact"), "9,223,372,036,854,775,807 bytes");
  EXPECT_EQ(Text(answer, "live"), "p");
  EXPECT_EQ(Text(answer, "modules"), "3");
  EXPECT_EQ(Text(answer, "fits"), "true");
  EXPECT_EQ(Text(answer, "option"), "</script><b>\ufffd");
  EXPECT_EQ(Text(answer, "other"), "Peak 0 B at 0 \u00b7 p");
  EXPECT_EQ(Text(answer, "cursor"), "0");
}

// What `tessera hlo --html` makes of dumps.
Json OfDump(const std::string& name) {
  std::ifstream file(absl::StrCat("tests/hlo/data/", name));
  EXPECT_TRUE(file) << name;
  const absl::StatusOr<HloDump> dump =
      ParseHlo(std::string(std::istreambuf_iterator<char>(file), {}));
  return InBrowser(*PageSummary(name, *dump, {}, {}), R"(
    return {
      title: text('h1'), tiles: text('#tiles'), plot: isShown('#timeline-body'),
      peak: isShown('#peak-label') ? text('#peak-label') : '',
      groups: all('#groups-rows button').map((node) => node.title).join(),
      rows: all('#largest tbody tr').length, notes: text('#notes'),
      message: isShown('#no-timeline') ? text('#no-timeline') : '',
      fits: document.documentElement.scrollWidth <= innerWidth,
    };)");
}

TEST(MemoryPageBrowser, DumpWithASchedule) {
  const Json answer = OfDump("kernel_reuse.hlo");
  EXPECT_EQ(Text(answer, "title"), "kernel_reuse.hlo");
  EXPECT_EQ(Text(answer, "plot"), "true");
  EXPECT_EQ(Text(answer, "peak"), "Peak 2.76 KiB at 6 \u00b7 tuple");
  EXPECT_THAT(Text(answer, "groups"), StartsWith("no op_name,"));
  EXPECT_EQ(Text(answer, "fits"), "true");
}

TEST(MemoryPageBrowser, DumpThatBreaksOff) {
  const Json answer = OfDump("tpu_maxtext_llama3_8b_2026-07-31.txt");
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_THAT(Text(answer, "tiles"),
              AllOf(StartsWith("Peaknot knownthe text breaks off before ENTRY"),
                    HasSubstr("Instructions1,459")));
  EXPECT_THAT(Text(answer, "message"),
              StartsWith("Peak: not known; the text breaks off before ENTRY."));
  EXPECT_THAT(Text(answer, "notes"),
              HasSubstr("has no timeline: the text breaks off before ENTRY"));
  EXPECT_EQ(Text(answer, "fits"), "true");
}

TEST(MemoryPageBrowser, DumpWithoutASchedule) {
  const Json answer = OfDump("jax.issue.33666.linx.frag_0100.module_0005.hlo");
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_EQ(Text(answer, "rows"), "11");
  EXPECT_THAT(Text(answer, "groups"), StartsWith("add,jit(_threefry_split),"));
}

}  // namespace
}  // namespace tessera
