// What `tessera hlo check` reads and writes; golden/hlo_check.txt has what it
// prints.

#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/report/text/json.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A module that reserves so many times 4 bytes, and 4 more.
std::string Module(const std::string& name, int size) {
  return absl::StrCat("HloModule ", name,
                      ", is_scheduled=true\nENTRY e {\n"
                      "  x = f32[] parameter(0)\n  ROOT y = f32[",
                      size, "]{0} broadcast(x), dimensions={}\n}\n");
}

constexpr char kUnscheduled[] =
    "HloModule m\nENTRY e {\n  ROOT x = f32[1]{0} parameter(0)\n}\n";

std::string PathOf(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), name);
}

// Returns the path.
std::string File(const std::string& name, const std::string& text) {
  std::ofstream(PathOf(name), std::ios::binary) << text;
  return PathOf(name);
}

std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Outcome Check(std::vector<std::string> arguments,
              const std::string& input = "") {
  arguments.insert(arguments.begin(), {"hlo", "check"});
  return RunCommand(std::move(arguments), input);
}

// The option was called --max-peak before.
TEST(HloCheck, TheOldNameOfTheLimit) {
  constexpr char kText[] =
      "HloModule m, is_scheduled=true\n"
      "ENTRY e { ROOT p = f32[2]{0} parameter(0) }\n";
  for (const char* limit : {"7", "8"}) {
    EXPECT_EQ(
        RunCommand({"hlo", "check", "-", "--max-peak", limit}, kText).out,
        RunCommand({"hlo", "check", "-", "--max-reserved", limit}, kText).out);
  }
  EXPECT_EQ(RunCommand({"hlo", "check", "-", "--max-peak=7"}, kText).exit_code,
            kExitBadInput);
}

TEST(HloCheck, ABaselineIsReadAsItIsWritten) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string baseline = PathOf("baseline.json");
  Outcome outcome = Check({dump, "--write-baseline", baseline});
  EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, absl::StrCat(baseline, ": note: wrote 1 module\n"));
  const std::vector<std::string> check = {dump, "--baseline", baseline,
                                          "--max-growth=5%"};
  for (const auto& [size, exit_code] :
       std::vector<std::pair<int, int>>{{100, kExitOk},
                                        {50, kExitOk},
                                        // 424 bytes, and 404 * 1.05 is 424.2.
                                        {105, kExitOk},
                                        {106, kExitBadInput}}) {
    File("dump.txt", Module("m", size));
    outcome = Check(check);
    EXPECT_EQ(outcome.exit_code, exit_code) << size;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("1 of 1 module is over budget\n"),
                    HasSubstr("428 B    424 B   4 B     404 B  +5.94%  "
                              "--max-growth\n")));
}

// What is not a file cannot be read twice.
TEST(HloCheck, ABaselineMayComeThroughAPipe) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string baseline = Check({dump, "--write-baseline=-"}).out;
  const std::string peak =
      RunCommand({"hlo", "peak", dump, "--format=json"}).out;
  for (const std::string& text : {Module("m", 100), baseline, peak}) {
    const Outcome outcome =
        Check({dump, "--baseline=-", "--max-growth=0", "--format=json"}, text);
    EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json check = Json::parse(outcome.out);
    EXPECT_EQ(check["baseline"], "<stdin>");
    EXPECT_EQ(check["modules"][0]["is_in_baseline"], true);
  }
}

