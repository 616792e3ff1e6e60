// A file that the HTTP transport serves from bytes that are compiled into the
// program. It never reads a file to answer a request.
//
//   #include "tessera/service/transport/http_transport.h"
//
//   HttpOptions options;
//   options.assets = {{"/", "text/html; charset=utf-8", "<!DOCTYPE html>"}};

#ifndef TESSERA_SERVICE_TRANSPORT_STATIC_ASSET_H_
#define TESSERA_SERVICE_TRANSPORT_STATIC_ASSET_H_

#include <string_view>

namespace tessera {

// All of it must outlive the transport.
struct StaticAsset {
  std::string_view path;  // "/", "/explorer.js"
  std::string_view content_type;
  std::string_view bytes;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_STATIC_ASSET_H_
