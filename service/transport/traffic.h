// The requests that a server has answered: as numbers for Prometheus, and as
// lines of an access log.
//
//   #include <iostream>
//
//   Traffic traffic;
//   traffic.Log([](std::string_view line) { std::clog << line; });
//   Traffic::Request request;
//   request.transport = "http";
//   request.code = "OK";
//   traffic.Add(request);
//   traffic.Metrics();
//   // ... tessera_requests_total{transport="http",code="OK"} 1 ...

#ifndef TESSERA_SERVICE_TRANSPORT_TRAFFIC_H_
#define TESSERA_SERVICE_TRANSPORT_TRAFFIC_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace tessera {

// Any number of threads may call it at once.
class Traffic {
 public:
  struct Request {
    std::string_view transport;  // "http" or "grpc"
    std::string client;          // the address and port
    std::string method;          // "POST"
    std::string path;            // "/v1/ask"
    // The HTTP status, or the number of the gRPC code.
    int status = 0;
    // The name of the gRPC code; for HTTP, the closest one.
    std::string code;
    int64_t bytes_in = 0;   // of the message or the body
    int64_t bytes_out = 0;  // of the answer
    // The time that it waited for a thread, and its total time.
    absl::Duration waited;
    absl::Duration took;
  };

  // Counts a request, and logs it.
  void Add(const Request& request);

  // From here on, calls `write` with a line for each request: an object of JSON
  // and a line break. Calls do not overlap.
  void Log(std::function<void(std::string_view line)> write);

  // Adds a number, under `name`, that each call of Metrics() queries. `help` is
  // one sentence.
  void AddGauge(std::string name, std::string help,
                std::function<double()> value);

  // Returns all numbers in the text format of Prometheus, with those of the
  // process: memory, files, threads and processor time.
  std::string Metrics() const;

 private:
  // Durations by their upper bounds.
  struct Histogram {
    static constexpr double kBounds[] = {0.001, 0.0025, 0.005, 0.01, 0.025,
                                         0.05,  0.1,    0.25,  0.5,  1,
                                         2.5,   5,      10,    30,   60};
    void Add(absl::Duration duration);
    std::array<int64_t, std::size(kBounds) + 1> counts = {};
    double sum = 0;
  };
  struct Gauge {
    std::string name;
    std::string help;
    std::function<double()> value;
  };

  mutable std::mutex mutex_;
  std::function<void(std::string_view line)> log_;
  std::vector<Gauge> gauges_;
  // By transport and code.
  std::map<std::pair<std::string, std::string>, int64_t> requests_;
  int64_t bytes_in_ = 0;
  int64_t bytes_out_ = 0;
  Histogram waited_;
  Histogram took_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_TRAFFIC_H_
