#include "tests/bench/mutations.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/damage.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

double ParseSeconds(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(ParseHloView(text).ok());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

double LeastParseSeconds(const std::string& text) {
  double least = ParseSeconds(text);
  for (int i = 0; i < 9; ++i) least = std::min(least, ParseSeconds(text));
  return least;
}

struct Mutation {
  double ratio;
  int number;
  size_t file;
  std::string text;
};

}  // namespace

void PrintSlowestMutation() {
  constexpr int kMutations = 20000;
  constexpr size_t kCandidates = 20;
  std::vector<std::string> texts;
  std::vector<double> clean;
  for (const char* name : kDumpFiles) {
    std::ifstream file(std::string("tests/hlo/data/") + name);
    texts.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
    clean.push_back(LeastParseSeconds(texts.back()));
  }
  std::mt19937 random(1);
  std::vector<Mutation> slowest;
  const auto is_slower = [](const Mutation& a, const Mutation& b) {
    return a.ratio > b.ratio;
  };
  for (int i = 0; i < kMutations; ++i) {
    const size_t file = i % std::size(kDumpFiles);
    std::string text = texts[file];
    DamageHlo(&random, &text);
    const double ratio = ParseSeconds(text) / clean[file];
    if (slowest.size() == kCandidates && ratio <= slowest.back().ratio) {
      continue;
    }
    slowest.push_back({ratio, i, file, std::move(text)});
    std::sort(slowest.begin(), slowest.end(), is_slower);
    if (slowest.size() > kCandidates) slowest.pop_back();
  }
  // The machine does other things as well: what counts is the least of some.
  for (Mutation& mutation : slowest) {
    mutation.ratio = LeastParseSeconds(mutation.text) / clean[mutation.file];
  }
  std::sort(slowest.begin(), slowest.end(), is_slower);
  std::printf(
      "slowest of %d mutations of %zu dumps: %.2f times the clean parse, at "
      "most 20 (%s, number %d)\n",
      kMutations, std::size(kDumpFiles), slowest[0].ratio,
      kDumpFiles[slowest[0].file], slowest[0].number);
}

}  // namespace tessera
