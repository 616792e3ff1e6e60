#include "tessera/layout/layout_utilities.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(LayoutUtilities, Making) {
  EXPECT_EQ(GetDefaultLayoutForRank(0), Layout());
  EXPECT_EQ(GetDefaultLayoutForRank(1), Layout({0}));
  EXPECT_EQ(MakeAscendingLayout(0), Layout());
  EXPECT_EQ(MakeAscendingLayout(3), Layout({0, 1, 2}));
  EXPECT_EQ(MakeLayoutFromMajorToMinor({}), Layout());
}

TEST(LayoutUtilities, Monotonic) {
  struct Case {
    Layout layout;
    bool dim0_major;
    bool dim0_minor;
  };
  for (const Case& c :
       {Case{Layout(), true, true}, Case{Layout({0}), true, true},
        Case{Layout({1, 0}), true, false}, Case{Layout({0, 1}), false, true},
        Case{Layout({1, 0, 2}), false, false},
        Case{Layout({2, 1, 0}).WithTiles({Tile({2, 2})}), true, false}}) {
    SCOPED_TRACE(c.layout.ToString());
    EXPECT_EQ(IsMonotonicWithDim0Major(c.layout), c.dim0_major);
    EXPECT_EQ(IsMonotonicWithDim0Minor(c.layout), c.dim0_minor);
  }
}

TEST(LayoutUtilities, MajorAndMinorAndTheirInverse) {
  const Layout layout({2, 0, 3, 1});
  const std::vector<int64_t> major = {1, 3, 0, 2};
  const Layout::MinorToMajor physical = *MakeLogicalToPhysical(layout);
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(*Major(layout, i), major[i]);
    EXPECT_EQ(*Minor(layout, i), major[3 - i]);
    EXPECT_EQ(physical[major[i]], i);
  }
  for (int64_t bad : {-1, 4}) {
    const absl::Status error = absl::InvalidArgumentError(
        "there is no dimension " + std::to_string(bad) + " in {2,0,3,1}");
    EXPECT_EQ(Major(layout, bad).status(), error);
    EXPECT_EQ(Minor(layout, bad).status(), error);
  }
  for (const Layout& bad : {Layout({0, 0}), Layout({0, 2}), Layout({-1, 0})}) {
    EXPECT_EQ(MakeLogicalToPhysical(bad).status(),
              absl::InvalidArgumentError("minor_to_major of " + bad.ToString() +
                                         " is not a permutation"));
  }
}

TEST(LayoutUtilities, AreDimensionsConsecutive) {
  const Layout layout({2, 0, 3, 1});
  struct Case {
    std::vector<int64_t> dimensions;
    bool want;
  };
  for (const Case& c :
       {Case{{}, true}, Case{{3}, true}, Case{{2, 0}, true}, Case{{0, 2}, true},
        Case{{1, 0, 3}, true}, Case{{2, 3}, false}, Case{{1, 2, 0}, false},
        Case{{0, 1, 2, 3}, true}, Case{{0, 0}, false}}) {
    EXPECT_EQ(*AreDimensionsConsecutive(layout, c.dimensions), c.want)
        << ::testing::PrintToString(c.dimensions);
  }
  EXPECT_EQ(AreDimensionsConsecutive(layout, {0, 4}).status(),
            absl::InvalidArgumentError("there is no dimension 4 in {2,0,3,1}"));
}

// {3,2,1,0:T(8,128)L(2)E(4)S(1)SC(0:3)(2:1,2)(3:7)M(8)}
Layout Annotated() {
  Layout::Parts parts;
  parts.minor_to_major = {3, 2, 1, 0};
  parts.tiles = {Tile({8, 128})};
  parts.tail_padding_alignment_in_elements = 2;
  parts.element_size_in_bits = 4;
  parts.memory_space = 1;
  parts.split_configs.resize(3);
  parts.split_configs[0].split_indices = {3};
  parts.split_configs[1].dimension = 2;
  parts.split_configs[1].split_indices = {1, 2};
  parts.split_configs[2].dimension = 3;
  parts.split_configs[2].split_indices = {7};
  parts.dynamic_shape_metadata_prefix_bytes = 8;
  return Layout(parts);
}

TEST(LayoutUtilities, MovingADimension) {
  const std::string rest = ":T(8,128)L(2)E(4)S(1)SC(0:3)(2:1,2)(3:7)M(8)}";
  struct Case {
    int64_t dimension;
    const char* to_major;
    const char* to_minor;
  };
  for (const Case& c :
       {Case{0, "{3,2,1,0", "{0,3,2,1"}, Case{1, "{3,2,0,1", "{1,3,2,0"},
        Case{3, "{2,1,0,3", "{3,2,1,0"}}) {
    EXPECT_EQ(MoveDimToMajor(Annotated(), c.dimension)->ToString(),
              c.to_major + rest);
    EXPECT_EQ(MoveDimToMinor(Annotated(), c.dimension)->ToString(),
              c.to_minor + rest);
  }
  const absl::Status error =
      absl::InvalidArgumentError("there is no dimension 2 in {0,1}");
  EXPECT_EQ(MoveDimToMajor(Layout({0, 1}), 2).status(), error);
  EXPECT_EQ(MoveDimToMinor(Layout({0, 1}), 2).status(), error);
}

TEST(LayoutUtilities, DeletingADimension) {
  struct Case {
    int64_t dimension;
    const char* want;
  };
  for (const Case& c : {
           // Logical and physical numbers are the same here.
           Case{0, "{2,1,0:T(8,128)L(2)E(4)S(1)SC(1:1,2)(2:7)M(8)}"},
           Case{1, "{2,1,0:T(8,128)L(2)E(4)S(1)SC(0:3)(1:1,2)(2:7)M(8)}"},
           Case{2, "{2,1,0:T(8,128)L(2)E(4)S(1)SC(0:3)(2:7)M(8)}"},
           Case{3, "{2,1,0:T(8,128)L(2)E(4)S(1)SC(0:3)(2:1,2)M(8)}"},
       }) {
    EXPECT_EQ(DeleteDimension(Annotated(), c.dimension)->ToString(), c.want);
  }
  // And opposite here: logical dimension 0 is physical dimension 3.
  EXPECT_EQ(DeleteDimension(Annotated().WithMinorToMajor({0, 1, 2, 3}), 0)
                ->ToString(),
            "{0,1,2:T(8,128)L(2)E(4)S(1)SC(0:3)(2:1,2)M(8)}");
  EXPECT_EQ(DeleteDimension(Layout(), 0).status(),
            absl::InvalidArgumentError("there is no dimension 0 in {}"));
}

TEST(LayoutUtilities, DeviceLayoutToHostLayout) {
  EXPECT_EQ(DeviceLayoutToHostLayout(Annotated()).ToString(),
            "{3,2,1,0:SC(0:3)(2:1,2)(3:7)}");
  EXPECT_EQ(DeviceLayoutToHostLayout(Layout({1, 0})), Layout({1, 0}));
}

}  // namespace
}  // namespace tessera
