// The page in a browser: what is drawn, and what the pointer, the keyboard and
// the tables' buttons do. Fails where there is no chromium.

#include <stdlib.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/report/page/memory_page_of.h"
#include "tessera/viz/memory_page.h"
#include "tests/viz/sample_page.h"

namespace tessera {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Runs a test's `script` after the page's own, and puts what it returns where
// the test finds it.
constexpr absl::string_view kProbe = R"(<script>
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
constexpr absl::string_view kFrames = R"(<head>
<script>requestAnimationFrame = (draw) => setTimeout(draw, 16);</script>)";

constexpr absl::string_view kChromium =
    "chromium --headless --no-sandbox --disable-gpu --disable-quic "
    "--disable-dev-shm-usage --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-extensions "
    "--host-resolver-rules='MAP * ~NOTFOUND' --window-size=1400,1000 "
    "--virtual-time-budget=20000 --dump-dom";

// What `script`, the body of an async function, returns in the page, opened
// with `state` behind the "#" of its address.
Json InBrowser(const MemoryPage& page, absl::string_view script,
               absl::string_view state = "") {
  std::string folder = absl::StrCat(testing::TempDir(), "/page_XXXXXX");
  if (mkdtemp(&folder[0]) == nullptr) {
    ADD_FAILURE() << "no folder " << folder;
    return Json::object();
  }
  const std::string file = absl::StrCat(folder, "/page.html");
  std::ofstream(file) << absl::StrReplaceAll(
      RenderMemoryPage(page),
      {{"<head>", kFrames},
       {"</body>", absl::StrReplaceAll(kProbe, {{"{{script}}", script}})}});

  setenv("HOME", folder.c_str(), /*overwrite=*/1);
  const std::string command = absl::StrCat(
      kChromium, " --user-data-dir='", folder, "/profile' 'file://", file, "#",
      state, "' 2>'", folder, "/log'");
  FILE* pipe = popen(command.c_str(), "r");
  std::string dom;
  char buffer[65536];
  size_t size = 0;
  while ((size = fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
    dom.append(buffer, size);
  }
  const int status = pclose(pipe);

  constexpr absl::string_view kTag = "id=\"answer\">";
  const size_t tag = dom.find(std::string(kTag));
  if (status != 0 || tag == std::string::npos) {
    std::ifstream log(absl::StrCat(folder, "/log"));
    std::string complaints, line;
    while (std::getline(log, line)) {
      if (!absl::StrContains(line, "dbus")) complaints += line + "\n";
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

// Three arrays, of which the last two are live together.
MemoryPage SmallPage() {
  MemoryPage page;
  page.title = "dumps/small.hlo";
  page.modules.resize(1);
  MemoryPage::Module& module = page.modules[0];
  module.name = "small";
  module.instructions = 4;
  module.padded_bytes = 3 << 20;
  module.unpadded_bytes = 2 << 20;
  module.schedule = {{"p", "parameter"},
                     {"copy.1", "copy"},
                     {"fusion.2", "fusion"},
                     {"out", "tuple"}};
  MemoryPage::Timeline timeline;
  timeline.memory_space = "HBM S(0)";
  timeline.live_bytes = {1 << 20, 2 << 20, 5 << 20, 0};
  timeline.peak = 2;
  timeline.peak_unpadded_bytes = (4 << 20) + (1 << 19);
  timeline.reserved_bytes = 6 << 20;
  timeline.reserved_unpadded_bytes = 4 << 20;
  timeline.buffers = {
      {"p", "parameter", "f32[1,2]{1,0}", "", 1 << 20, 1 << 20, 0, 1},
      {"copy.1", "copy", "f32[<=3]{0}", "m.py:7", 1 << 19, 1 << 20, 1, 2,
       "jit(f)/mlp/copy"},
      {"fusion.2", "fusion", "f32[5]{0}", "m.py:9", 4 << 20, 4 << 20, 2, 2,
       "jit(f)/mlp/dot"}};
  module.timelines = {timeline};
  return page;
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
  EXPECT_EQ(Text(answer, "position"), "Step 2 of 4, the peak");
  EXPECT_EQ(Text(answer, "name"), "fusion.2");
  EXPECT_EQ(Text(answer, "sums"), "5.00 MiB live4.50 MiB512.0 KiB2 arrays");
  EXPECT_EQ(Text(answer, "exact"), "5,242,880 bytes");
  EXPECT_EQ(Text(answer, "live"), R"(["fusion.2","copy.1"])");
  EXPECT_EQ(Text(answer, "shapes"), R"(["f32[5]{0}","f32[<=3]{0}"])");
  EXPECT_THAT(Text(answer, "notes"),
              AllOf(HasSubstr("Computed from the text; not XLA\u2019s buffer "
                              "assignment."),
                    HasSubstr("The peak is the most bytes in use at one step "
                              "of the schedule"),
                    HasSubstr("reserved is what XLA sets aside for the whole "
                              "run"),
                    HasSubstr("Sums count every buffer")));
  EXPECT_EQ(Text(answer, "has_message"), "false");
  EXPECT_EQ(Text(answer, "has_failure"), "false");
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
  MemoryPage page = SmallPage();
  MemoryMap map;
  map.title = "HBM S(0)";
  map.bytes = 4096;
  map.steps = 4;
  map.allocations = {{"allocation 0", "parameter 0", 0, 1024},
                     {"allocation 1", "temporary", 1024, 3072}};
  map.values = {{"p", "parameter", "f32[256]", "", 0, 1024, 0, 3, 0},
                {"a", "add", "f32[512]", "x.py:3", 1024, 2048, 0, 1, 1024},
                {"b", "copy", "f32[256]", "", 3072, 1024, 1, 2, 0}};
  map.used_bytes = {3072, 4096, 2048, 1024};
  map.step_names = {"p", "b", "c", "d"};
  page.modules[0].maps = {map};
  page.modules[0].is_assigned_by_xla = true;
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
      R"(peak use: 4.00 KiB; at: step 1 b; unused at that step: 0 B",)"
      R"("a: shape: f32[512]; bytes: 2.00 KiB; padding: 1.00 KiB 50.0%; )"
      R"(offset: 1.00 KiB; steps: 0 to 1; from: x.py:3; )"
      R"(lies in: allocation 1, temporary; with: b; above it: b; )"
      R"(below it: p",)"
      R"("b: shape: f32[256]; bytes: 1.00 KiB; offset: 3.00 KiB; steps: 1 to 2; )"
      R"(lies in: allocation 1, temporary; with: a; below it: p",)"
      R"("p: shape: f32[256]; bytes: 1.00 KiB; offset: 0 B; steps: 0 to 3; )"
      R"(lies in: allocation 0, parameter 0; with: nothing else",)"
      R"("HBM S(0): assigned: 4.00 KiB; allocations: 2; values: 3; )"
      R"(peak use: 4.00 KiB; at: step 1 b; unused at that step: 0 B"])");
  EXPECT_EQ(Text(answer, "zoomed"), "true");
  EXPECT_EQ(Text(answer, "whole"), "true");
  EXPECT_EQ(Text(answer, "legend"), "temporaryparameter");
  EXPECT_THAT(Text(answer, "lead"),
              StartsWith("The map shows HBM S(0) as XLA assigned it."));
}