TEST(HloCheck, ABaselineThatCannotBeRead) {
  const std::string dump = File("dump.txt", Module("m", 100));
  struct Case {
    std::string text;
    std::string error;
  };
  for (const Case& test : {
           Case{"{\"tessera_baseline\":1,\n\"modules\":7}",
                "<stdin>:2:11: error: modules: expected an array, found an "
                "integer\n"},
           Case{"{\"tessera_baseline\":9}",
                "<stdin>:1:21: error: tessera_baseline = 9 is not 1, "},
           Case{"", "<stdin>: error: the text has no HLO module\n"},
           Case{"HloModule m\n", "<stdin>: error: the text has no computation"},
           // It would be as if the module were new, which may grow.
           Case{kUnscheduled,
                "<stdin>: error: module m has no peak: not scheduled"},
       }) {
    const Outcome outcome =
        Check({dump, "--baseline=-", "--max-growth=0"}, test.text);
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << test.text;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith(test.error));
  }
  const Outcome packed =
      Check({dump, "--baseline=-", "--max-growth=0", "--max-unpacked=5"},
            Module("m", 100));
  EXPECT_EQ(packed.exit_code, kExitBadInput);
  EXPECT_THAT(packed.err, HasSubstr("(--max-unpacked)"));
}

TEST(HloCheck, ABaselineMayBeAFolder) {
  for (const char* folder : {"before", "after"}) {
    mkdir(PathOf(folder).c_str(), 0700);
    for (const char* module : {"f", "g"}) {
      File(absl::StrCat(folder, "/module_000", module == std::string("f"), ".",
                        module, ".cpu_after_optimizations.txt"),
           Module(module, 100));
    }
  }
  const std::vector<std::string> check = {PathOf("after"), "--baseline",
                                          PathOf("before"), "--max-growth=0"};
  Outcome outcome = Check(check);
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "2 modules are within budget\n");
  const std::string grown =
      File("after/module_0000.g.cpu_after_optimizations.txt", Module("g", 101));
  EXPECT_THAT(Check(check).out, StartsWith("1 of 2 modules is over budget\n"));
  // No dump in a folder is replaced either.
  outcome = Check({PathOf("after"), "--write-baseline", grown});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(Contents(grown), Module("g", 101));

  mkdir(PathOf("nothing").c_str(), 0700);
  outcome = Check(
      {PathOf("after"), "--baseline", PathOf("nothing"), "--max-growth=0"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.out, "");
}

// A folder with a module that reserves 404 bytes, as worked out, and to which
// XLA assigned `bytes` in memory space 0 and 64 in memory space 5; none beside
// it if `bytes` is 0.
std::string AssignedFolder(const std::string& name, int64_t bytes) {
  mkdir(PathOf(name).c_str(), 0700);
  const std::string stem = name + "/module_0001.m.cpu_after_optimizations";
  File(stem + ".txt", Module("m", 100));
  const std::string assignment = stem + "-buffer-assignment.txt";
  if (bytes == 0) {
    std::remove(PathOf(assignment).c_str());
    return PathOf(name);
  }
  File(assignment,
       absl::StrCat("BufferAssignment:\nallocation 0: size ", bytes - 4,
                    ", preallocated-temp:\n"
                    "allocation 1: size 4, parameter 0, shape |f32[]| at "
                    "ShapeIndex {}:\n"
                    "allocation 2: size 64, color 5, preallocated-temp:\n"
                    "allocation 3: size 4096, thread-local:\n"));
  return PathOf(name);
}

