#include "tessera/hlo/attributes/scoped_memory.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

using Entry = std::tuple<int64_t, int64_t, int64_t>;

std::vector<Entry> EntriesOf(const ScopedMemories& memories) {
  std::vector<Entry> entries;
  for (const ScopedMemory& memory : memories) {
    entries.emplace_back(memory.memory_space, memory.offset, memory.bytes);
  }
  return entries;
}

TEST(ScopedMemory, ListsAreToldApart) {
  constexpr std::string_view kText =
      R"(kind=kLoop, calls=%f, backend_config={"aliasing_operands":{"lists":[]},)"
      R"("scoped_memory_configs":[{"memory_space":"1","offset":"4096",)"
      R"("size":"25165824"}],"used_scoped_memory_configs":[)"
      R"({"memory_space":"1","offset":"0","size":"2097152"},)"
      R"({"memory_space":"2","offset":"8","size":"4"}]})";
  EXPECT_THAT(EntriesOf(ReservedScopedMemory(kText)),
              ElementsAre(Entry(1, 4096, 25165824)));
  EXPECT_THAT(EntriesOf(UsedScopedMemory(kText)),
              ElementsAre(Entry(1, 0, 2097152), Entry(2, 8, 4)));
}

TEST(ScopedMemory, EntriesThatSayLessAreLeftOut) {
  struct Case {
    std::string_view list;
    std::vector<Entry> want;
  };
  const Case kCases[] = {
      {"[]", {}},
      {R"([{"size":"7","memory_space":"1","offset":"0"}])", {{1, 0, 7}}},
      {R"([{"memory_space":1,"offset":0,"size":7}])", {{1, 0, 7}}},
      {R"([{"memory_space":"1","offset":"0","size":"7","more":"x"}])",
       {{1, 0, 7}}},
      // No size, a size that is none, and one past int64_t.
      {R"([{"memory_space":"1","offset":"0"}])", {}},
      {R"([{"memory_space":"1","offset":"0","size":"-7"}])", {}},
      {R"([{"memory_space":"1","offset":"0","size":"x"}])", {}},
      {R"([{"memory_space":"1","offset":"0","size":"9223372036854775808"}])",
       {}},
      // The others of a list stay.
      {R"([{"size":"x"},{"memory_space":"1","offset":"0","size":"9"}])",
       {{1, 0, 9}}},
      // A text that breaks off.
      {R"([{"memory_space":"1","offset":"0","size":"7")", {}},
      {R"([{"memory_space":"1","offset":"0","size":"7"},)", {{1, 0, 7}}},
  };
  for (const Case& c : kCases) {
    const std::string used = absl::StrCat(
        "backend_config={\"used_scoped_memory_configs\":", AbslView(c.list));
    EXPECT_THAT(EntriesOf(UsedScopedMemory(used)), ElementsAreArray(c.want))
        << c.list;
    EXPECT_THAT(EntriesOf(ReservedScopedMemory(used)), IsEmpty()) << c.list;
  }
  EXPECT_THAT(EntriesOf(UsedScopedMemory("")), IsEmpty());
}

}  // namespace
}  // namespace tessera
