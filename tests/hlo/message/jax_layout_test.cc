#include "tessera/hlo/message/jax_layout.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/status_matchers.h"

namespace tessera {
namespace {

TEST(JaxLayout, AllForms) {
  struct Case {
    const char* text;
    const char* want;
  };
  constexpr Case kCases[] = {
      {"Layout(major_to_minor=(0, 1), tiling=((8, 128),))", "{1,0:T(8,128)}"},
      {"Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)), "
       "sub_byte_element_size_in_bits=0)",
       "{1,0:T(8,128)(2,1)}"},
      {"DeviceLocalLayout(major_to_minor=(1, 0), _tiling=((8, 128),), "
       "_sub_byte_element_size_in_bits=4)",
       "{0,1:T(8,128)E(4)}"},
      {"Format(layout=Layout(major_to_minor=(2,0,1), tiling=None), "
       "sharding=SingleDevice)",
       "{1,0,2}"},
      {"Layout(\n  _major_to_minor=[0],\n)", "{0}"},
      {"Layout(major_to_minor=())", "{}"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<Layout> layout = ReadJaxLayout(c.text);
    ASSERT_THAT(layout, IsOk()) << c.text;
    EXPECT_EQ(layout->ToString(), c.want);
  }
}

TEST(JaxLayout, Errors) {
  struct Case {
    const char* text;
    const char* want;
  };
  constexpr Case kCases[] = {
      {"f32[2]", "the text has no Layout(major_to_minor=...)"},
      {"Layout(major_to_minor=(0, 0))", ""},
      {"Layout(major_to_minor=(1,))", ""},
      {"Layout(major_to_minor=(0,), shape=3)",
       "in the layout of JAX: expected major_to_minor, tiling or "
       "sub_byte_element_size_in_bits, found 'shape'"},
      {"Layout(major_to_minor=0)",
       "in the layout of JAX: expected '(', found '0'"},
      {"Layout(major_to_minor=(0, x))",
       "in the layout of JAX: expected an integer, found 'x'"},
      {"Layout(major_to_minor=(0, 1), tiling=((8, 128)",
       "in the layout of JAX: expected ',' or a bracket, found end of text"},
      {"Layout(major_to_minor=(0)",
       "in the layout of JAX: expected ',' or ')', found end of text"},
  };
  for (const Case& c : kCases) {
    const absl::Status status = ReadJaxLayout(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_TRUE(StrContains(StdView(status.message()), c.want))
        << status.message();
  }
}

TEST(JaxLayout, Found) {
  EXPECT_EQ(FindJaxLayout("Layout(shape=3)"), std::string_view::npos);
  EXPECT_EQ(FindJaxLayout("MyLayout(major_to_minor=(0,))"),
            std::string_view::npos);
  EXPECT_EQ(JaxLayoutText("x Layout(major_to_minor=(0, 1)) y"),
            "Layout(major_to_minor=(0, 1))");
  EXPECT_EQ(JaxLayoutText("x Layout(major_to_minor=(0, 1"),
            "Layout(major_to_minor=(0, 1");
  EXPECT_EQ(JaxLayoutText("x"), "");
}

}  // namespace
}  // namespace tessera
