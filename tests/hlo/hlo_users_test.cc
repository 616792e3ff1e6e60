#include "tessera/hlo/hlo_users.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> UsersOf(HloComputation computation, int64_t i) {
  std::vector<std::string> names;
  const HloUsers users(computation);
  for (const HloInstruction user : users.Of(computation.instructions()[i])) {
    names.emplace_back(user.name());
  }
  return names;
}

TEST(HloUsers, EachOnceInTheOrderOfTheText) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(HloModule m
      other { x = f32[8]{0} parameter(0)
              ROOT w = f32[8]{0} negate(x) }
      ENTRY e {
        x = f32[8]{0} parameter(0)
        y = f32[8]{0} negate(x)
        z = f32[8]{0} add(x, x)
        v = f32[8]{0} add(z, f32[8]{0} negate(x))
        ROOT t = (f32[8]{0}, f32[8]{0}) tuple(y, missing) })");
  ASSERT_TRUE(dump.ok());
  const HloComputation entry = *dump->modules()[0].entry_computation();
  EXPECT_THAT(UsersOf(entry, 0), ElementsAre("y", "z", "v"));
  EXPECT_THAT(UsersOf(entry, 1), ElementsAre("t"));
  EXPECT_THAT(UsersOf(entry, 2), ElementsAre("v"));
  EXPECT_THAT(UsersOf(entry, 4), IsEmpty());
  EXPECT_THAT(UsersOf(dump->modules()[0].computations()[0], 0),
              ElementsAre("w"));
}

}  // namespace
}  // namespace tessera
