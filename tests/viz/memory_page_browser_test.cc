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
#include "tessera/cli/hlo/memory_page_of.h"
#include "tessera/hlo/parse_hlo.h"
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

// What `script`, the body of an async function, returns in the page.
Json InBrowser(const MemoryPage& page, absl::string_view script) {
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
  const std::string command =
      absl::StrCat(kChromium, " --user-data-dir='", folder,
                   "/profile' 'file://", file, "' 2>'", folder, "/log'");
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
  timeline.buffers = {
      {"p", "parameter", "f32[1,2]{1,0}", "", 1 << 20, 1 << 20, 0, 1},
      {"copy.1", "copy", "f32[<=3]{0}", "m.py:7", 1 << 19, 1 << 20, 1, 2},
      {"fusion.2", "fusion", "f32[5]{0}", "m.py:9", 4 << 20, 4 << 20, 2, 2}};
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
              AllOf(HasSubstr("Peak5.00 MiB"),
                    HasSubstr("Padding at the peak10.0%512.0 KiB in HBM S(0)"),
                    HasSubstr("Reserved6.00 MiBfor the whole run in HBM S(0)"),
                    HasSubstr("All buffers3.00 MiB"),
                    HasSubstr("Padding33.3%1.00 MiB of all buffers")));
  EXPECT_EQ(Text(answer, "peak"), "Peak 5.00 MiB at 2 \u00b7 fusion.2");
  EXPECT_EQ(Text(answer, "is_peak_shown"), "true");
  EXPECT_EQ(Text(answer, "cursor"), "2");
  EXPECT_EQ(Text(answer, "position"), "Instruction 2 of 4, the peak");
  EXPECT_EQ(Text(answer, "name"), "fusion.2");
  EXPECT_EQ(Text(answer, "sums"), "5.00 MiB live4.50 MiB512.0 KiB2 arrays");
  EXPECT_EQ(Text(answer, "exact"), "5,242,880 bytes");
  EXPECT_EQ(Text(answer, "live"), R"(["fusion.2","copy.1"])");
  EXPECT_EQ(Text(answer, "shapes"), R"(["f32[5]{0}","f32[<=3]{0}"])");
  EXPECT_THAT(Text(answer, "notes"),
              AllOf(HasSubstr("Worked out from the text, not XLA\u2019s buffer "
                              "assignment."),
                    HasSubstr("The peak is the most that is live at one "
                              "moment"),
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
      R"(in use at most: 4.00 KiB; at: step 1 b; never in use at once: 0 B",)"
      R"("a: shape: f32[512]; bytes: 2.00 KiB; padding: 1.00 KiB 50.0%; )"
      R"(offset: 1.00 KiB; steps: 0 to 1; from: x.py:3; )"
      R"(lies in: allocation 1, temporary; with: 1 other value; above it: b; )"
      R"(below it: p",)"
      R"("b: shape: f32[256]; bytes: 1.00 KiB; offset: 3.00 KiB; steps: 1 to 2; )"
      R"(lies in: allocation 1, temporary; with: 1 other value; below it: p",)"
      R"("p: shape: f32[256]; bytes: 1.00 KiB; offset: 0 B; steps: 0 to 3; )"
      R"(lies in: allocation 0, parameter 0; with: 0 other values",)"
      R"("HBM S(0): assigned: 4.00 KiB; allocations: 2; values: 3; )"
      R"(in use at most: 4.00 KiB; at: step 1 b; never in use at once: 0 B"])");
  EXPECT_EQ(Text(answer, "zoomed"), "true");
  EXPECT_EQ(Text(answer, "whole"), "true");
  EXPECT_EQ(Text(answer, "legend"), "temporaryparameter");
  EXPECT_THAT(Text(answer, "lead"), StartsWith("As XLA assigned it."));
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
      rows: all('#live-rows tr').length, cells: all('.cell').length,
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
  EXPECT_GT(answer.value("cells", 0), 100);
  EXPECT_LT(answer.value("cells", 0), 5000);
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
    const result = {first: rows(), status: text('#relayouts .more span'), sort: sorts(), largest: column(1)};
    heads[0].click();
    result.ascending = sorts();
    result.smallest = column(1);
    heads[1].click();
    result.by_name = sorts();
    result.names = column(2);
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
    result.none = text('#largest');
    result.captions = all('caption').length === all('.rows table').length;
    return result;)");
  EXPECT_EQ(Text(answer, "first"), "50");
  EXPECT_EQ(Text(answer, "status"), "120 rows, the first 50 shown");
  EXPECT_EQ(Text(answer, "sort"), "descending,,,,");
  EXPECT_EQ(Text(answer, "largest"), "120 B,119 B,118 B");
  EXPECT_EQ(Text(answer, "ascending"), "ascending,,,,");
  EXPECT_EQ(Text(answer, "smallest"), "free,free,free");
  EXPECT_EQ(Text(answer, "by_name"), ",ascending,,,");
  EXPECT_EQ(Text(answer, "names"), "copy.0,copy.1,copy.2");
  EXPECT_EQ(Text(answer, "everything"), "120");
  EXPECT_EQ(Text(answer, "filtered"), "11");
  EXPECT_EQ(Text(answer, "filter_status"), "11 of 120 rows");
  EXPECT_EQ(Text(answer, "nothing"), "Nothing matches.");
  EXPECT_EQ(Text(answer, "opcode"), "large");
  EXPECT_EQ(Text(answer, "exact"), "9,223,372,036,854,775,807 bytes");
  EXPECT_EQ(Text(answer, "none"), "Largest arraysThere are no arrays.");
  EXPECT_EQ(Text(answer, "captions"), "true");
}

