#include "tessera/service/transport/work_queue.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"
#include "tests/service/transport/answering.h"

namespace tessera {
namespace {

TEST(WorkQueue, RunsInOrderAndAllBeforeItEnds) {
  std::vector<int> done;
  {
    WorkQueue work(WorkQueue::Options{});
    BusyThread busy(&work);
    for (int i = 0; i < 100; ++i) {
      EXPECT_THAT(work.Add(1, [&done, i] { done.push_back(i); }), IsOk());
    }
    EXPECT_TRUE(done.empty());
    busy.End();
  }
  ASSERT_EQ(done.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[i], i);
}

TEST(WorkQueue, ThreadsWorkAtTheSameTime) {
  WorkQueue work(WorkQueue::Options{/*threads=*/3});
  BusyThread first(&work), second(&work);
  bool is_done = false;
  EXPECT_THAT(work.Run(1, [&] { is_done = true; }), IsOk());
  EXPECT_TRUE(is_done);
}

TEST(WorkQueue, SoManyRequestsWait) {
  int done = 0;
  {
    WorkQueue::Options options;
    options.waiting_requests = 2;
    WorkQueue work(options);
    BusyThread busy(&work);
    EXPECT_THAT(work.Add(1, [&] { ++done; }), IsOk());
    EXPECT_THAT(work.Add(1, [&] { ++done; }), IsOk());
    EXPECT_EQ(work.waiting(), 2);
    const absl::Status status = work.Run(1, [&] { ++done; });
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kResourceExhausted,
                         "waiting_requests: 3 requests exceed the limit of 2"));
  }
  EXPECT_EQ(done, 2);
}

TEST(WorkQueue, SoManyBytesWait) {
  WorkQueue::Options options;
  options.waiting_bytes = 100;
  WorkQueue work(options);
  BusyThread busy(&work);
  // However large, one may always wait.
  EXPECT_THAT(work.Add(1000, [] {}), IsOk());
  EXPECT_EQ(work.Add(1, [] {}).message(),
            "waiting_bytes: 1001 bytes exceed the limit of 100");
}

TEST(WorkQueue, RoomIsFreeAgainOnceATaskBegins) {
  WorkQueue::Options options;
  options.waiting_requests = 1;
  options.waiting_bytes = 10;
  WorkQueue work(options);
  for (int i = 0; i < 1000; ++i) {
    bool is_done = false;
    EXPECT_THAT(work.Run(10, [&] { is_done = true; }), IsOk());
    EXPECT_TRUE(is_done);
  }
}

TEST(WorkQueue, ATaskThatRunsOutOfMemory) {
  WorkQueue work(WorkQueue::Options{});
  EXPECT_EQ(work.Run(1, [] { throw std::bad_alloc(); }),
            absl::ResourceExhaustedError("there is not enough memory"));
  EXPECT_THAT(work.Run(1, [] {}), IsOk());
}

WorkQueue::Task PartOf(uint64_t client, bool is_long,
                       std::function<bool()> run_part) {
  WorkQueue::Task task;
  task.bytes = 1;
  task.client = client;
  task.is_long = is_long;
  task.run_part = std::move(run_part);
  return task;
}

TEST(WorkQueue, LongTasksDoNotDelayQuickOnes) {
  WorkQueue work(WorkQueue::Options{});
  std::promise<void> end;
  EXPECT_THAT(work.Add(PartOf(0, true,
                              [ended = end.get_future().share()] {
                                ended.wait();
                                return false;
                              })),
              IsOk());
  bool is_done = false;
  EXPECT_THAT(work.Run(1, [&] { is_done = true; }), IsOk());
  EXPECT_TRUE(is_done);
  end.set_value();
}

// So that a batch of thousands and one of two end at nearly the same time.
TEST(WorkQueue, LongTasksTakeTurnsInParts) {
  std::string order;
  {
    WorkQueue work(WorkQueue::Options{});
    std::promise<void> begin;
    int long_parts = 0;
    EXPECT_THAT(work.Add(PartOf(1, true,
                                [&, begun = begin.get_future().share()] {
                                  begun.wait();
                                  order += "a";
                                  return ++long_parts < 6;
                                })),
                IsOk());
    int short_parts = 0;
    EXPECT_THAT(work.Add(PartOf(2, true,
                                [&] {
                                  order += "b";
                                  return ++short_parts < 2;
                                })),
                IsOk());
    begin.set_value();
  }
  // What waits and what has begun take turns, too.
  EXPECT_EQ(order, "aababaaa");
}

TEST(WorkQueue, OnlySoManyLongTasksBegin) {
  std::string order;
  {
    WorkQueue work(WorkQueue::Options{});
    std::promise<void> begin;
    const auto begun = begin.get_future().share();
    int parts[3] = {};
    for (const int i : {0, 1, 2}) {
      EXPECT_THAT(work.Add(PartOf(i, true,
                                  [&, i, begun] {
                                    begun.wait();
                                    order += "abc"[i];
                                    return ++parts[i] < 3;
                                  })),
                  IsOk());
    }
    begin.set_value();
  }
  // The third begins once another has ended.
  EXPECT_GT(order.find('c'), std::min(order.rfind('a'), order.rfind('b')));
  EXPECT_EQ(std::count(order.begin(), order.end(), 'c'), 3);
}

TEST(WorkQueue, ClientsTakeTurns) {
  std::string order;
  {
    WorkQueue work(WorkQueue::Options{});
    BusyThread busy(&work);
    const auto add = [&](uint64_t client, char name) {
      EXPECT_THAT(work.Add(PartOf(client, false,
                                  [&order, name] {
                                    order += name;
                                    return false;
                                  })),
                  IsOk());
    };
    for (int i = 0; i < 5; ++i) add(1, 'a');
    for (int i = 0; i < 2; ++i) add(2, 'b');
    add(3, 'c');
  }
  EXPECT_EQ(order, "abcabaaa");
}

TEST(WorkQueueDeathTest, ThreadsThatCannotBeStarted) {
#ifdef TESSERA_SANITIZER
  GTEST_SKIP() << "sanitizers need more memory than is allowed here";
#endif
  const auto start = [] {
    // Room for the stacks of some threads.
    const rlimit limit = {rlim_t{1} << 30, rlim_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    try {
      WorkQueue work(WorkQueue::Options{/*threads=*/10'000});
    } catch (const std::system_error&) {
      _exit(1);
    }
    _exit(0);
  };
  EXPECT_EXIT(start(), ::testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace tessera