// XLA's own number counts where there is one.
TEST(HloCheck, WhatXlaAssignedIsHeldAgainstTheBudget) {
  const std::string folder = AssignedFolder("assigned", 500);
  const std::string file =
      folder + "/module_0001.m.cpu_after_optimizations.txt";
  for (const std::string& argument : {folder, file}) {
    Outcome outcome = Check({argument, "--max-reserved=500"});
    EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out,
              "1 module is within budget, by XLA's own assignment\n");
    outcome = Check({argument, "--max-reserved=499"});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.out,
              "1 of 1 module is over budget, by XLA's own assignment\n  module "
              " memory space      reserved  allowed  over  baseline  growth  "
              "limit\n  m       default S(0)  500 B by XLA    499 B   1 B      "
              "              --max-reserved\n");
    // As worked out.
    for (const auto& [most, exit_code] :
         std::vector<std::pair<std::string, int>>{{"404", kExitOk},
                                                  {"403", kExitBadInput}}) {
      outcome = Check({argument, "--no-sidecars", "--max-reserved=" + most});
      EXPECT_EQ(outcome.exit_code, exit_code);
      EXPECT_THAT(outcome.out, Not(HasSubstr("XLA")));
    }
    // A memory space that only the assignment has.
    EXPECT_EQ(Check({argument, "--space=5", "--max-reserved=64"}).exit_code,
              kExitOk);
    EXPECT_EQ(Check({argument, "--space=5", "--max-reserved=63"}).exit_code,
              kExitBadInput);
  }
  const Json space =
      Json::parse(Check({folder, "--max-reserved=499", "--format=json"})
                      .out)["modules"][0]["by_memory_space"]["0"];
  EXPECT_EQ(space["checked"], "assigned_bytes");
  EXPECT_EQ(space["checked_bytes"], 500);
  EXPECT_EQ(space["assigned_bytes"], 500);
  EXPECT_EQ(space["reserved_bytes"], 404);
  EXPECT_EQ(space["over_bytes"], 1);
  const Json alone = Json::parse(
      Check({folder, "--max-reserved=403", "--format=json", "--no-sidecars"})
          .out)["modules"][0]["by_memory_space"]["0"];
  EXPECT_EQ(alone["checked"], "reserved_bytes");
  EXPECT_EQ(alone["checked_bytes"], 404);
  EXPECT_EQ(alone["assigned_bytes"], nullptr);
  EXPECT_EQ(alone["over_bytes"], 1);

  const std::string both = PathOf("both.md");
  EXPECT_EQ(Check({folder, File("plain.txt", Module("n", 100)),
                   "--max-reserved=450", "--markdown", both})
                .out,
            "1 of 2 modules is over budget, 1 of 2 by XLA's own assignment\n  "
            "module  memory space      reserved  allowed  over  baseline  "
            "growth  limit\n  m       default S(0)  500 B by XLA    450 B  50 "
            "B                    --max-reserved\n");
  EXPECT_THAT(Contents(both),
              HasSubstr("| m | default S(0) | 500 B by XLA | 450 B |"));
}

