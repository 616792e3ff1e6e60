#include "tessera/service/explorer/explorer_assets.h"

#include "tessera/service/explorer/explorer_files.h"

namespace tessera {
namespace {

constexpr char kScript[] = "text/javascript; charset=utf-8";

}  // namespace

std::vector<StaticAsset> ExplorerAssets() {
  return {{"/", "text/html; charset=utf-8", kExplorerHtml},
          {"/dom.js", kScript, kDomScript},
          {"/explorer.css", "text/css; charset=utf-8", kExplorerStyle},
          {"/explorer.js", kScript, kExplorerScript},
          {"/explorer_cores.js", kScript, kExplorerCoresScript},
          {"/explorer_handles.js", kScript, kExplorerHandlesScript},
          {"/explorer_model.js", kScript, kExplorerModelScript},
          {"/explorer_sizes.js", kScript, kExplorerSizesScript},
          {"/explorer_threads.js", kScript, kExplorerThreadsScript},
          {"/icon.svg", "image/svg+xml", kExplorerIcon}};
}

}  // namespace tessera
