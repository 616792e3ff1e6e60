// What stands behind a transport under test, and a way to keep its thread busy
// for exactly as long as a test likes.
//
//   Answering answering;
//   ... Start(&answering.service, &answering.work, ...)
//   BusyThread busy(&answering.work);   // nothing is answered
//   busy.End();                         // all is

#ifndef TESSERA_TESTS_SERVICE_TRANSPORT_ANSWERING_H_
#define TESSERA_TESTS_SERVICE_TRANSPORT_ANSWERING_H_

#include <future>

#include "gtest/gtest.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/transport/work_queue.h"

namespace tessera {

struct Answering {
  explicit Answering(WorkQueue::Options options = {}) : work(options) {}

  LayoutService service;
  WorkQueue work;
};

// Takes one thread of a queue until End.
class BusyThread {
 public:
  explicit BusyThread(WorkQueue* work) {
    std::promise<void> has_begun;
    EXPECT_TRUE(work->Add(0,
                          [&has_begun, end = end_.get_future().share()] {
                            has_begun.set_value();
                            end.wait();
                          })
                    .ok());
    has_begun.get_future().wait();
  }
  ~BusyThread() { End(); }

  void End() {
    if (!has_ended_) end_.set_value();
    has_ended_ = true;
  }

 private:
  std::promise<void> end_;
  bool has_ended_ = false;
};

inline Request Linearize(const char* id) {
  Request request;
  request.set_id(id);
  request.mutable_linearize()->set_layout("f32[3,5]{1,0:T(2,2)}");
  request.mutable_linearize()->add_indices(2);
  request.mutable_linearize()->add_indices(3);
  return request;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_TRANSPORT_ANSWERING_H_
