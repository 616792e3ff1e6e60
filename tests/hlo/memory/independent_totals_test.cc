// The totals of the report, worked out a second time from the text of result
// shapes, by code that shares nothing with the library: own parsing of shapes,
// own tiling, over all instructions instead of distinct shapes.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

std::vector<int64_t> Numbers(const std::string& text) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      ++i;
      continue;
    }
    char* end = nullptr;
    numbers.push_back(std::strtoll(text.c_str() + i, &end, 10));
    i = end - text.c_str();
  }
  return numbers;
}

int64_t BytesOf(const std::string& type) {
  static const std::map<std::string, int64_t> kBytes = {
      {"pred", 1}, {"s8", 1},   {"u8", 1},       {"s16", 2},   {"u16", 2},
      {"f16", 2},  {"bf16", 2}, {"s32", 4},      {"u32", 4},   {"f32", 4},
      {"s64", 8},  {"u64", 8},  {"f64", 8},      {"c64", 8},   {"c128", 16},
      {"s4", 1},   {"u4", 1},   {"f8e4m3fn", 1}, {"f8e5m2", 1}};
  const auto found = kBytes.find(type);
  EXPECT_NE(found, kBytes.end()) << type;
  return found == kBytes.end() ? 0 : found->second;
}

struct Totals {
  int64_t arrays = 0;
  int64_t unpadded = 0;
  int64_t padded = 0;
};

// Adds the arrays of one result shape.
void Add(const std::string& shape, Totals* totals) {
  // type[dimensions]{minor_to_major:properties}
  static const std::regex kArray(
      R"(([a-z][a-z0-9]*)\[([^\]]*)\](\{([0-9,]*)(:([^}]*))?\})?)");
  static const std::regex kTile(R"(\(([0-9,]+)\))");
  for (std::sregex_iterator it(shape.begin(), shape.end(), kArray), end;
       it != end; ++it) {
    const std::smatch& match = *it;
    const std::string type = match[1];
    if (type == "token" || type == "opaque") continue;
    if (match[2].str().find('?') != std::string::npos) continue;
    const std::vector<int64_t> dimensions = Numbers(match[2]);
    std::vector<int64_t> order = Numbers(match[4]);
    if (order.empty()) {
      for (size_t i = dimensions.size(); i-- > 0;) order.push_back(i);
    }
    int64_t elements = 1;
    for (int64_t dimension : dimensions) elements *= dimension;
    // From the major-most physical dimension to the minor-most.
    std::vector<int64_t> physical;
    for (size_t i = order.size(); i-- > 0;) {
      physical.push_back(dimensions[order[i]]);
    }
    std::string properties = match[6];
    const size_t tiles = properties.find('T');
    if (tiles != std::string::npos) {
      // The tiles are all that stands between T and the next letter.
      std::string text = properties.substr(tiles + 1);
      text = text.substr(0, text.find_first_of("LSEMDP#"));
      for (std::sregex_iterator tile(text.begin(), text.end(), kTile);
           tile != end; ++tile) {
        const std::vector<int64_t> sizes = Numbers((*tile)[1]);
        while (physical.size() < sizes.size()) {
          physical.insert(physical.begin(), 1);
        }
        const size_t first = physical.size() - sizes.size();
        for (size_t i = 0; i < sizes.size(); ++i) {
          physical[first + i] = (physical[first + i] + sizes[i] - 1) / sizes[i];
        }
        physical.insert(physical.end(), sizes.begin(), sizes.end());
      }
    }
    int64_t positions = 1;
    for (int64_t size : physical) positions *= size;
    ++totals->arrays;
    totals->unpadded += elements * BytesOf(type);
    totals->padded += (elements == 0 ? 0 : positions) * BytesOf(type);
  }
}

TEST(IndependentTotals, AgreeOnEveryDump) {
  for (const char* file : kDumpFiles) {
    const std::string text = ReadDump(file);
    const absl::StatusOr<HloDump> dump = ParseHloView(text);
    ASSERT_TRUE(dump.ok());
    Totals totals;
    for (const HloInstruction instruction : dump->instructions()) {
      // One that is inferred stands nowhere.
      Add(instruction.is_shape_inferred()
              ? instruction.shape()->ToString()
              : std::string(instruction.shape_text()),
          &totals);
    }
    MemoryReportOptions options;
    options.counted = CountedArrays::kResults;
    const MemoryTotals total = ReportMemory(*dump, options).memory.total;
    EXPECT_EQ(total.arrays, totals.arrays) << file;
    EXPECT_EQ(total.unpadded_bytes, totals.unpadded) << file;
    EXPECT_EQ(total.padded_bytes, totals.padded) << file;
  }
}

}  // namespace
}  // namespace tessera