TEST(MemoryPageBrowser, TwentyThousandInstructions) {
  const MemoryPage page = SamplePage(20000);
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
  const MemoryPage::Timeline& timeline = page.modules[0].timelines[0];
  // Of the instructions under one pixel, the one with the most bytes.
  EXPECT_NEAR(answer.value("quarter", 0), 5000, 40);
  EXPECT_THAT(Text(answer, "rest"), StartsWith("and "));
  EXPECT_NEAR(answer.value("left", 0), 4000, 80);
  EXPECT_NEAR(answer.value("right", 0), 6000, 80);
  EXPECT_EQ(Text(answer, "zoomed"), "true");
  EXPECT_EQ(Text(answer, "has_peak"),
            4000 < timeline.peak && timeline.peak < 6000 ? "true" : "false");
  EXPECT_NEAR(answer.value("end", 0), 19999, 40);
  EXPECT_EQ(Text(answer, "rows"), "60");
  EXPECT_EQ(Text(answer, "drawn"), "true");
  EXPECT_GE(answer.value("tree", 0), 12);
  EXPECT_LT(answer.value("tree", 0), 100);
}

// More than a call takes arguments.
TEST(MemoryPageBrowser, TwoHundredThousandInstructions) {
  constexpr int64_t kSteps = 200000;
  MemoryPage page = SmallPage();
  MemoryPage::Module& module = page.modules[0];
  module.schedule.clear();
  MemoryPage::Timeline& timeline = module.timelines[0];
  timeline.live_bytes.clear();
  MemoryMap map;
  map.title = "HBM S(0)";
  map.bytes = kSteps;
  map.steps = kSteps;
  for (int64_t i = 0; i < kSteps; ++i) {
    module.schedule.push_back({absl::StrCat("n", i), "negate"});
    timeline.live_bytes.push_back(i % 1000);
    map.used_bytes.push_back(i % 1000);
    map.step_names.push_back(absl::StrCat("n", i));
  }
  // As many allocations as values.
  for (int64_t i = 0; i < 20000; ++i) {
    map.allocations.push_back(
        {absl::StrCat("allocation ", i), "temporary", 10 * i, 10});
    map.values.push_back({absl::StrCat("v", i), "negate", "u8[10]", "", 10 * i,
                          10, 0, kSteps - 1, 0});
  }
  module.maps = {map};
  const Json answer = InBrowser(page, R"(
    const box = one('#map-plot').getBoundingClientRect();
    one('#map-plot').dispatchEvent(new PointerEvent('pointermove', {
      bubbles: true, clientX: box.left + 72 + 100, clientY: box.bottom - 26 - 0.5 * (box.height - 38)}));
    const whole = text('#map-rows');
    await frame();
    return {whole, tables: all('section').length, hovered: text('#map-rows')};)");
  EXPECT_THAT(Text(answer, "whole"), HasSubstr("at most999 Batstep 999 n999"));
  EXPECT_THAT(Text(answer, "hovered"),
              HasSubstr("temporarywithnothing elseabove it"));
  EXPECT_GE(answer.value("tables", 0), 6);
}

