#include "tests/fuzz/properties.h"

#include <map>
#include <string>
#include <string_view>

#include "tests/fuzz/assignment_text.h"
#include "tests/fuzz/cute_text.h"
#include "tests/fuzz/diff_text.h"
#include "tests/fuzz/file_bytes.h"
#include "tests/fuzz/hlo_proto.h"
#include "tests/fuzz/hlo_text.h"
#include "tests/fuzz/http_text.h"
#include "tests/fuzz/memory_config_text.h"
#include "tests/fuzz/pasted_text.h"
#include "tests/fuzz/relayout_text.h"
#include "tests/fuzz/request_text.h"
#include "tests/fuzz/shape_text.h"
#include "tests/fuzz/strided_text.h"
#include "tests/fuzz/tenstorrent_text.h"
#include "tests/fuzz/tt_file_text.h"

namespace tessera {

const std::map<std::string, Property, std::less<>>& Properties() {
  static const auto* const properties =
      new std::map<std::string, Property, std::less<>>{
          {"assignment", AssignmentTextProblem},
          {"cute", CuteTextProblem},
          {"diff", DiffTextProblem},
          {"gzip", GzipProblem},
          {"hlo", HloTextProblem},
          {"hlo_proto", HloProtoProblem},
          {"http", HttpTextProblem},
          {"layout", LayoutTextProblem},
          {"memory_config", MemoryConfigTextProblem},
          {"npy", NpyProblem},
          {"pasted", PastedTextProblem},
          {"relayout", RelayoutTextProblem},
          {"request", RequestTextProblem},
          {"shape", ShapeTextProblem},
          {"strided", StridedTextProblem},
          {"tenstorrent", TenstorrentTextProblem},
          {"tt_file", TtFileTextProblem},
      };
  return *properties;
}

Property PropertyOf(std::string_view name) {
  const auto found = Properties().find(name);
  return found == Properties().end() ? nullptr : found->second;
}

}  // namespace tessera
