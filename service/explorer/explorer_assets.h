// The files of the explorer, a web page that shows layouts, for a server.
//
//   HttpOptions options;
//   options.assets = ExplorerAssets();   // "/", "/explorer.js", ...
//
// The page asks only POST v1/ask (service/transport/http_transport.h) and loads
// only these assets. Its scripts and styles are separate files, so that it
// works under a Content-Security-Policy of default-src 'self'.
//
// The attribute `data-state` of its <html> is "ready" when everything has been
// drawn and "busy" before that. `data-errors` counts script errors.

#ifndef TESSERA_SERVICE_EXPLORER_EXPLORER_ASSETS_H_
#define TESSERA_SERVICE_EXPLORER_EXPLORER_ASSETS_H_

#include <vector>

#include "tessera/service/transport/static_asset.h"

namespace tessera {

// Returns the assets, which live as long as the program.
std::vector<StaticAsset> ExplorerAssets();

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLORER_EXPLORER_ASSETS_H_
