#include "tessera/base/math/status_macros.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

// Refuses negative numbers; counts how often it is asked.
absl::Status CheckNotNegative(int number, int* asked) {
  ++*asked;
  return number < 0 ? absl::OutOfRangeError("it is negative")
                    : absl::OkStatus();
}

absl::Status CheckBoth(int a, int b, int* asked) {
  TESSERA_RETURN_IF_ERROR(CheckNotNegative(a, asked));
  TESSERA_RETURN_IF_ERROR(CheckNotNegative(b, asked));
  return absl::OkStatus();
}

TEST(ReturnIfError, ReturnsTheFirstErrorAndAsksOnce) {
  int asked = 0;
  EXPECT_EQ(CheckBoth(1, 2, &asked), absl::OkStatus());
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(CheckBoth(-1, 2, &asked), absl::OutOfRangeError("it is negative"));
  EXPECT_EQ(asked, 3);
}

TEST(ReturnIfError, KeepsPayloads) {
  absl::Status error = absl::InternalError("it broke");
  error.SetPayload("where", absl::Cord("here"));
  const auto hand_on = [&]() -> absl::StatusOr<int> {
    TESSERA_RETURN_IF_ERROR(error);
    return 1;
  };
  EXPECT_EQ(hand_on().status(), error);
}

// Counts its copies and moves.
struct Traced {
  explicit Traced(int* copies, int* moves) : copies(copies), moves(moves) {}
  Traced(const Traced& other) : copies(other.copies), moves(other.moves) {
    ++*copies;
  }
  Traced(Traced&& other) : copies(other.copies), moves(other.moves) {
    ++*moves;
  }
  int* copies;
  int* moves;
};

TEST(AssignOrReturn, MovesAValueOnceAndAReferenceNever) {
  int copies = 0;
  int moves = 0;
  const auto make = [&] {
    absl::StatusOr<Traced> made = absl::UnknownError("not made");
    made.emplace(&copies, &moves);
    return made;
  };
  const auto take = [&]() -> absl::Status {
    TESSERA_ASSIGN_OR_RETURN(const Traced& referred, make());
    EXPECT_EQ(moves, 0);
    TESSERA_ASSIGN_OR_RETURN(const Traced moved, make());
    EXPECT_EQ(moves, 1);
    EXPECT_EQ(referred.moves, moved.moves);
    return absl::OkStatus();
  };
  EXPECT_EQ(take(), absl::OkStatus());
  EXPECT_EQ(copies, 0);
}

TEST(AssignOrReturn, AssignsWhatCannotBeCopied) {
  std::unique_ptr<int> kept;
  const auto keep =
      [&](absl::StatusOr<std::unique_ptr<int>> number) -> absl::Status {
    TESSERA_ASSIGN_OR_RETURN(kept, std::move(number));
    return absl::OkStatus();
  };
  EXPECT_EQ(keep(std::make_unique<int>(7)), absl::OkStatus());
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(*kept, 7);
  EXPECT_EQ(keep(absl::NotFoundError("gone")), absl::NotFoundError("gone"));
  EXPECT_EQ(*kept, 7);
}

// Commas outside of parentheses are part of the expression.
TEST(AssignOrReturn, TakesCommas) {
  const auto sum = [](int a, int b) -> absl::StatusOr<int> {
    TESSERA_ASSIGN_OR_RETURN(
        const auto pair,
        absl::StatusOr<std::pair<int, int>>(std::make_pair(a, b)));
    return pair.first + pair.second;
  };
  EXPECT_EQ(*sum(3, 4), 7);
}

}  // namespace
}  // namespace tessera