TEST(MemoryPageBrowser, TablesSortAndFilter) {
  MemoryPage page;
  page.modules.resize(1);
  for (int i = 0; i < 120; ++i) {
    MemoryPage::Relayout relayout;
    relayout.instruction = absl::StrCat("copy.", i);
    relayout.opcode = i < 40 ? "bitcast" : "copy";
    relayout.bytes = (i * 37) % 120 + 1;
    relayout.is_free = i < 40;
    page.relayouts.push_back(relayout);
  }
  // Equal as doubles.
  page.by_opcode = {{"small", 1, 1, 1},
                    {"large", 1, 0, std::numeric_limits<int64_t>::max()}};
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
            "It needs 6.00 MiB of HBM S(0). Enter the device\u2019s memory to "
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
  EXPECT_EQ(Text(answer, "gauge"), "I 66.6667%,I 33.3333%,U 66.6667%");
}

// A part of the page that was chosen, and comes back with its address.
TEST(MemoryPageBrowser, TheAddressKeepsWhatWasChosen) {
  MemoryPage page = SmallPage();
  MemoryPage::Timeline vmem = page.modules[0].timelines[0];
  vmem.memory_space = "VMEM S(1)";
  vmem.reserved_bytes = 10;
  page.modules[0].timelines.push_back(vmem);
  page.modules.push_back(page.modules[0]);
  page.modules[1].name = "other";
  for (int i = 0; i < 9; ++i) {
    page.by_opcode.push_back({absl::StrCat("op", i), i, i, i});
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
  constexpr absl::string_view kState = R"(
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
  MemoryPage page;
  page.modules.resize(1);
  page.modules[0].padded_bytes = 1000;
  page.modules[0].unpadded_bytes = 800;
  page.groups = {{"fusion", "a/model.py:12", "", 3, 600, 800},
                 {"fusion", "a/model.py:14", "", 1, 100, 100},
                 {"copy", "", "", 1, 100, 100},
                 {"after-all", "a/model.py:12", "", 1, 0, 0}};
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
  MemoryPage page = SmallPage();
  page.most_wasteful = {
      {"f32[9]{0}", 3, 100, 200, 300, "dim 0: 9\u2192128", "{1,0}", 120},
      {"f32[<=3]{0}", 1, 1 << 19, 1 << 20, 1 << 19, "dim 0: 3\u21928", "{0,1}",
       3 << 18}};
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
  MemoryPage page = SmallPage();
  MemoryPage::SpaceChange space;
  space.memory_space = "HBM S(0)";
  space.peak_before = 2 << 20;
  space.peak_after = 5 << 20;
  space.reserved_before = 6 << 20;
  space.reserved_after = 5 << 20;
  space.group_count = 3;
  space.groups = {{"new", 3, "", "f32[5]{0}", 0, 3 << 20, "jit(f)/dot",
                   "m.py:9", "fusion.2"}};
  MemoryPage::ModuleChange change;
  change.before = "small";
  change.after = 0;
  change.matched = 3;
  change.appeared = 1;
  change.counted = "buffers";
  MemoryPage::SpaceChange vmem;
  vmem.memory_space = "VMEM S(1)";
  vmem.peak_before = 1 << 10;
  change.spaces = {space, vmem};
  change.totals = {{"HBM S(0)", 7 << 20, 7 << 20}, {"VMEM S(1)", 1 << 10, 0}};
  change.group_count = 1;
  change.groups = {
      {"tiles", 1, "f32[8]{0}", "f32[8]{0:T(128)}", 512, 32, "", "", "copy.1"}};
  MemoryPage::ModuleChange lonely;
  lonely.before = "older";
  page.changes = {"dumps/before.hlo", {change, lonely}, {"Part is missing."}};
  const Json answer = InBrowser(page, R"(
    return {
      before: text('#before'), lead: text('#changes-lead'),
      tiles: text('#changes .tiles'), all: text('#changes'),
      rows: all('#changes tbody tr').map((row) =>
          Array.from(row.children, (cell) => cell.textContent).join(' | ')),
    };)");
  EXPECT_EQ(Text(answer, "before"), "compared with before.hlo");
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
                    HasSubstr("Part is missing."),
                    HasSubstr("Other peaks that changed: VMEM S(1), "
                              "\u22121.00 KiB (1.00 KiB \u2192 0 B).")));
  EXPECT_EQ(Text(InBrowser(SmallPage(), "return {shown: isShown('#changes')};"),
                 "shown"),
            "false");
}

