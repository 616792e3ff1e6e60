// Checks that XLA would read the shapes in a dump and in the headers of its
// computations.
//
//   HloObjections objections(10);
//   ShapeJudge judge(&objections);
//   judge.ResultOfProgram("(x: f32[2], y s32[]) -> f32[2]")->ToString();
//       // "f32[2]{0}"
//   judge.ResultOfProgram("(%x: f32[2]) -> F32[2]");   // nullptr
//   objections.Take()[0].message;
//       // "the name of a parameter has '%' and ':'; XLA reads one"

#ifndef TESSERA_HLO_STRICT_SHAPE_JUDGE_H_
#define TESSERA_HLO_STRICT_SHAPE_JUDGE_H_

#include <string_view>

#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/strict/hlo_objection.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {

class ShapeJudge {
 public:
  // `objections` and all texts must outlive the judge.
  explicit ShapeJudge(HloObjections* objections) : objections_(*objections) {}

  // Objects to the spelling of a shape that XLA would not read: `F32[2]`, or
  // `f32[8]{0:S(1)T(8)}`, whose annotations are in another order. Precondition:
  // ParseShape reads it with the lenient option.
  void CheckSpelling(std::string_view shape);

  // Returns the shape that is the whole `text`, valid as long as the judge. If
  // anything is wrong, objects to it and returns nullptr. A dump has few
  // distinct shapes, and each text is read once.
  const Shape* Read(std::string_view text);

  // Like Read, for the result of `(x: f32[2], y s32[]) -> f32[2]`.
  const Shape* ResultOfProgram(std::string_view program_shape);

 private:
  const Shape* ReadNext(const HloScanner& scanner, const char** p);

  HloObjections& objections_;
  HloShapeTable shapes_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_SHAPE_JUDGE_H_