// Growth is that of one measure on both sides.
TEST(HloCheck, TheBaselineHasWhatXlaAssigned) {
  const std::string baseline = PathOf("assigned.json");
  const std::string folder = AssignedFolder("grown", 500);
  ASSERT_EQ(Check({folder, "--write-baseline", baseline}).exit_code, kExitOk);
  EXPECT_THAT(Contents(baseline),
              HasSubstr("\"0\":{\"reserved_bytes\":404,\"peak_bytes\":500,"
                        "\"assigned_bytes\":500}"));
  const std::string peak = File(
      "peak.json", RunCommand({"hlo", "peak", folder, "--format=json"}).out);
  const std::string before = AssignedFolder("before_it_grew", 500);
  for (const std::string& of : {baseline, peak, before}) {
    const auto check = [&](const std::string& limit) {
      return Check(
          {folder, "--baseline", of, "--max-growth", limit, "--format=json"});
    };
    AssignedFolder("grown", 525);
    EXPECT_EQ(check("5%").exit_code, kExitOk) << of;
    EXPECT_EQ(check("4.9%").exit_code, kExitBadInput) << of;
    const Outcome outcome = check("0");
    EXPECT_EQ(outcome.err, "") << of;
    const Json space =
        Json::parse(outcome.out)["modules"][0]["by_memory_space"]["0"];
    EXPECT_EQ(space["growth_bytes"], 25) << of;
    EXPECT_EQ(space["growth_percent"], 5) << of;
    EXPECT_EQ(space["baseline_assigned_bytes"], 500) << of;
    EXPECT_EQ(space["baseline_reserved_bytes"], 404) << of;
    EXPECT_EQ(space["checked"], "assigned_bytes") << of;
    EXPECT_EQ(space["over_bytes"], 25) << of;
    EXPECT_THAT(Check({folder, "--baseline", of, "--max-growth=1%"}).out,
                HasSubstr("525 B by XLA    505 B  20 B  500 B by XLA  +5.00%  "
                          "--max-growth\n"));

    // XLA's number is on one side alone: what is worked out has not grown.
    AssignedFolder("grown", 0);
    const Outcome mixed = check("0");
    EXPECT_EQ(mixed.exit_code, kExitOk) << of;
    EXPECT_THAT(
        mixed.err,
        HasSubstr("note: XLA's assignment of module m is known on only one "
                  "side: its growth is that of the computed reserved bytes\n"));
    EXPECT_EQ(
        Json::parse(mixed.out)["modules"][0]["by_memory_space"]["0"]["checked"],
        "reserved_bytes");
  }

  // A baseline of an earlier version; the budget is held against XLA's number
  // all the same, and the stricter limit is told.
  const std::string old =
      File("old.json",
           "{\"tessera_baseline\":1,\"modules\":[{\"module\":\"m\",\"by_memory_"
           "space\":{\"0\":{\"reserved_bytes\":400,\"peak_bytes\":404}}}]}");
  AssignedFolder("grown", 500);
  const auto check = [&](const std::string& peak_limit,
                         const std::string& growth) {
    const Outcome outcome =
        Check({folder, "--space=0", "--baseline", old, "--max-reserved",
               peak_limit, "--max-growth", growth, "--format=json"});
    return Json::parse(outcome.out)["modules"][0]["by_memory_space"]["0"];
  };
  Json space = check("499", "2%");
  EXPECT_EQ(space["checked"], "assigned_bytes");
  EXPECT_EQ(space["exceeds_max_peak"], true);
  EXPECT_EQ(space["exceeds_max_growth"], false);
  EXPECT_EQ(space["budget_bytes"], 499);
  EXPECT_EQ(space["over_bytes"], 1);
  space = check("501", "0");
  EXPECT_EQ(space["checked"], "reserved_bytes");
  EXPECT_EQ(space["exceeds_max_peak"], false);
  EXPECT_EQ(space["exceeds_max_growth"], true);
  EXPECT_EQ(space["checked_bytes"], 404);
  EXPECT_EQ(space["budget_bytes"], 400);
  EXPECT_EQ(space["over_bytes"], 4);
  space = check("500", "2%");
  EXPECT_EQ(space["over_bytes"], 0);
}

TEST(HloCheck, WhatCannotBeReadIsNotWithinBudget) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string broken =
      File("broken.txt", Module("m", 1) + "ENTRY f {\n  ]\n}\n");
  const std::string unscheduled = File("unscheduled.txt", kUnscheduled);
  const std::string baseline = PathOf("unwritten.json");
  for (const std::string& bad : {PathOf("no_such_file"), broken, unscheduled}) {
    const Outcome json = Check({dump, bad, "--max-reserved=1G", "--format=json",
                                "--write-baseline", baseline});
    EXPECT_EQ(json.exit_code, kExitBadInput) << bad;
    EXPECT_THAT(json.err, StartsWith(bad));
    EXPECT_THAT(json.err, HasSubstr("error: not written: "));
    EXPECT_EQ(Json::parse(json.out)["is_within_budget"], false) << bad;
    EXPECT_FALSE(std::ifstream(baseline)) << bad;
    const Outcome text = Check({dump, bad, "--max-reserved=1G"});
    EXPECT_EQ(text.exit_code, kExitBadInput) << bad;
    EXPECT_THAT(text.out,
                HasSubstr(bad == unscheduled ? "; 1 module could not be checked"
                                             : "; not all could be read"));
  }
  EXPECT_EQ(Check({unscheduled, "--max-reserved=1G"}).out,
            "1 module could not be checked\n");
  EXPECT_EQ(Check({PathOf("no_such_file"), "--max-reserved=1G"}).out,
            "not all could be read\n");
  EXPECT_THAT(Check({unscheduled, "--max-reserved=1G"}).err,
              HasSubstr("--assume-text-order uses the order of the text"));
  EXPECT_EQ(Check({unscheduled, "--max-reserved=1G", "--assume-text-order"})
                .exit_code,
            kExitOk);
}

