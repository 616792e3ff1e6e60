#include "tessera/hlo/attributes/replica_groups.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/values.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Integers = std::vector<int64_t>;

std::vector<Integers> AllGroups(const ReplicaGroups& groups) {
  std::vector<Integers> all;
  for (int64_t i = 0; i < groups.num_groups(); ++i) {
    all.push_back(*groups.Group(i));
  }
  return all;
}

TEST(ReplicaGroups, Good) {
  using Form = ReplicaGroups::Form;
  struct Case {
    std::string_view value;
    Form form;
    std::vector<Integers> groups;
  };
  const Case kCases[] = {
      {"{}", Form::kLists, {}},
      {"{{0,1},{2,3}}", Form::kLists, {{0, 1}, {2, 3}}},
      {"{{0, 2, 4}, /*x*/ {1}, {}}", Form::kLists, {{0, 2, 4}, {1}, {}}},
      {"{{}, {5}}", Form::kLists, {{}, {5}}},
      {"[2,4]<=[8]", Form::kIota, {{0, 1, 2, 3}, {4, 5, 6, 7}}},
      {"[1,1]<=[1]", Form::kIota, {{0}}},
      {"[2,3] <= [3,2] T(1, 0)", Form::kIota, {{0, 2, 4}, {1, 3, 5}}},
      {"[3,2]<=[3,2]T(0,1)", Form::kIota, {{0, 1}, {2, 3}, {4, 5}}},
      {"[3,10]<=[6,5]T(1,0)",
       Form::kIota,
       {{0, 5, 10, 15, 20, 25, 1, 6, 11, 16},
        {21, 26, 2, 7, 12, 17, 22, 27, 3, 8},
        {13, 18, 23, 28, 4, 9, 14, 19, 24, 29}}},
      {"[2,4]<=[2,1,2,2]T(3,1,0,2)", Form::kIota, {{0, 2, 4, 6}, {1, 3, 5, 7}}},
      {"mesh['a'=2,'b'=4] {'a'}",
       Form::kMesh,
       {{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
      {"mesh[a=2,b=4] {b}", Form::kMesh, {{0, 1, 2, 3}, {4, 5, 6, 7}}},
      {"mesh['a'=2,'b'=2] {'b','a'}", Form::kMesh, {{0, 2, 1, 3}}},
      {"mesh['a'=2,'b'=2] {}", Form::kMesh, {{0}, {1}, {2}, {3}}},
      {"mesh['a'=8] {'a':(1)2}", Form::kMesh, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
      {"mesh['a'=8] {'a':(2)2}", Form::kMesh, {{0, 2}, {1, 3}, {4, 6}, {5, 7}}},
      {"mesh['a'=8] {'a':(4)2,'a':(1)2}",
       Form::kMesh,
       {{0, 4, 1, 5}, {2, 6, 3, 7}}},
      {"mesh['a'=2,'b'=2], device_ids=(3,1,0,2) {'a'}",
       Form::kMesh,
       {{3, 0}, {1, 2}}},
      {"mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'a'}",
       Form::kMesh,
       {{0, 1}, {2, 3}}},
      {"mesh['a'=1] {'a'}", Form::kMesh, {{0}}},
      {"maximal_mesh[device_id=3]", Form::kMesh, {{3}}},
      {"maximal_mesh[device_id=3] {}", Form::kMesh, {{3}}},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(c.value);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(groups->form(), c.form) << c.value;
    EXPECT_EQ(groups->num_groups(), c.groups.size()) << c.value;
    EXPECT_EQ(AllGroups(*groups), c.groups) << c.value;
    int64_t devices = 0;
    std::optional<int64_t> size;
    if (!c.groups.empty()) size = c.groups[0].size();
    for (const Integers& group : c.groups) {
      devices += group.size();
      if (size != static_cast<int64_t>(group.size())) size = std::nullopt;
    }
    EXPECT_EQ(groups->num_devices(), devices) << c.value;
    EXPECT_EQ(groups->group_size(), size) << c.value;
  }
}

TEST(ReplicaGroups, StayFormulas) {
  const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(
      "[1000000000,1000000000]<=[1000000000,1000000000]T(1,0)");
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_EQ(groups->num_devices(), 1000000000000000000);
  EXPECT_EQ(groups->Device(999999999, 999999998), 999999998999999999);
  EXPECT_EQ(groups->Group(0).status(),
            absl::ResourceExhaustedError("group 0 has 1000000000 devices, more "
                                         "than the limit of 1048576"));
  EXPECT_EQ(
      groups->Group(1000000000).status(),
      absl::OutOfRangeError("group 1000000000 is outside [0, 1000000000)"));
  EXPECT_EQ(groups->Group(-1).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(DecodeReplicaGroups("[2,4]<=[8]")->Group(0, 3).status().code(),
            absl::StatusCode::kResourceExhausted);

  const absl::StatusOr<ReplicaGroups> mesh = DecodeReplicaGroups(
      "mesh['a'=4294967296,'b'=2147483647] {'a':(2)1073741824}");
  ASSERT_TRUE(mesh.ok()) << mesh.status();
  EXPECT_EQ(mesh->group_size(), 1073741824);
  EXPECT_EQ(mesh->num_groups(), int64_t{4} * 2147483647);
  EXPECT_EQ(mesh->Device(mesh->num_groups() - 1, 1073741823),
            int64_t{4294967296} * 2147483647 - 1);
}

TEST(ReplicaGroups, ManyAxes) {
  std::string axes;
  std::string parts;
  for (int i = 0; i < 20000; ++i) {
    absl::StrAppend(&axes, i == 0 ? "" : ",", "'x", i, "'=1");
    absl::StrAppend(&parts, i == 0 ? "" : ",", "'x", 19999 - i, "'");
  }
  const absl::StatusOr<ReplicaGroups> groups =
      DecodeReplicaGroups(absl::StrCat("mesh[", axes, "] {", parts, "}"));
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_THAT(*groups->Group(0), ElementsAre(0));
}

// Row-major coordinates.
Integers Coordinates(int64_t position, const Integers& sizes) {
  Integers coordinates(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    coordinates[i] = position % sizes[i];
    position /= sizes[i];
  }
  return coordinates;
}

int64_t Position(const Integers& coordinates, const Integers& sizes) {
  int64_t position = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    position = position * sizes[i] + coordinates[i];
  }
  return position;
}

// The devices of a transposed iota, by writing each into its place.
Integers TransposedIota(const Integers& sizes, const Integers& order) {
  Integers transposed_sizes;
  for (const int64_t i : order) transposed_sizes.push_back(sizes[i]);
  const int64_t count =
      std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                      [](int64_t a, int64_t b) { return a * b; });
  Integers devices(count);
  for (int64_t device = 0; device < count; ++device) {
    const Integers from = Coordinates(device, sizes);
    Integers to;
    for (const int64_t i : order) to.push_back(from[i]);
    devices[Position(to, transposed_sizes)] = device;
  }
  return devices;
}

TEST(ReplicaGroups, IotaAgainstWritingItOut) {
  std::mt19937 random(20261);
  for (int round = 0; round < 300; ++round) {
    Integers sizes(1 + random() % 4);
    int64_t count = 1;
    for (int64_t& size : sizes) count *= size = 1 + random() % 5;
    Integers order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    int64_t group_size = 1 + random() % count;
    while (count % group_size != 0) --group_size;
    const std::string value = absl::StrCat(
        "[", count / group_size, ",", group_size, "]<=[",
        absl::StrJoin(sizes, ","), "]T(", absl::StrJoin(order, ","), ")");
    const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(value);
    ASSERT_TRUE(groups.ok()) << groups.status();
    Integers all;
    for (const Integers& group : AllGroups(*groups)) {
      EXPECT_EQ(group.size(), group_size);
      all.insert(all.end(), group.begin(), group.end());
    }
    EXPECT_EQ(all, TransposedIota(sizes, order)) << value;
  }
}

// A mesh whose axes are split into single steps is an array of many small axes,
// of which some belong to the group, in some order.
TEST(ReplicaGroups, MeshAgainstWritingItOut) {
  std::mt19937 random(20262);
  for (int round = 0; round < 300; ++round) {
    Integers sizes;  // of all small axes
    std::vector<std::pair<size_t, std::string>> grouped;
    std::string axes;
    const int count = 1 + random() % 3;
    for (int axis = 0; axis < count; ++axis) {
      const int steps = 1 + random() % 3;
      int64_t pre_size = 1;
      for (int step = 0; step < steps; ++step) {
        // XLA has no part of an axis whose size is 1.
        const int64_t size = (steps == 1 ? 1 : 2) + random() % 2;
        if (random() % 2 == 0) {
          grouped.emplace_back(sizes.size(),
                               steps == 1 ? absl::StrCat("'x", axis, "'")
                                          : absl::StrCat("'x", axis, "':(",
                                                         pre_size, ")", size));
        }
        sizes.push_back(size);
        pre_size *= size;
      }
      absl::StrAppend(&axes, axis == 0 ? "" : ",", "'x", axis, "'=", pre_size);
    }
    std::shuffle(grouped.begin(), grouped.end(), random);
    Integers order;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (std::none_of(grouped.begin(), grouped.end(),
                       [&](const auto& part) { return part.first == i; })) {
        order.push_back(i);
      }
    }
    std::vector<std::string> parts;
    int64_t group_size = 1;
    for (const auto& part : grouped) {
      order.push_back(part.first);
      parts.push_back(part.second);
      group_size *= sizes[part.first];
    }
    const std::string value =
        absl::StrCat("mesh[", axes, "] {", absl::StrJoin(parts, ","), "}");
    const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(value);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(groups->group_size(), group_size) << value;
    Integers all;
    for (const Integers& group : AllGroups(*groups)) {
      all.insert(all.end(), group.begin(), group.end());
    }
    EXPECT_EQ(all, TransposedIota(sizes, order)) << value;
  }
}

TEST(ReplicaGroups, Errors) {
  constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;
  ExpectErrors(
      {
          {"",
           "1:1: in replica groups: expected '{', '[' or mesh, found end of "
           "text\n  \n  ^"},
          {"{{0,-1}}",
           "1:5: in replica groups: a device = -1 is less than 0\n"
           "  {{0,-1}}\n"
           "      ^"},
          {"{0,1}",
           "1:2: in replica groups: expected '{', found '0'\n"
           "  {0,1}\n"
           "   ^"},
          {"{{0,1}",
           "1:7: in replica groups: expected ',' or '}', found end of text\n"
           "  {{0,1}\n"
           "        ^"},
          {"[8]<=[8]",
           "1:1: in replica groups: expected [groups,size], found 1 numbers\n"
           "  [8]<=[8]\n"
           "  ^"},
          {"[2,4]< =[8]",
           "1:6: in replica groups: expected '<=', found '<'\n"
           "  [2,4]< =[8]\n"
           "       ^"},
          {"[2,4]<=[7]",
           "1:8: in replica groups: 2 groups of 4 are not 7 devices\n"
           "  [2,4]<=[7]\n"
           "         ^"},
          {"[2,0]<=[0]",
           "1:4: in replica groups: a size = 0 is less than 1\n"
           "  [2,0]<=[0]\n"
           "     ^"},
          {"[2,4]<=[4,2]T(1,1)",
           "1:13: in replica groups: T(...) is not a permutation of the 2 "
           "dimensions\n"
           "  [2,4]<=[4,2]T(1,1)\n"
           "              ^"},
          {"[2,4]<=[8]T(0,1)",
           "1:11: in replica groups: T(...) is not a permutation of the 1 "
           "dimensions\n"
           "  [2,4]<=[8]T(0,1)\n"
           "            ^"},
          {"[2,4]<=[8]S(0)",
           "1:11: in replica groups: expected 'T' or the end, found 'S'\n"
           "  [2,4]<=[8]S(0)\n"
           "            ^"},
          {"[4294967296,2147483648]<=[9]",
           "1:1: in replica groups: the product of the sizes is past 2^63-1\n"
           "  [4294967296,2147483648]<=[9]\n"
           "  ^",
           kOutOfRange},
          {"mesh[] {}",
           "1:5: in replica groups: a mesh without axes\n"
           "  mesh[] {}\n"
           "      ^"},
          {"mesh['a'=2,'a'=2] {}",
           "1:12: in replica groups: the axis is given twice\n"
           "  mesh['a'=2,'a'=2] {}\n"
           "             ^"},
          {"mesh['a'=2] {'b'}",
           "1:14: in replica groups: the mesh has no such axis\n"
           "  mesh['a'=2] {'b'}\n"
           "               ^"},
          {"mesh['a'=2]",
           "1:12: in replica groups: expected '{', found end of text\n"
           "  mesh['a'=2]\n"
           "             ^"},
          {"mesh['a'=6] {'a':(2)2}",
           "1:14: in replica groups: (2)2 does not divide an axis of size 6\n"
           "  mesh['a'=6] {'a':(2)2}\n"
           "               ^"},
          {"mesh['a'=6] {'a':(2)1}",
           "1:21: in replica groups: a size = 1 is less than 2\n"
           "  mesh['a'=6] {'a':(2)1}\n"
           "                      ^"},
          {"mesh['a'=8] {'a':(1)4,'a':(2)2}",
           "1:23: in replica groups: the axis overlaps another part of the "
           "group\n"
           "  mesh['a'=8] {'a':(1)4,'a':(2)2}\n"
           "                        ^"},
          {"mesh['a'=1] {'a','a'}",
           "1:18: in replica groups: the axis overlaps another part of the "
           "group\n"
           "  mesh['a'=1] {'a','a'}\n"
           "                   ^"},
          {"mesh['a'=2], device_ids=(0,0) {'a'}",
           "1:25: in replica groups: device 0 makes this not a permutation of "
           "the "
           "devices [0, 2)\n"
           "  mesh['a'=2], device_ids=(0,0) {'a'}\n"
           "                          ^"},
          {"mesh['a'=2], device_ids=(0) {'a'}",
           "1:25: in replica groups: the mesh has 2 devices and not 1\n"
           "  mesh['a'=2], device_ids=(0) {'a'}\n"
           "                          ^"},
          {"mesh['a'=2], device_ids=([3]) {'a'}",
           "1:25: in replica groups: the mesh has 2 devices and not 3\n"
           "  mesh['a'=2], device_ids=([3]) {'a'}\n"
           "                          ^"},
          {"mesh['a'=4611686018427387904,'b'=2] {}",
           "1:5: in replica groups: the product of the sizes is past 2^63-1\n"
           "  mesh['a'=4611686018427387904,'b'=2] {}\n"
           "      ^",
           kOutOfRange},
          {"meshes",
           "1:1: in replica groups: expected '{', '[' or mesh, found 'meshes'\n"
           "  meshes\n"
           "  ^"},
      },
      [](std::string_view v) { return DecodeReplicaGroups(v).status(); });
}

TEST(ReplicaGroups, Dumps) {
  const std::vector<Integers> halves = {{0, 2, 4, 6}, {1, 3, 5, 7}};
  const std::string async = ReadDump("import_async.hlo");
  const std::vector<std::string_view> lists = ValuesOf("replica_groups", async);
  EXPECT_EQ(lists.size(), 5);
  for (const std::string_view value : lists) {
    const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(value);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(AllGroups(*groups), halves) << value;
  }

  const std::string tpu = ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt");
  const std::vector<std::string_view> meshes = ValuesOf("replica_groups", tpu);
  EXPECT_EQ(meshes.size(), 7);
  for (const std::string_view value : meshes) {
    const absl::StatusOr<ReplicaGroups> groups = DecodeReplicaGroups(value);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_THAT(AllGroups(*groups), ElementsAre(ElementsAre(0, 1, 2, 3)))
        << value;
  }
}

TEST(SourceTargetPairs, Good) {
  const absl::StatusOr<std::vector<SourceTargetPair>> pairs =
      DecodeSourceTargetPairs("{{0,1}, {1,2},/*x*/{2,3}}");
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  ASSERT_EQ(pairs->size(), 3);
  EXPECT_EQ((*pairs)[2].source, 2);
  EXPECT_EQ((*pairs)[2].target, 3);
  EXPECT_THAT(*DecodeSourceTargetPairs("{}"), IsEmpty());
}

TEST(SourceTargetPairs, Errors) {
  ExpectErrors(
      {{"{{0,1,2}}",
        "1:6: in source-target pairs: expected '}', found ','\n"
        "  {{0,1,2}}\n"
        "       ^"},
       {"{{0,-1}}",
        "1:5: in source-target pairs: a target = -1 is less than 0\n"
        "  {{0,-1}}\n"
        "      ^"},
       {"{0,1}",
        "1:2: in source-target pairs: expected '{', found '0'\n"
        "  {0,1}\n"
        "   ^"}},
      [](std::string_view v) { return DecodeSourceTargetPairs(v).status(); });
}

}  // namespace
}  // namespace tessera
