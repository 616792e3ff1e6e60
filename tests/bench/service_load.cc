// How many questions does the service answer over gRPC and over JSON Lines, and
// does its memory stay as it is?
//
//   ./bazelw run -c opt //tests/bench:service_load -- [REQUESTS [INDICES [CLIENTS]]]
//
// Sends REQUESTS (100000) linearize requests of INDICES (1000) random indices
// each to `tessera serve` and to `tessera batch`, on this machine, and checks
// every answer. Fails if an answer is wrong, or if after the last request a
// process has 20 MB more in memory than after the first tenth.

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/layout_service_rpc.grpc.pb.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"

namespace tessera {
namespace {

constexpr char kProgram[] = "cli/tessera";
constexpr char kLayout[] = "bf16[8192,5000]{1,0:T(8,128)(2,1)}";
constexpr int64_t kBounds[] = {8192, 5000};
// So many are made; they take turns.
constexpr int kDistinctRequests = 64;
constexpr double kMegabyte = 1e6;
constexpr double kMemoryBound = 20;
// Requests of one call of AskBatch.
constexpr int kBatchRequests = 50;

struct Load {
  int64_t requests = 100'000;
  int64_t indices = 1000;
  int64_t clients = 4;
  std::vector<Request> questions;
  std::vector<Response> answers;
};

[[noreturn]] void Fail(const std::string& message) {
  fprintf(stderr, "service_load: %s\n", message.c_str());
  exit(1);
}

// A child between two pipes.
struct Process {
  explicit Process(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kProgram);
    std::vector<char*> pointers;
    for (std::string& text : arguments) pointers.push_back(&text[0]);
    pointers.push_back(nullptr);
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
      Fail("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (posix_spawn(&id, kProgram, &actions, nullptr, pointers.data(),
                    environ) != 0) {
      Fail(absl::StrCat("cannot start ", kProgram));
    }
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
  }
  ~Process() {
    fclose(from);
    kill(id, SIGTERM);
    waitpid(id, nullptr, 0);
  }

  // Without the line break; "" at the end.
  std::string ReadLine() {
    const ssize_t size = getline(&line_, &line_size_, from);
    return size > 0 ? std::string(line_, size - 1) : "";
  }

  double ResidentMegabytes() const {
    std::ifstream file(absl::StrCat("/proc/", id, "/statm"));
    int64_t all_pages = 0, pages = 0;
    file >> all_pages >> pages;
    return pages * sysconf(_SC_PAGESIZE) / kMegabyte;
  }

  pid_t id = -1;
  FILE* to = nullptr;
  FILE* from = nullptr;

 private:
  char* line_ = nullptr;
  size_t line_size_ = 0;
};

Load MakeLoad(int argc, char** argv) {
  Load load;
  int64_t* const numbers[] = {&load.requests, &load.indices, &load.clients};
  for (int i = 1; i < argc; ++i) {
    if (i > 3 || !absl::SimpleAtoi(argv[i], numbers[i - 1]) ||
        *numbers[i - 1] <= 0) {
      Fail("usage: service_load [REQUESTS [INDICES [CLIENTS]]]");
    }
  }
  const LayoutService service;
  std::mt19937_64 random(7);
  for (int i = 0; i < kDistinctRequests; ++i) {
    Request request;
    request.mutable_linearize()->set_layout(kLayout);
    for (int64_t j = 0; j < load.indices; ++j) {
      for (const int64_t bound : kBounds) {
        request.mutable_linearize()->add_indices(random() % bound);
      }
    }
    load.answers.push_back(service.Answer(request));
    if (load.answers[i].has_error()) {
      Fail(load.answers[i].error().message());
    }
    load.questions.push_back(std::move(request));
  }
  return load;
}

// Takes the time of all requests, and memory on the way.
class Meter {
 public:
  Meter(const Load& load, const Process& process)
      : load_(load), process_(process), start_(absl::Now()) {}

  // Called with the number of each answer, in any order.
  void CountAnswer(int64_t number, const Response& response) {
    const auto& got = response.linearize().linear_indices();
    const auto& want =
        load_.answers[number % kDistinctRequests].linearize().linear_indices();
    if (!std::equal(got.begin(), got.end(), want.begin(), want.end())) {
      Fail(absl::StrCat("answer ", number, " is wrong"));
    }
    CountAnswer();
  }

  // The same where it is known to be right.
  void CountAnswer() {
    if (++answers_ == load_.requests / 10) {
      first_ = process_.ResidentMegabytes();
    }
  }

  // Prints what was measured.
  void Report(const char* name) const {
    const double seconds = absl::ToDoubleSeconds(absl::Now() - start_);
    const double last = process_.ResidentMegabytes();
    const double rate = load_.requests / seconds;
    printf(
        "%-22s %8.1f s  %8.0f requests/s  %11.0f indices/s  resident %.1f MB "
        "after %ld, %.1f MB after the last\n",
        name, seconds, rate, rate * load_.indices, first_.load(),
        load_.requests / 10, last);
    fflush(stdout);
    if (last - first_ > kMemoryBound) {
      Fail(absl::StrCat(last - first_, " MB more in memory, more than ",
                        kMemoryBound));
    }
  }

