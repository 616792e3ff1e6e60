// Pictures of threads, banks and operations: the question picture with drawing.

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

PictureRequest DrawingOf(const std::string& layout) {
  PictureRequest question;
  question.set_layout(layout);
  question.mutable_drawing();
  return question;
}

TEST(Drawing, Svgs) {
  PictureRequest lit = DrawingOf("SM80_16x8x16_F32F16F16F32_TN");
  lit.mutable_drawing()->set_thread(5);
  lit.mutable_drawing()->set_width(390);
  PictureRequest tile = DrawingOf("(4,2):(1,4)");
  tile.mutable_drawing()->add_tile(2);
  tile.mutable_drawing()->add_tile(4);
  PictureRequest banks = DrawingOf("(8,8):(1,8)");
  banks.mutable_drawing()->set_memory("(8,64):(64,1)");
  banks.mutable_drawing()->set_bytes(2);
  banks.mutable_drawing()->set_color(DrawingRequest::BY_BANK);
  PictureRequest modes = DrawingOf("((2,2),2):((1,4),2)");
  modes.mutable_drawing()->set_shows(DrawingRequest::MEMORY);
  PictureRequest offsets = DrawingOf("(8,4):(4,1)");
  offsets.mutable_drawing()->set_shows(DrawingRequest::MEMORY);
  offsets.mutable_drawing()->set_color(DrawingRequest::BY_OFFSET);
  PictureRequest operations = DrawingOf("logical_divide((4,2):(1,4), 2:1)");
  operations.mutable_drawing()->set_shows(DrawingRequest::OPERATIONS);
  const struct {
    PictureRequest question;
    std::string text;
  } kCases[] = {{lit, "The cells of thread 5 stand out."},
                {lit, "width=\"390\""},
                {tile, "data-at=\"1,3\" data-thread=\"3\" data-value=\"1\""},
                {banks, "8-way conflict: 8 wavefronts instead of 1"},
                {modes, "Numbers are offsets in memory"},
                {offsets, "that of its offset, modulo 8"},
                {operations, "logical_divide(A, B) = "}};
  for (const auto& c : kCases) {
    PictureResult result;
    ASSERT_THAT(AnswerPicture({}, c.question, &result), IsOk());
    EXPECT_THAT(result.drawing().svg(), StartsWith("<svg "));
    EXPECT_THAT(result.drawing().svg(), HasSubstr(c.text));
    EXPECT_EQ(result.kinds_size(), 0);
  }
}

TEST(Drawing, Refusals) {
  PictureRequest one_extent = DrawingOf("4:1");
  one_extent.mutable_drawing()->add_tile(4);
  PictureRequest color = DrawingOf("4:1");
  color.mutable_drawing()->set_color(DrawingRequest::BY_BANK);
  PictureRequest unknown = DrawingOf("4:1");
  unknown.mutable_drawing()->set_color(static_cast<DrawingRequest::Color>(9));
  PictureRequest shows = DrawingOf("4:1");
  shows.mutable_drawing()->set_shows(static_cast<DrawingRequest::Shows>(9));
  PictureRequest memory = DrawingOf("4:1");
  memory.mutable_drawing()->set_memory("4:");
  PictureRequest thread = DrawingOf("4:1");
  thread.mutable_drawing()->set_thread(4);
  const struct {
    PictureRequest question;
    std::string message;
  } kCases[] = {
      {one_extent, "expected rows and columns, found 1 numbers"},
      {color, "banks need a layout of memory"},
      {unknown, "unknown color 9"},
      {shows, "cannot show 9"},
      {memory, "expected"},
      {thread, "thread 4 holds no element"},
      {DrawingOf("f32[3]"), "unknown name 'f32'"},
      {DrawingOf("65536:1"), "picture_cells"},
      {DrawingOf(std::string(1 << 13, ' ')), "expression_bytes"},
  };
  for (const auto& c : kCases) {
    PictureResult result;
    EXPECT_THAT(std::string(AnswerPicture({}, c.question, &result).message()),
                HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace tessera
