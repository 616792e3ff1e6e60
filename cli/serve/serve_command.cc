#include "tessera/cli/serve/serve_command.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace tessera::cli {
namespace {

constexpr char kServeFooter[] =
    R"(Answers the requests of proto/layout_service.proto. Over gRPC this is the
service tessera.rpc.LayoutService, with health checking (grpc.health.v1) and
reflection. Over HTTP, requests and answers are JSON. POST /v1/ask takes one
request, and POST /v1/batch takes a BatchRequest. GET /v1 lists the questions,
each with an example, and GET /v1/openapi.json returns an OpenAPI file. GET
/healthz and /readyz return ok, GET /metrics returns numbers for Prometheus, and
GET / returns a page that shows layouts. With ?json=proto3 an answer is proto3's
JSON. An error has the HTTP status or the gRPC status of its code. When it is
ready, the server prints one line for gRPC and one for HTTP. Port 0 means any
free port.

The Debian package tessera-server runs this as the service tessera-server, with
the options in /etc/default/tessera-server.

There is neither encryption nor authentication; only this machine can reach the
default host. HTTP refuses pages of another origin, and requests for a host
other than loopback names, --host and --allow-host.

SIGTERM and SIGINT shut the server down: it accepts no more calls, finishes
those in progress within --drain-seconds, and exits with 0. A second signal
stops it at once.

Examples:
  tessera serve
  tessera serve --grpc-port 0 --http-port 0 --jobs 4
  curl -H 'Content-Type: application/json' http://127.0.0.1:8080/v1/ask \
    -d '{"linearize":{"layout":"f32[3,5]{1,0:T(2,2)}","indices":[2,3]}}')";

constexpr int64_t kMostDrainSeconds = 3600;

// Declares an option with a whole number, and its destination.
void Number(const char* name, const char* placeholder, const char* description,
            int64_t smallest, int64_t largest, int64_t* value,
            Subcommand* command) {
  command->Value(name, placeholder, description,
                 [=](const std::string& text) -> std::string {
                   int64_t number = 0;
                   if (!absl::SimpleAtoi(text, &number) || number < smallest ||
                       number > largest) {
                     return absl::StrCat(text, " is not a whole number from ",
                                         smallest, " to ", largest);
                   }
                   *value = number;
                   return "";
                 });
}

std::string ServeUsageError(const ServeOptions& options) {
  for (const std::string& host : options.allowed_hosts) {
    // IPv6 addresses have two colons or more.
    const bool has_port = std::count(host.begin(), host.end(), ':') == 1;
    if (has_port || host.empty() ||
        host.find_first_of("/ \t") != std::string::npos) {
      return absl::StrCat("--allow-host: '", host,
                          "' is not the name of a host without a port");
    }
  }
  return "";
}

}  // namespace

void AddServeCommand(
    CommandLine* command_line,
    std::function<bool(const ServeOptions& options, Console* console)> serve) {
  auto options = std::make_shared<ServeOptions>();
  Subcommand command = command_line->Add(
      "serve", "Answer requests over gRPC and HTTP", kServeFooter);
  command.Value("--host", "HOST", "the host to listen on (127.0.0.1)",
                [options](const std::string& host) -> std::string {
                  if (host.empty()) return "the name is empty";
                  options->host = host;
                  return "";
                });
  constexpr int64_t kLastPort = 65535;
  Number("--grpc-port", "PORT", "the port for gRPC (50051)", 0, kLastPort,
         &options->grpc_port, &command);
  Number("--http-port", "PORT", "the port for HTTP (8080)", 0, kLastPort,
         &options->http_port, &command);
  command.Texts(
      "--allow-host", "NAME",
      "another name that HTTP requests may use for this host; may be repeated",
      &options->allowed_hosts);
  command.ByteSize(
      "--max-message-bytes", "the largest incoming message or body (16MiB)",
      &options->message_bytes, {1, std::numeric_limits<int32_t>::max()});
  Number(
      "-j,--jobs", "N",
      "the number of threads for batches and requests over 64 KiB, up to 256 "
      "(one per core); four times as many answer the others",
      0, std::numeric_limits<int64_t>::max(), &options->jobs, &command);
  Number("--drain-seconds", "N",
         "the time that calls in progress get at shutdown (10)", 0,
         kMostDrainSeconds, &options->drain_seconds, &command);
  command.Text("--access-log", "FILE",
               "append a line of JSON for each request to this file; - is "
               "standard error",
               &options->access_log);
  command.Run([options, serve = std::move(serve)](
                  Console* console) { return serve(*options, console); },
              [options] { return ServeUsageError(*options); });
}

}  // namespace tessera::cli
