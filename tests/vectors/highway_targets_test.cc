// The kinds of vectors that the command uses, beside what Highway's own library
// says of this processor.

#include <dlfcn.h>

#include <cstdint>

#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace tessera {
namespace {

TEST(HighwayTargets, AreThoseOfHighway) {
  void* const library = dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto supported_targets = reinterpret_cast<int64_t (*)()>(
      dlsym(library, "_ZN3hwy16SupportedTargetsEv"));
  ASSERT_NE(supported_targets, nullptr) << dlerror();
  ASSERT_NE(supported_targets, &hwy::SupportedTargets);
  EXPECT_EQ(hwy::SupportedTargets() & HWY_TARGETS,
            supported_targets() & HWY_TARGETS);
}

}  // namespace
}  // namespace tessera
