// HTTP/2 as a client may speak it that does not take what it asked for.
//
//   RawConnection connection(port);
//   connection.Send(Http2Opening(/*window=*/0));
//   connection.Send(Http2Call(1, "/tessera.rpc.LayoutService/Ask", bytes));

#ifndef TESSERA_TESTS_SERVICE_TRANSPORT_HTTP2_H_
#define TESSERA_TESTS_SERVICE_TRANSPORT_HTTP2_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

// The last `bytes` bytes of a number, the highest first.
inline std::string BigEndian(uint32_t number, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) {
    text.push_back(static_cast<char>(number >> (8 * i)));
  }
  return text;
}

// RFC 9113, section 4.1.
inline std::string Http2Frame(int type, int flags, uint32_t stream,
                              std::string_view payload) {
  return absl::StrCat(BigEndian(payload.size(), 3), BigEndian(type, 1),
                      BigEndian(flags, 1), BigEndian(stream, 4),
                      AbslView(payload));
}

// The beginning of a connection, whose client takes `window` bytes of each
// answer, and of all together 64 KiB more, without being asked again.
inline std::string Http2Opening(uint32_t window) {
  std::string text =
      absl::StrCat("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                   // SETTINGS_INITIAL_WINDOW_SIZE.
                   Http2Frame(4, 0, 0, BigEndian(4, 2) + BigEndian(window, 4)));
  if (window > 0) text += Http2Frame(8, 0, 0, BigEndian(window, 4));
  return text;
}

// A call of gRPC. Precondition: `message` is short.
inline std::string Http2Call(uint32_t stream, std::string_view path,
                             std::string_view message) {
  std::string headers;
  const auto add = [&headers](std::string_view name, std::string_view value) {
    // A literal without indexing, RFC 7541, section 6.2.2.
    absl::StrAppend(&headers, BigEndian(0, 1), BigEndian(name.size(), 1),
                    AbslView(name), BigEndian(value.size(), 1),
                    AbslView(value));
  };
  add(":method", "POST");
  add(":scheme", "http");
  add(":path", path);
  add(":authority", "localhost");
  add("te", "trailers");
  add("content-type", "application/grpc");
  constexpr int kEndStream = 1, kEndHeaders = 4;
  return absl::StrCat(
      Http2Frame(1, kEndHeaders, stream, headers),
      Http2Frame(0, kEndStream, stream,
                 absl::StrCat(BigEndian(0, 1), BigEndian(message.size(), 4),
                              AbslView(message))));
}

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_TRANSPORT_HTTP2_H_
