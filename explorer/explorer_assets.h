// File: explorer/explorer_assets.h
//
// The explorer, a page on which to look at layouts, as what a server serves
// beside the answers to its questions.
//
//   HttpOptions options;
//   options.assets = ExplorerAssets();   // "/", "/explorer.js", ...
//
// The page asks POST v1/ask (transport/http_transport.h) and nothing else, and
// loads nothing but these assets; its scripts and styles are files of their
// own, so that a Content-Security-Policy of default-src 'self' lets it work.
//
// `data-state` of its <html> is "ready" whenever everything that was asked for
// is drawn, and "busy" in between; `data-errors` counts script errors.

#ifndef TESSERA_EXPLORER_EXPLORER_ASSETS_H_
#define TESSERA_EXPLORER_EXPLORER_ASSETS_H_

#include <vector>

#include "tessera/transport/static_asset.h"

namespace tessera {

// They live as long as the program.
std::vector<StaticAsset> ExplorerAssets();

}  // namespace tessera

#endif  // TESSERA_EXPLORER_EXPLORER_ASSETS_H_
