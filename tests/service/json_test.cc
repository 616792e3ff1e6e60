#include "tessera/service/json.h"

#include <limits>
#include <string>

#include "google/protobuf/arena.h"
#include "gtest/gtest.h"
#include "proto/xla_data.pb.h"

namespace tessera {
namespace {

TEST(Json, Example) {
  ShapeProto proto;
  proto.set_element_type(F32);
  proto.add_dimensions(2);
  proto.add_dimensions(3);
  proto.mutable_layout()->add_minor_to_major(1);
  proto.mutable_layout()->add_minor_to_major(0);
  EXPECT_EQ(
      ProtoToJson(proto),
      R"({"element_type":"F32","dimensions":[2,3],"layout":{"minor_to_major":[1,0]}})");
}

TEST(Json, EveryKindOfField) {
  ShapeProto proto;
  proto.add_dimensions(std::numeric_limits<int64_t>::min());
  proto.add_is_dynamic_dimension(true);
  proto.add_is_dynamic_dimension(false);
  proto.add_tuple_shapes();
  proto.add_tuple_shapes()->set_element_type(TOKEN);
  proto.mutable_layout()->add_dim_level_types(DIM_DENSE);
  proto.mutable_layout()->add_dim_level_types(DIM_SINGLETON);
  proto.mutable_layout()->set_memory_space(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ProtoToJson(proto),
            R"({"dimensions":[-9223372036854775808],)"
            R"("tuple_shapes":[{},{"element_type":"TOKEN"}],)"
            R"("layout":{"memory_space":9223372036854775807,)"
            R"("dim_level_types":["DIM_DENSE","DIM_SINGLETON"]},)"
            R"("is_dynamic_dimension":[true,false]})");
}

TEST(Json, NothingIsAnEmptyObject) {
  EXPECT_EQ(ProtoToJson(ShapeProto()), "{}");
}

TEST(Json, DeepNesting) {
  google::protobuf::Arena arena;
  auto* proto = google::protobuf::Arena::CreateMessage<ShapeProto>(&arena);
  constexpr int kDepth = 100000;
  ShapeProto* innermost = proto;
  for (int i = 0; i < kDepth; ++i) innermost = innermost->add_tuple_shapes();
  std::string want;
  for (int i = 0; i < kDepth; ++i) want += "{\"tuple_shapes\":[";
  want += "{}";
  for (int i = 0; i < kDepth; ++i) want += "]}";
  EXPECT_EQ(ProtoToJson(*proto), want);
}

}  // namespace
}  // namespace tessera
