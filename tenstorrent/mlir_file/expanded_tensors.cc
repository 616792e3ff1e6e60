#include "tessera/tenstorrent/mlir_file/expanded_tensors.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"
#include "tessera/tenstorrent/mlir_file/mlir_tokens.h"

namespace tessera::tenstorrent {
namespace {

// Returns only the definitions of the file, one after the other.
std::string AliasDefinitions(std::string_view file) {
  std::string definitions;
  MlirTokens tokens(file);
  for (MlirToken token = tokens.Next(); token.kind != MlirToken::kEnd;
       token = tokens.Next()) {
    if ((token.kind != MlirToken::kAttribute &&
         token.kind != MlirToken::kType) ||
        !tokens.At('=')) {
      continue;
    }
    tokens.Next();
    StrAppend(&definitions, token.text, " = ", tokens.TakeAliasValue(), "\n");
  }
  return definitions;
}

// Returns the tensors that begin in the first `lines` lines of the text.
std::vector<std::string> TensorsAfter(const std::string& definitions,
                                      std::string_view text, int64_t lines) {
  const int64_t first =
      1 + std::count(definitions.begin(), definitions.end(), '\n');
  std::vector<std::string> tensors;
  for (const FileItem& item : ReadLayoutFile(StrCat(definitions, text)).items) {
    if (item.kind == FileItem::kTensor && item.first.line >= first &&
        item.first.line - first < lines) {
      tensors.push_back(item.text);
    }
  }
  return tensors;
}

}  // namespace

std::vector<std::string> ExpandedTensors(std::string_view file,
                                         std::string_view text) {
  return TensorsAfter(AliasDefinitions(file), text,
                      std::numeric_limits<int64_t>::max());
}

std::vector<std::string> TensorsOfLine(std::string_view file, int64_t line) {
  size_t begin = 0;
  for (int64_t i = 1; i < line; ++i) {
    begin = file.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  // A type may continue in the lines below.
  return TensorsAfter(AliasDefinitions(file.substr(0, begin)),
                      file.substr(begin, MlirTokens::kMaxTypeBytes),
                      /*lines=*/1);
}

}  // namespace tessera::tenstorrent
