#include "tessera/hlo/model/chunked_vector.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/model/name_hash.h"

namespace tessera {
namespace {

TEST(ChunkedVector, KeepsElementsWhereTheyAre) {
  ChunkedVector<int> numbers;
  EXPECT_TRUE(numbers.empty());
  numbers.push_back(7);
  const int* const first = &numbers[0];
  for (int i = 1; i < 10000; ++i) numbers.push_back(7 * i);
  EXPECT_EQ(&numbers[0], first);
  EXPECT_EQ(numbers.size(), 10000);
  for (int i = 1; i < 10000; ++i) ASSERT_EQ(numbers[i], 7 * i);
}

TEST(NameHash, EveryByteCounts) {
  const NameHash hash;
  EXPECT_EQ(hash("fusion.12"), hash(std::string("fusion.12")));
  std::set<size_t> hashes;
  int count = 0;
  for (size_t size = 0; size < 40; ++size) {
    const std::string name(size, 'a');
    hashes.insert(hash(name));
    ++count;
    for (size_t i = 0; i < size; ++i) {
      std::string other = name;
      other[i] = 'b';
      hashes.insert(hash(other));
      ++count;
    }
  }
  EXPECT_EQ(hashes.size(), count);
}

}  // namespace
}  // namespace tessera
