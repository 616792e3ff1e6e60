#include "tessera/layout/layout_proto.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kStar = Tile::kCombineDimension;

// A layout with every part that a layout of an array may have.
Layout FullLayout() {
  Layout::Parts parts;
  parts.minor_to_major = {2, 0, 1};
  parts.tiles = {Tile({2, kStar, 128}), Tile({2, 1})};
  parts.tail_padding_alignment_in_elements = 1024;
  parts.element_size_in_bits = 4;
  parts.memory_space = 200;
  parts.split_configs.resize(2);
  parts.split_configs[0].dimension = 1;
  parts.split_configs[0].split_indices = {3, 5, 8};
  parts.dynamic_shape_metadata_prefix_bytes = 64;
  return Layout(parts);
}

TEST(LayoutProto, RoundTrips) {
  Layout::Parts sparse;
  sparse.index_primitive_type = U32;
  sparse.pointer_primitive_type = U16;
  for (const Layout& layout : {Layout(), Layout({0}), Layout({0, 1, 2}),
                               FullLayout(), Layout(sparse)}) {
    SCOPED_TRACE(layout.ToString());
    EXPECT_EQ(*LayoutFromProto(LayoutToProto(layout), NoPhysicalShape), layout);
  }
}

TEST(LayoutProto, WritesFieldsAsXlaDoes) {
  const LayoutProto proto = LayoutToProto(FullLayout());
  EXPECT_EQ(proto.minor_to_major_size(), 3);
  EXPECT_EQ(proto.minor_to_major(1), 0);
  EXPECT_EQ(proto.tiles_size(), 2);
  EXPECT_EQ(proto.tiles(0).dimensions(1), kMin);
  EXPECT_EQ(proto.tail_padding_alignment_in_elements(), 1024);
  EXPECT_EQ(proto.element_size_in_bits(), 4);
  EXPECT_EQ(proto.memory_space(), 200);
  EXPECT_EQ(proto.split_configs_size(), 2);
  EXPECT_EQ(proto.split_configs(0).dimension(), 1);
  EXPECT_EQ(proto.split_configs(0).split_indices(2), 8);
  EXPECT_EQ(proto.dynamic_shape_metadata_prefix_bytes(), 64);
  EXPECT_FALSE(proto.has_physical_shape());
  // Written although it is the default.
  EXPECT_EQ(LayoutToProto(Layout()).tail_padding_alignment_in_elements(), 1);
}

TEST(LayoutProto, ReadsWhatOlderWritersWrote) {
  LayoutProto proto;
  proto.add_minor_to_major(0);
  proto.add_dim_level_types(xla_data_proto::DIM_COMPRESSED);
  proto.add_dim_unique(false);
  proto.add_dim_ordered(true);
  proto.add_tiles()->add_dimensions(-1);
  proto.mutable_tiles(0)->add_dimensions(2);
  EXPECT_EQ(LayoutFromProto(proto, NoPhysicalShape)->ToString(), "{0:T(*,2)}");
}

TEST(LayoutProto, Tiles) {
  for (const Tile& tile :
       {Tile({8, 128}), Tile({kStar, kStar, 2}), Tile({1})}) {
    EXPECT_EQ(*TileFromProto(TileToProto(tile)), tile);
  }
  EXPECT_EQ(TileFromProto(TileProto()).status(),
            absl::InvalidArgumentError("tiles[0] = () has no entries"));
  for (int64_t bad : {int64_t{0}, int64_t{-2}, kMin + 1}) {
    TileProto proto;
    proto.add_dimensions(bad);
    EXPECT_EQ(
        TileFromProto(proto).status(),
        absl::InvalidArgumentError("tiles[0][0] = " + std::to_string(bad) +
                                   " is neither positive nor '*'"));
  }
}

TEST(LayoutProto, RejectsWhatTheValidatorRejects) {
  struct Case {
    void (*change)(LayoutProto*);
    const char* message;
  };
  const Case kCases[] = {
      {[](LayoutProto* p) { p->add_minor_to_major(2); },
       "minor_to_major[1] = 2 is outside [0, 2)"},
      {[](LayoutProto* p) { p->add_tiles(); }, "tiles[0] = () has no entries"},
      {[](LayoutProto* p) { p->set_tail_padding_alignment_in_elements(-3); },
       "tail padding L(-3) is below 1"},
      {[](LayoutProto* p) { p->set_element_size_in_bits(-4); },
       "element size E(-4) is below 0"},
      {[](LayoutProto* p) { p->set_memory_space(-1); },
       "memory space S(-1) is below 0"},
      {[](LayoutProto* p) { p->set_dynamic_shape_metadata_prefix_bytes(-1); },
       "metadata prefix M(-1) is below 0"},
      {[](LayoutProto* p) { p->add_split_configs()->set_dimension(1); },
       "split_configs[0] cuts physical dimension 1, which is outside [0, 1)"},
      {[](LayoutProto* p) { p->set_index_primitive_type(xla_data_proto::F32); },
       "index type f32 is not unsigned integral"},
      {[](LayoutProto* p) {
         p->set_pointer_primitive_type(
             static_cast<xla_data_proto::PrimitiveType>(99));
       },
       "pointer type primitive_type_invalid is not unsigned integral"},
      {[](LayoutProto* p) { p->mutable_physical_shape(); },
       "a physical shape belongs to a sparse layout, and arrays are dense"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.message);
    LayoutProto proto;
    proto.add_minor_to_major(0);
    c.change(&proto);
    EXPECT_EQ(LayoutFromProto(proto, NoPhysicalShape).status(),
              absl::InvalidArgumentError(c.message));
  }
}

TEST(LayoutProto, TheCallerMakesPhysicalShapes) {
  class Numbered : public PhysicalShape {
   public:
    explicit Numbered(int64_t number) : number_(number) {}
    std::string ToString() const override { return std::to_string(number_); }
    ShapeProto ToProto() const override {
      ShapeProto proto;
      proto.add_dimensions(number_);
      return proto;
    }
    bool Equals(const PhysicalShape& other) const override {
      return other.ToString() == ToString();
    }

   private:
    int64_t number_;
  };
  Layout::Parts parts;
  parts.physical_shape = std::make_shared<Numbered>(42);
  const Layout layout(parts);
  const LayoutProto proto = LayoutToProto(layout);
  EXPECT_EQ(proto.physical_shape().dimensions(0), 42);
  EXPECT_EQ(*LayoutFromProto(
                proto,
                [](const ShapeProto& shape)
                    -> absl::StatusOr<std::shared_ptr<const PhysicalShape>> {
                  return std::make_shared<Numbered>(shape.dimensions(0));
                }),
            layout);
}

}  // namespace
}  // namespace tessera
