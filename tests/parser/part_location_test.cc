#include "tessera/parser/internal/part_location.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "tessera/layout/violation.h"
#include "tessera/parser/internal/annotation.h"

namespace tessera {
namespace {

using parser_internal::AnnotationPart;
using parser_internal::PartLocation;

TEST(Annotation, Example) {
  EXPECT_EQ(AnnotationPart("SC"), ShapePart::kSplitConfig);
}

TEST(Annotation, EveryNameAndNoOther) {
  EXPECT_EQ(AnnotationPart("T"), ShapePart::kTile);
  EXPECT_EQ(AnnotationPart("L"), ShapePart::kTailPadding);
  EXPECT_EQ(AnnotationPart("#"), ShapePart::kIndexType);
  EXPECT_EQ(AnnotationPart("*"), ShapePart::kPointerType);
  EXPECT_EQ(AnnotationPart("E"), ShapePart::kElementSize);
  EXPECT_EQ(AnnotationPart("S"), ShapePart::kMemorySpace);
  EXPECT_EQ(AnnotationPart("P"), ShapePart::kPhysicalShape);
  EXPECT_EQ(AnnotationPart("M"), ShapePart::kMetadataPrefix);
  EXPECT_EQ(AnnotationPart("D"), ShapePart::kWhole);
  for (const std::string_view name : {"", "t", "C", "TT", "CS", "SCS", "X"}) {
    EXPECT_EQ(AnnotationPart(name), ShapePart::kLayout) << name;
  }
}

Violation At(ShapePart part, int64_t i = -1, int64_t j = -1) {
  Violation violation;
  violation.part = part;
  violation.i = i;
  violation.j = j;
  return violation;
}

TEST(PartLocation, Example) {
  Violation violation;
  violation.part = ShapePart::kMinorToMajor;
  violation.i = 1;
  EXPECT_EQ(PartLocation("f32[2,3]{0,0}", violation), 11);
}

TEST(PartLocation, FindsEveryPart) {
  constexpr std::string_view kText =
      "f32 [<=12,/*,*/?,3] { 2, 1,0 :T(8, 128)(*,*,1)L(2)#(u8)*(u16)E(4)S(5)"
      "SC(0:1,2) (1:)P((f32[1]{0:T(2)}, s32[]))M(6)}";
  struct Case {
    Violation part;
    std::string_view want;  // the text from there on
  };
  for (const Case& c : {
           Case{At(ShapePart::kWhole), "f32 ["},
           Case{At(ShapePart::kElementType), "f32 ["},
           Case{At(ShapePart::kDimension, 0), "<=12"},
           Case{At(ShapePart::kDimension, 1), "?,3]"},
           Case{At(ShapePart::kDimension, 2), "3] {"},
           Case{At(ShapePart::kLayout), "{ 2"},
           Case{At(ShapePart::kMinorToMajor), "2, 1"},
           Case{At(ShapePart::kMinorToMajor, 0), "2, 1"},
           Case{At(ShapePart::kMinorToMajor, 1), "1,0 :"},
           Case{At(ShapePart::kMinorToMajor, 2), "0 :T"},
           Case{At(ShapePart::kTile, 0), "(8, 128)"},
           Case{At(ShapePart::kTile, 0, 0), "8, 128"},
           Case{At(ShapePart::kTile, 0, 1), "128)"},
           Case{At(ShapePart::kTile, 1), "(*,*,1)"},
           Case{At(ShapePart::kTile, 1, 1), "*,1)L"},
           Case{At(ShapePart::kTile, 1, 2), "1)L"},
           Case{At(ShapePart::kTailPadding), "2)#"},
           Case{At(ShapePart::kIndexType), "u8)*"},
           Case{At(ShapePart::kPointerType), "u16)E"},
           Case{At(ShapePart::kElementSize), "4)S"},
           Case{At(ShapePart::kMemorySpace), "5)SC"},
           Case{At(ShapePart::kSplitConfig, 0), "0:1"},
           Case{At(ShapePart::kSplitConfig, 0, 0), "1,2)"},
           Case{At(ShapePart::kSplitConfig, 0, 1), "2) (1"},
           Case{At(ShapePart::kSplitConfig, 1), "1:)"},
           Case{At(ShapePart::kPhysicalShape), "(f32[1]"},
           Case{At(ShapePart::kMetadataPrefix), "6)}"},
       }) {
    const int64_t location = PartLocation(kText, c.part);
    EXPECT_EQ(kText.substr(location, c.want.size()), c.want)
        << static_cast<int>(c.part.part);
  }
}

TEST(PartLocation, InLayoutsAndTilesByThemselves) {
  EXPECT_EQ(PartLocation("{1,0:D(C+~,S)T(2)}", At(ShapePart::kTile, 0, 0)), 15);
  EXPECT_EQ(PartLocation("<0:S(1)>", At(ShapePart::kMemorySpace)), 5);
  EXPECT_EQ(PartLocation("( *,2)", At(ShapePart::kTile, 0, 1)), 4);
  // What stands in the place of an entry that is not there.
  EXPECT_EQ(PartLocation("f32[8]{:T(2)}", At(ShapePart::kMinorToMajor)), 7);
}

TEST(PartLocation, WhatTheTextDoesNotMentionIsAtItsStart) {
  EXPECT_EQ(PartLocation("f32[8]", At(ShapePart::kLayout)), 0);
  EXPECT_EQ(PartLocation("f32[8]{0}", At(ShapePart::kMemorySpace)), 0);
  EXPECT_EQ(PartLocation("f32[8]{0:T(2)}", At(ShapePart::kTile, 0, 3)), 0);
}

TEST(PartLocation, EndsOnAnyText) {
  for (const std::string_view text : {"", "f32", "f32[", "{", "{0:T(", "{0:SC(",
                                      "{0:P((", "{0:T", "(8", ")", "[]]]{"}) {
    EXPECT_EQ(PartLocation(text, At(ShapePart::kMetadataPrefix)), 0) << text;
  }
}

}  // namespace
}  // namespace tessera
