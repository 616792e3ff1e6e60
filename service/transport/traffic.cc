#include "tessera/service/transport/traffic.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// A string of JSON, whose bytes beyond ASCII are replaced: clients choose them.
std::string JsonString(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      absl::StrAppend(&json, "\\", std::string(1, c));
    } else if (byte < 0x20 || byte >= 0x7f) {
      absl::StrAppendFormat(&json, "\\u%04x", byte);
    } else {
      json.push_back(c);
    }
  }
  json.push_back('"');
  return json;
}

std::string LogLine(const Traffic::Request& request) {
  const auto milliseconds = [](absl::Duration duration) {
    return absl::StrFormat("%.3f", absl::ToDoubleMilliseconds(duration));
  };
  return absl::StrCat(
      "{\"time\":\"",
      absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ", absl::Now(),
                       absl::UTCTimeZone()),
      "\",\"transport\":", JsonString(request.transport),
      ",\"client\":", JsonString(request.client),
      ",\"method\":", JsonString(request.method),
      ",\"path\":", JsonString(request.path), ",\"status\":", request.status,
      ",\"code\":", JsonString(request.code),
      ",\"bytes_in\":", request.bytes_in, ",\"bytes_out\":", request.bytes_out,
      ",\"waited_ms\":", milliseconds(request.waited),
      ",\"took_ms\":", milliseconds(request.took), "}\n");
}

void AppendHead(std::string_view name, std::string_view help,
                std::string_view type, std::string* text) {
  StrAppend(text, "# HELP ", name, " ", help, "\n# TYPE ", name, " ", type,
            "\n");
}

void AppendNumber(std::string_view name, std::string_view help,
                  std::string_view type, double value, std::string* text) {
  AppendHead(name, help, type, text);
  absl::StrAppendFormat(text, "%s %.15g\n", AbslView(name), value);
}

int64_t EntriesOf(const char* folder) {
  DIR* const entries = opendir(folder);
  if (entries == nullptr) return 0;
  int64_t count = 0;
  while (const dirent* entry = readdir(entries)) {
    count += entry->d_name[0] == '.' ? 0 : 1;
  }
  closedir(entries);
  return count;
}

void AppendProcess(std::string* text) {
  int64_t pages = 0;
  int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + time.tv_usec * 1e-6;
  };
  AppendNumber(
      "process_resident_memory_bytes", "The memory that is in use.", "gauge",
      static_cast<double>(resident_pages * sysconf(_SC_PAGESIZE)), text);
  AppendNumber("process_cpu_seconds_total", "The time of the processor.",
               "counter", seconds(used.ru_utime) + seconds(used.ru_stime),
               text);
  AppendNumber("process_open_fds", "The files that are open.", "gauge",
               static_cast<double>(EntriesOf("/proc/self/fd")), text);
  AppendNumber("process_threads", "The threads.", "gauge",
               static_cast<double>(EntriesOf("/proc/self/task")), text);
}

}  // namespace

void Traffic::Histogram::Add(absl::Duration duration) {
  const double seconds = absl::ToDoubleSeconds(duration);
  ++counts[std::lower_bound(std::begin(kBounds), std::end(kBounds), seconds) -
           std::begin(kBounds)];
  sum += seconds;
}

void Traffic::Add(const Request& request) {
  std::lock_guard<std::mutex> lock(mutex_);
  ++requests_[{std::string(request.transport), request.code}];
  bytes_in_ += request.bytes_in;
  bytes_out_ += request.bytes_out;
  waited_.Add(request.waited);
  took_.Add(request.took);
  if (log_ != nullptr) log_(LogLine(request));
}

void Traffic::Log(std::function<void(std::string_view line)> write) {
  std::lock_guard<std::mutex> lock(mutex_);
  log_ = std::move(write);
}

void Traffic::AddGauge(std::string name, std::string help,
                       std::function<double()> value) {
  std::lock_guard<std::mutex> lock(mutex_);
  gauges_.push_back({std::move(name), std::move(help), std::move(value)});
}

std::string Traffic::Metrics() const {
  std::string text;
  std::lock_guard<std::mutex> lock(mutex_);
  AppendHead("tessera_requests_total", "The requests that were answered.",
             "counter", &text);
  for (const auto& [key, count] : requests_) {
    absl::StrAppend(&text, "tessera_requests_total{transport=\"", key.first,
                    "\",code=\"", key.second, "\"} ", count, "\n");
  }
  AppendNumber("tessera_request_bytes_total", "The bytes of requests.",
               "counter", static_cast<double>(bytes_in_), &text);
  AppendNumber("tessera_answer_bytes_total", "The bytes of answers.", "counter",
               static_cast<double>(bytes_out_), &text);
  const auto append_histogram = [&text](const std::string& name,
                                        std::string_view help,
                                        const Histogram& histogram) {
    AppendHead(name, help, "histogram", &text);
    int64_t count = 0;
    for (size_t i = 0; i < histogram.counts.size(); ++i) {
      count += histogram.counts[i];
      const std::string bound =
          i < std::size(Histogram::kBounds)
              ? absl::StrFormat("%g", Histogram::kBounds[i])
              : "+Inf";
      absl::StrAppend(&text, name, "_bucket{le=\"", bound, "\"} ", count, "\n");
    }
    absl::StrAppendFormat(&text, "%s_sum %.9g\n%s_count %d\n", name,
                          histogram.sum, name, count);
  };
  append_histogram("tessera_wait_seconds",
                   "How long requests waited for a thread.", waited_);
  append_histogram("tessera_request_seconds",
                   "How long requests took, without reading and writing them.",
                   took_);
  for (const Gauge& gauge : gauges_) {
    AppendNumber(gauge.name, gauge.help, "gauge", gauge.value(), &text);
  }
  AppendProcess(&text);
  return text;
}

}  // namespace tessera