// Ten rows of each table, and the others on request.
TEST(MemoryPageBrowser, ManyChanges) {
  MemoryPage page = SmallPage();
  page.modules[0].timelines.clear();
  MemoryPage::ModuleChange change;
  change.before = "small";
  change.after = 0;
  change.counted = "buffers";
  change.no_peak = "before: the module is not scheduled";
  change.totals = {{"HBM S(0)", 3 << 10, 1 << 10}};
  change.group_count = 40;
  for (int i = 0; i < 25; ++i) {
    change.groups.push_back({"shape", 1, "f32[2]{0}", "f32[1]{0}", 8, 4,
                             absl::StrCat("same", i), "",
                             absl::StrCat("same", i), "negate"});
  }
  change.groups[0].before_shape = "";
  change.groups[0].after_shape = "";
  page.changes = {"before.hlo", {change}, {}};
  const Json answer = InBrowser(page, R"(
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
            "The peaks are not known. Before: the module is not scheduled.");
}

constexpr absl::string_view kAboutTimeline = R"(
  return {
    plot: isShown('#timeline-body'), message: text('#no-timeline'),
    title: text('h1'), module: text('#module-name'),
    groups: text('#groups-lead'), verdict: isShown('#verdict'),
  };)";

TEST(MemoryPageBrowser, ModuleWithoutASchedule) {
  MemoryPage page = SmallPage();
  page.modules[0].schedule.clear();
  page.modules[0].timelines.clear();
  const Json answer = InBrowser(page, kAboutTimeline);
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_THAT(Text(answer, "message"), StartsWith("Not scheduled: "));
}

TEST(MemoryPageBrowser, EmptyPage) {
  const Json answer = InBrowser(MemoryPage(), kAboutTimeline);
  EXPECT_EQ(Text(answer, "plot"), "false");
  EXPECT_THAT(Text(answer, "message"), StartsWith("There is no module"));
  EXPECT_EQ(Text(answer, "title"), "Untitled");
  EXPECT_EQ(Text(answer, "module"), "no module");
  EXPECT_EQ(Text(answer, "groups"), "Nothing takes memory.");
  EXPECT_EQ(Text(answer, "verdict"), "false");
}

// The struct does not say that its lists are as long as each other.
TEST(MemoryPageBrowser, OddPages) {
  MemoryPage page = SmallPage();
  MemoryPage::Timeline odd = page.modules[0].timelines[0];
  odd.peak = 77;
  odd.live_bytes = {std::numeric_limits<int64_t>::max(), 0, -5};
  odd.buffers[0].last = -3;
  odd.buffers[1].first = 40;
  odd.buffers[2].first = std::numeric_limits<int64_t>::min();
  odd.buffers[2].last = std::numeric_limits<int64_t>::max();
  odd.memory_space = "odd";
  odd.reserved_bytes = -1;
  page.modules[0].timelines.push_back(odd);
  page.modules[0].schedule.resize(1);
  page.modules.push_back(page.modules[0]);
  page.modules[1].timelines = {odd};
  page.modules[1].timelines[0].live_bytes = {0};
  page.modules[1].name = "</script><b>\xff";
  page.modules.push_back(page.modules[1]);
  page.modules[2].name = std::string(2000, 'm');
  page.title = page.modules[2].name;
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
  EXPECT_EQ(Text(answer, "live"), "fusion.2");
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
  return InBrowser(MemoryPageOf(name, *dump), R"(
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
