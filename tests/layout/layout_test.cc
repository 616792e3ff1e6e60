#include "tessera/layout/layout.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "proto/xla_data.pb.h"

namespace tessera {
namespace {

// Stands for the one implementation, which lives above this folder.
class NamedPhysicalShape : public PhysicalShape {
 public:
  explicit NamedPhysicalShape(std::string name) : name_(std::move(name)) {}
  std::string ToString() const override { return name_; }
  ShapeProto ToProto() const override { return ShapeProto(); }
  bool Equals(const PhysicalShape& other) const override {
    return other.ToString() == name_;
  }

 private:
  std::string name_;
};

SplitConfig Split(int64_t dimension,
                  absl::InlinedVector<int64_t, 2> split_indices) {
  SplitConfig split;
  split.dimension = dimension;
  split.split_indices = std::move(split_indices);
  return split;
}

// A change to one part, what of the layout {1,0} it prints, and the option of
// Equal that overlooks it.
struct PartCase {
  const char* text;
  std::function<void(Layout::Parts*)> change;
  Layout::Equal& (Layout::Equal::*ignore)();
};

const std::vector<PartCase>& PartCases() {
  using Parts = Layout::Parts;
  using Equal = Layout::Equal;
  static const auto* const kCases = new std::vector<PartCase>{
      {"{1,0:T(8,128)(2,1)}",
       [](Parts* p) {
         p->tiles = {Tile({8, 128}), Tile({2, 1})};
       },
       &Equal::IgnoreTiles},
      {"{1,0:L(1024)}",
       [](Parts* p) { p->tail_padding_alignment_in_elements = 1024; },
       &Equal::IgnoreTailPaddingAlignmentInElements},
      {"{1,0:#(u32)}", [](Parts* p) { p->index_primitive_type = U32; },
       &Equal::IgnoreIndexPrimitiveType},
      {"{1,0:*(u16)}", [](Parts* p) { p->pointer_primitive_type = U16; },
       &Equal::IgnorePointerPrimitiveType},
      {"{1,0:E(4)}", [](Parts* p) { p->element_size_in_bits = 4; },
       &Equal::IgnoreElementSize},
      {"{1,0:S(200)}", [](Parts* p) { p->memory_space = 200; },
       &Equal::IgnoreMemorySpace},
      {"{1,0:SC(0:30)(1:40,130)}",
       [](Parts* p) {
         p->split_configs = {Split(0, {30}), Split(1, {40, 130})};
       },
       &Equal::IgnoreSplitConfigs},
      {"{1,0:P(f32[8]{0})}",
       [](Parts* p) {
         p->physical_shape = std::make_shared<NamedPhysicalShape>("f32[8]{0}");
       },
       &Equal::IgnorePhysicalShape},
      {"{1,0:M(1024)}",
       [](Parts* p) { p->dynamic_shape_metadata_prefix_bytes = 1024; },
       &Equal::IgnoreDynamicShapeMetadataPrefix},
  };
  return *kCases;
}

Layout WithChanges(const std::vector<PartCase>& changes) {
  Layout::Parts parts;
  parts.minor_to_major = {1, 0};
  for (const PartCase& c : changes) c.change(&parts);
  return Layout(parts);
}

TEST(Layout, PrintsEachPartAndLeavesDefaultsOut) {
  EXPECT_EQ(Layout().ToString(), "{}");
  EXPECT_EQ(Layout({0}).ToString(), "{0}");
  EXPECT_EQ(Layout({3, 2, 1, 0}).ToString(), "{3,2,1,0}");
  for (const PartCase& c : PartCases()) {
    EXPECT_EQ(WithChanges({c}).ToString(), c.text);
  }
}

TEST(Layout, PrintsPartsInXlasOrder) {
  EXPECT_EQ(WithChanges(PartCases()).ToString(),
            "{1,0:T(8,128)(2,1)L(1024)#(u32)*(u16)E(4)S(200)SC(0:30)(1:40,130)"
            "P(f32[8]{0})M(1024)}");
}

TEST(Layout, PrintsWhatNoRuleAllows) {
  Layout::Parts parts;
  parts.tiles = {Tile({128})};
  EXPECT_EQ(Layout(parts).ToString(), "{:T(128)}");
  parts = {};
  parts.minor_to_major = {5, -7};
  parts.tiles = {Tile(), Tile({Tile::kCombineDimension})};
  parts.tail_padding_alignment_in_elements = 0;
  parts.index_primitive_type = F32;
  parts.pointer_primitive_type = TUPLE;
  parts.element_size_in_bits = -4;
  parts.memory_space = -1;
  parts.split_configs = {Split(-3, {})};
  parts.dynamic_shape_metadata_prefix_bytes = -5;
  EXPECT_EQ(Layout(parts).ToString(),
            "{5,-7:T()(*)L(0)#(invalid)*(invalid)E(-4)S(-1)SC(-3:)}");
}

TEST(Layout, AppendToKeepsWhatStandsThere) {
  std::string out = "f32[2]";
  Layout({0}).AppendTo(&out);
  EXPECT_EQ(out, "f32[2]{0}");
}

TEST(Layout, WithReplacesOnePart) {
  const Layout layout = WithChanges(PartCases());
  EXPECT_EQ(layout.WithMinorToMajor({0, 1}), Layout([&] {
              Layout::Parts parts = layout.parts();
              parts.minor_to_major = {0, 1};
              return parts;
            }()));
  const Layout plain({1, 0});
  EXPECT_EQ(plain.WithTiles({Tile({2, 2})}).ToString(), "{1,0:T(2,2)}");
  EXPECT_EQ(plain.WithElementSizeInBits(4).ToString(), "{1,0:E(4)}");
  EXPECT_EQ(plain.WithMemorySpace(5).ToString(), "{1,0:S(5)}");
  EXPECT_EQ(plain.ToString(), "{1,0}");
}

TEST(Layout, EqualityComparesEveryPartUnlessToldNotTo) {
  const Layout plain({1, 0});
  for (const PartCase& changed : PartCases()) {
    SCOPED_TRACE(changed.text);
    const Layout other = WithChanges({changed});
    EXPECT_EQ(other, WithChanges({changed}));
    EXPECT_NE(plain, other);
    EXPECT_TRUE(Layout::Equal().MinorToMajorOnly()(plain, other));
    for (const PartCase& ignored : PartCases()) {
      EXPECT_EQ((Layout::Equal().*ignored.ignore)()(plain, other),
                ignored.text == changed.text)
          << ignored.text;
    }
  }
  EXPECT_FALSE(Layout::Equal().MinorToMajorOnly()(plain, Layout({0, 1})));
}

TEST(Layout, PhysicalShapesAreComparedByValue) {
  Layout::Parts a;
  Layout::Parts b;
  a.physical_shape = std::make_shared<NamedPhysicalShape>("f32[8]");
  b.physical_shape = std::make_shared<NamedPhysicalShape>("f32[8]");
  EXPECT_EQ(Layout(a), Layout(b));
  b.physical_shape = std::make_shared<NamedPhysicalShape>("f32[9]");
  EXPECT_NE(Layout(a), Layout(b));
}

TEST(Layout, HashAgreesWithEquality) {
  std::vector<Layout> layouts = {Layout(), Layout({0}), Layout({0, 1}),
                                 WithChanges(PartCases())};
  for (const PartCase& c : PartCases()) {
    layouts.push_back(WithChanges({c}));
    layouts.push_back(WithChanges({c}));
  }
  // A physical shape is compared but not hashed; the layout {1,0} would hash
  // like the one that has it, which the verifier takes for a mistake.
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(layouts));
}

}  // namespace
}  // namespace tessera