TEST(MemoryPageBrowser, Treemap) {
  MemoryPage page;
  page.modules.resize(1);
  page.treemap = {{"fusion", "a/model.py:12", 3, 600, 800},
                  {"fusion", "a/model.py:14", 1, 100, 100},
                  {"copy", "", 1, 100, 100},
                  {"after-all", "a/model.py:12", 1, 0, 0}};
  const Json answer = InBrowser(page, R"(
    const groups = () => all('.group > button').map((node) => node.getAttribute('aria-label')).join();
    const cells = () => all('.cell').map((node) => node.querySelector('span').textContent).join();
    const area = (node) => { const box = node.getBoundingClientRect(); return box.width * box.height; };
    const result = {groups: groups(), cells: cells()};
    const [large, small] = all('.cell').map(area);
    result.ratio = large / small;
    result.padding = all('.cell i').map((node) => node.style.width || node.style.height)[0];
    one('.cell').dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 300}));
    result.tooltip = text('#tooltip');
    one('.group > button').click();
    result.zoomed = `${all('.group').length} ${cells()}`;
    one('#treemap-back').click();
    result.back = groups();
    const [, by_source, , padding] = all('#treemap-controls button');
    by_source.click();
    result.by_source = groups();
    result.lines = cells();
    padding.click();
    result.by_padding = groups();
    return result;)");
  EXPECT_EQ(Text(answer, "groups"), "fusion,copy");
  EXPECT_EQ(Text(answer, "cells"),
            "a/model.py:12,a/model.py:14,no source line");
  EXPECT_NEAR(answer.value("ratio", 0.0), 8, 0.5);
  EXPECT_EQ(Text(answer, "padding"), "25%");
  EXPECT_THAT(Text(answer, "tooltip"),
              AllOf(HasSubstr("fusiona/model.py:12"),
                    HasSubstr("padding, 25.0%200 B200 bytes"),
                    HasSubstr("in all800 B800 bytes3 instructions")));
  EXPECT_EQ(Text(answer, "zoomed"), "0 a/model.py:12,a/model.py:14");
  EXPECT_EQ(Text(answer, "back"), "fusion,copy");
  EXPECT_EQ(Text(answer, "by_source"), "a/model.py,no source line");
  EXPECT_EQ(Text(answer, "lines"), "line 12,line 14,no source line");
  EXPECT_EQ(Text(answer, "by_padding"), "a/model.py");
}

constexpr absl::string_view kAboutTimeline = R"(
  return {
    plot: isShown('#timeline-body'), message: text('#no-timeline'),
    sections: all('h2').length, title: text('h1'), module: text('#module-name'),
    treemap: text('#treemap-lead'),
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
  EXPECT_EQ(Text(answer, "treemap"),
            "No instruction has a result that takes memory.");
  EXPECT_EQ(Text(answer, "sections"), "8");
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
    const select = one('#timeline-controls select');
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
  return InBrowser(cli::MemoryPageOf(name, *dump), R"(
    return {
      title: text('h1'), tiles: text('#tiles'), plot: isShown('#timeline-body'),
      peak: isShown('#peak-label') ? text('#peak-label') : '',
      groups: all('.group > button').map((node) => node.getAttribute('aria-label')).join(),
      rows: all('#largest tbody tr').length, notes: text('#notes'),
      message: isShown('#no-timeline') ? text('#no-timeline') : '',
      fits: document.documentElement.scrollWidth <= innerWidth,
    };)");
}

TEST(MemoryPageBrowser, DumpWithASchedule) {
  const Json answer = OfDump("kernel_reuse.hlo");
  EXPECT_EQ(Text(answer, "title"), "kernel_reuse.hlo");
  EXPECT_EQ(Text(answer, "plot"), "true");
  EXPECT_EQ(Text(answer, "peak"), "Peak 600 B at 7 \u00b7 custom-call.3");
  EXPECT_THAT(Text(answer, "groups"),
              StartsWith("fusion,parameter,custom-call"));
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
  EXPECT_THAT(Text(answer, "groups"), HasSubstr("broadcast"));
}

}  // namespace
}  // namespace tessera