// The next run would find nothing wrong.
TEST(HloCheck, ABaselineIsKeptWhereSomethingIsOverBudget) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string baseline = PathOf("kept.json");
  ASSERT_EQ(Check({dump, "--write-baseline", baseline}).exit_code, kExitOk);
  const std::string before = Contents(baseline);
  const std::vector<std::string> ratchet = {
      dump,    "--baseline", baseline, "--max-growth=0", "--write-baseline",
      baseline};
  File("dump.txt", Module("m", 101));
  const Outcome outcome = Check(ratchet);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.err,
            absl::StrCat(baseline,
                         ": error: not written: 1 of 1 module is over "
                         "budget\n"));
  EXPECT_EQ(Contents(baseline), before);
  File("dump.txt", Module("m", 99));
  EXPECT_EQ(Check(ratchet).exit_code, kExitOk);
  EXPECT_THAT(Contents(baseline), HasSubstr("\"reserved_bytes\":400,"));
}

TEST(HloCheck, NoInputIsReplaced) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string other = File("other.txt", Module("m", 100));
  for (const std::string option : {"--write-baseline=", "--markdown="}) {
    for (const std::string& input : {dump, other}) {
      const Outcome outcome =
          Check({dump, "--baseline", other, "--max-growth=0", option + input});
      EXPECT_EQ(outcome.exit_code, kExitBadInput);
      EXPECT_THAT(outcome.err, HasSubstr(input + ": error: "));
      EXPECT_EQ(Contents(input), Module("m", 100)) << option;
    }
  }
}

TEST(HloCheck, StandardOutputHasOneThing) {
  const std::string dump = File("dump.txt", Module("m", 100));
  EXPECT_THAT(Check({dump, "--write-baseline=-"}).out,
              StartsWith("{\"tessera_baseline\":1,"));
  EXPECT_EQ(Check({dump, "--max-reserved=1G", "--markdown=-"}).out,
            "**Memory: 1 module is within budget.**\n");
}

TEST(HloCheck, AMemorySpaceThatNothingLiesIn) {
  const std::string dump = File("dump.txt", Module("m", 100));
  const std::string unscheduled = File("unscheduled.txt", kUnscheduled);
  const Outcome outcome = Check({dump, "--max-reserved=1", "--space=HMB"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "--space: error: no module uses memory space 'HMB'\n");
  const Outcome json =
      Check({dump, "--max-reserved=1", "--space=HMB", "--format=json"});
  EXPECT_EQ(Json::parse(json.out)["is_within_budget"], false);
  // Of a module that is not known nobody can say.
  const Outcome unknown =
      Check({unscheduled, "--max-reserved=1", "--space=0", "--format=json"});
  EXPECT_EQ(unknown.exit_code, kExitBadInput);
  EXPECT_THAT(unknown.err, Not(HasSubstr("memory space")));
  EXPECT_EQ(Json::parse(unknown.out)["modules"][0]["by_memory_space"], nullptr);
}

TEST(HloCheck, ModulesComeAndGo) {
  const std::string dump =
      File("dump.txt", Module("kept", 1) + Module("added", 1));
  const Outcome outcome =
      Check({dump, "--baseline=-", "--max-growth=0", "--max-reserved=8"},
            Module("gone", 1) + Module("kept", 1));
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.err,
            absl::StrCat(dump,
                         ": note: module added is not in the baseline\n"
                         "<stdin>: note: the files do not have module gone\n"));
  EXPECT_EQ(outcome.out, "2 modules are within budget\n");
  EXPECT_EQ(Check({dump, "--baseline=-", "--max-growth=0", "--max-reserved=7"},
                  Module("gone", 1) + Module("kept", 1))
                .exit_code,
            kExitBadInput);
}

}  // namespace
}  // namespace tessera::cli