 private:
  const Load& load_;
  const Process& process_;
  const absl::Time start_;
  std::atomic<int64_t> answers_ = {0};
  std::atomic<double> first_ = {0};
};

using Stub = rpc::LayoutService::Stub;

// One request after the other; `take` gives the number of the next, or -1.
void AskEach(const Load& load, Stub* stub, const std::function<int64_t()>& take,
             Meter* meter) {
  for (int64_t i; (i = take()) >= 0;) {
    grpc::ClientContext context;
    Response response;
    const grpc::Status status =
        stub->Ask(&context, load.questions[i % kDistinctRequests], &response);
    if (!status.ok()) Fail(status.error_message());
    meter->CountAnswer(i, response);
  }
}

void AskStream(const Load& load, Stub* stub,
               const std::function<int64_t()>& take, Meter* meter) {
  grpc::ClientContext context;
  const auto stream = stub->AskStream(&context);
  for (int64_t i; (i = take()) >= 0;) {
    Response response;
    if (!stream->Write(load.questions[i % kDistinctRequests]) ||
        !stream->Read(&response)) {
      Fail(stream->Finish().error_message());
    }
    meter->CountAnswer(i, response);
  }
  stream->WritesDone();
  if (!stream->Finish().ok()) Fail("the stream has broken");
}

void AskBatches(const Load& load, Stub* stub,
                const std::function<int64_t()>& take, Meter* meter) {
  while (true) {
    std::vector<int64_t> numbers;
    BatchRequest batch;
    for (int64_t i; numbers.size() < kBatchRequests && (i = take()) >= 0;) {
      numbers.push_back(i);
      *batch.add_requests() = load.questions[i % kDistinctRequests];
    }
    if (numbers.empty()) return;
    grpc::ClientContext context;
    BatchResponse responses;
    const grpc::Status status = stub->AskBatch(&context, batch, &responses);
    if (!status.ok()) Fail(status.error_message());
    for (size_t i = 0; i < numbers.size(); ++i) {
      meter->CountAnswer(numbers[i], responses.responses(i));
    }
  }
}

void MeasureGrpc(const Load& load, const char* name, decltype(AskEach)* ask) {
  Process server({"serve", "--grpc-port=0", "--http-port=0"});
  const std::string line = server.ReadLine();
  const std::string address = line.substr(line.rfind(' ') + 1);
  Meter meter(load, server);
  std::atomic<int64_t> next = {0};
  std::vector<std::thread> clients;
  for (int64_t i = 0; i < load.clients; ++i) {
    clients.emplace_back([&] {
      grpc::ChannelArguments arguments;
      arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
      // A connection of its own.
      arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
      const auto stub = rpc::LayoutService::NewStub(grpc::CreateCustomChannel(
          address, grpc::InsecureChannelCredentials(), arguments));
      const auto take = [&]() -> int64_t {
        const int64_t i = next++;
        return i < load.requests ? i : -1;
      };
      ask(load, stub.get(), take, &meter);
    });
  }
  for (std::thread& client : clients) client.join();
  meter.Report(name);
}

void MeasureJsonLines(const Load& load) {
  std::vector<std::string> lines;
  for (const Request& question : load.questions) {
    lines.push_back(ProtoToJson(question) + "\n");
  }
  std::vector<std::string> answers;
  for (const Response& answer : load.answers) {
    answers.push_back(ProtoToJson(answer, JsonFields::kAll));
  }
  Process batch({"batch"});
  Meter meter(load, batch);
  std::thread writer([&] {
    for (int64_t i = 0; i < load.requests; ++i) {
      fputs(lines[i % kDistinctRequests].c_str(), batch.to);
    }
    fflush(batch.to);
  });
  for (int64_t i = 0; i < load.requests; ++i) {
    // Reading the JSON would take the cores from who is measured.
    if (batch.ReadLine() != answers[i % kDistinctRequests]) {
      Fail(absl::StrCat("answer ", i, " is wrong"));
    }
    meter.CountAnswer();
  }
  writer.join();
  meter.Report("JSON Lines");
  fclose(batch.to);
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  const tessera::Load load = tessera::MakeLoad(argc, argv);
  printf("%ld requests of %ld indices into %s, %ld clients\n", load.requests,
         load.indices, tessera::kLayout, load.clients);
  tessera::MeasureGrpc(load, "gRPC, single requests", tessera::AskEach);
  tessera::MeasureGrpc(load, "gRPC, streams", tessera::AskStream);
  tessera::MeasureGrpc(load, "gRPC, batches of 50", tessera::AskBatches);
  tessera::MeasureJsonLines(load);
}
