// The parameters of compiled programs have the compiler's default layouts.

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"
#include "tessera/shape/tpu_layout.h"
#include "tessera/tests/hlo/truth_files.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(TpuParameters, HaveTheDefaultLayout) {
  int64_t arrays = 0;
  for (const TruthModule& truth : ReadTruthModules()) {
    if (truth.target[0] != 'v') continue;
    const absl::StatusOr<HloDump> dump = ParseHlo(truth.text);
    ASSERT_THAT(dump, IsOk()) << truth.name;
    for (const HloModule module : dump->modules()) {
      for (const HloInstruction instruction :
           module.entry_computation()->instructions()) {
        if (instruction.opcode() != "parameter") continue;
        ForEachLeafShape(*instruction.shape(), [&](const Shape& leaf,
                                                   ShapeIndexView) {
          if (!leaf.IsArray()) return;
          ++arrays;
          const int64_t space = leaf.layout().memory_space();
          EXPECT_EQ(DefaultTpuLayout(leaf)->WithMemorySpace(space),
                    leaf.layout())
              << truth.target << " " << truth.name << " " << leaf.ToString();
        });
      }
    }
  }
  EXPECT_GT(arrays, 50);
}

}  // namespace
}  // namespace tessera
