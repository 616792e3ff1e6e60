// Whatever happens to a proto on its way, it is read to the end, and no mistake
// of it becomes one of the text.

#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/fuzz/hlo_proto.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

constexpr int kMutations = 20000;
constexpr int kShares = 4;

// One to four bytes changed, put in or cut out, or the end cut off.
void Damage(std::mt19937* random, std::string* bytes) {
  const auto below = [random](size_t n) { return (*random)() % n; };
  for (size_t i = 0; i < 1 + below(4) && !bytes->empty(); ++i) {
    const size_t at = below(bytes->size());
    switch (below(6)) {
      case 0:
        bytes->erase(at, 1 + below(8));
        break;
      case 1:
        bytes->insert(at, 1 + below(8), static_cast<char>(below(256)));
        break;
      case 2:
        if (below(10) == 0) bytes->resize(at);
        break;
      case 3:
        // Ids and lengths are small numbers.
        (*bytes)[at] = static_cast<char>(below(8));
        break;
      default:
        (*bytes)[at] = static_cast<char>(below(256));
    }
  }
}

class ProtoMutations : public ::testing::TestWithParam<int> {};

TEST_P(ProtoMutations, AreReadToTheEnd) {
  std::vector<std::string> protos;
  for (const ProtoFile& file : ReadProtoFiles()) {
    constexpr size_t kShort = 4096;
    if (file.bytes.size() < kShort) protos.push_back(file.bytes);
  }
  ASSERT_GT(protos.size(), 10u);
  for (int i = GetParam(); i < kMutations; i += kShares) {
    std::mt19937 random(i);
    std::string bytes = protos[i % protos.size()];
    Damage(&random, &bytes);
    ASSERT_EQ(HloProtoProblem(bytes), "") << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, ProtoMutations, ::testing::Range(0, kShares));

}  // namespace
}  // namespace tessera
