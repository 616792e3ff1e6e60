#include "tessera/cli/serve/ordered_work.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cli {
namespace {

OrderedWork::Write AppendTo(std::string* out) {
  return [out](std::string_view text, bool) {
    absl::StrAppend(out, AbslView(text));
    return true;
  };
}

TEST(OrderedWork, Example) {
  std::string out;
  OrderedWork work(/*threads=*/2, /*capacity=*/1 << 20, AppendTo(&out));
  EXPECT_TRUE(work.Add(10, [] { return "first, "; }));
  EXPECT_TRUE(work.Add(10, [] { return "second"; }));
  work.Finish();
  EXPECT_EQ(out, "first, second");
}

// A gate that tasks wait at.
class Gate {
 public:
  void Open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

TEST(OrderedWork, ResultsWaitForThoseBeforeThem) {
  std::string out;
  Gate last_is_done;
  OrderedWork work(2, 100, AppendTo(&out));
  work.Add(1, [&] {
    last_is_done.Wait();
    return "a";
  });
  work.Add(1, [] { return "b"; });
  work.Add(1, [&] {
    last_is_done.Open();
    return "c";
  });
  work.Finish();
  EXPECT_EQ(out, "abc");
}

TEST(OrderedWork, ManyTasksOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 7}) {
    std::string out, want;
    OrderedWork work(threads, 50, AppendTo(&out));
    for (int i = 0; i < 2000; ++i) {
      absl::StrAppend(&want, i, " ");
      ASSERT_TRUE(work.Add(1 + i % 60, [i] { return absl::StrCat(i, " "); }));
    }
    work.Finish();
    EXPECT_EQ(out, want);
  }
}

TEST(OrderedWork, HoldsNoMoreThanItsCapacity) {
  std::atomic<int> held{0}, most{0};
  const auto write = [&](std::string_view, bool) {
    --held;
    return true;
  };
  OrderedWork work(3, 10, write);
  for (int i = 0; i < 500; ++i) {
    work.Add(1, [&] { return std::string("x"); });
    const int now = ++held;
    most = std::max(most.load(), now);
  }
  work.Finish();
  // One may be written and another given out that are not counted yet.
  EXPECT_LE(most, 12);
}

TEST(OrderedWork, ATaskHeavierThanTheCapacityRunsToo) {
  std::string out;
  OrderedWork work(1, 1, AppendTo(&out));
  EXPECT_TRUE(work.Add(1000, [] { return "a"; }));
  EXPECT_TRUE(work.Add(1000, [] { return "b"; }));
  work.Finish();
  EXPECT_EQ(out, "ab");
}

TEST(OrderedWork, StopsWhenWritingDoes) {
  std::atomic<int> written{0};
  OrderedWork work(2, 4, [&](std::string_view, bool) { return ++written < 3; });
  bool goes_on = true;
  for (int i = 0; i < 10000 && goes_on; ++i) {
    goes_on = work.Add(1, [] { return "x"; });
  }
  EXPECT_FALSE(goes_on);
  work.Finish();
  EXPECT_EQ(written, 3);
}

TEST(OrderedWork, SaysWhenNothingElseIsReady) {
  std::string out;
  OrderedWork work(1, 100, [&](std::string_view text, bool is_last_for_now) {
    absl::StrAppend(&out, AbslView(text), is_last_for_now ? "." : "");
    return true;
  });
  work.Add(1, [] { return "only"; });
  work.Finish();
  EXPECT_EQ(out, "only.");
}

TEST(OrderedWork, WithoutWork) {
  std::string out;
  { OrderedWork work(3, 1, AppendTo(&out)); }
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace tessera::cli
