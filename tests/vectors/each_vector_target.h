// Code that Highway dispatches, run as every processor would run it that this
// one can stand in for.
//
//   ForEachVectorTarget([] { EXPECT_EQ(SumOf({1, 2, 3}), 6); });

#ifndef TESSERA_TESTS_VECTORS_EACH_VECTOR_TARGET_H_
#define TESSERA_TESTS_VECTORS_EACH_VECTOR_TARGET_H_

#include <cstdint>

#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace tessera {

// Calls `body` once for each kind of vectors. Not from several threads at once.
template <typename Body>
void ForEachVectorTarget(const Body& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    body();
  }
  hwy::GetChosenTarget().DeInit();
}

}  // namespace tessera

#endif  // TESSERA_TESTS_VECTORS_EACH_VECTOR_TARGET_H_
