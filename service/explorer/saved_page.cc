#include "tessera/service/explorer/saved_page.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/explorer/explorer_files.h"
#include "tessera/service/json.h"

namespace tessera {
namespace {

constexpr int64_t kRows = 20;
constexpr int64_t kColumns = 16;
constexpr int64_t kMemoryWidth = 8;  // positions in a row

using Index = std::vector<int64_t>;

// Returns the status with its place in `layout`, if it has one.
absl::Status StatusOf(const Response& response, std::string_view layout) {
  if (!response.has_error()) return absl::OkStatus();
  const Error& error = response.error();
  const auto code = static_cast<absl::StatusCode>(error.code());
  if (!error.has_position()) return absl::Status(code, error.message());
  return DiagnosticError(layout, error.position().offset(), error.message(),
                         code);
}

void SetRange(int64_t first, int64_t count, CellRange* range) {
  range->set_first(first);
  range->set_count(count);
}

absl::Status CheckCells(int64_t count) {
  if (count <= kMaxSavedCells) return absl::OkStatus();
  return ResourceExhaustedError("a saved page has at most ", kMaxSavedCells,
                                " cells and as many positions, and this has ",
                                count);
}

// The least position of the elements that are drawn.
int64_t FirstPosition(const PictureResult& picture) {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < picture.kinds_size(); ++i) {
    if (picture.kinds(i) == ELEMENT) {
      first = std::min(first, picture.linear_indices(i));
    }
  }
  return first == std::numeric_limits<int64_t>::max() ? 0 : first;
}

// Asks for the cells and, from their first position on, for memory.
absl::StatusOr<PictureResult> AskPicture(const LayoutService& service,
                                         const PictureRequest& question) {
  Request request;
  PictureRequest& picture = *request.mutable_picture();
  picture = question;
  if (!picture.has_row_window()) {
    SetRange(0, kRows, picture.mutable_row_window());
  }
  if (!picture.has_column_window()) {
    SetRange(0, kColumns, picture.mutable_column_window());
  }
  Response response = service.Answer(request);
  TESSERA_RETURN_IF_ERROR(StatusOf(response, question.layout()));
  if (!picture.has_memory()) {
    const int64_t first =
        FirstPosition(response.picture()) / kMemoryWidth * kMemoryWidth;
    SetRange(first, kRows * kColumns, picture.mutable_memory());
    response = service.Answer(request);
    TESSERA_RETURN_IF_ERROR(StatusOf(response, question.layout()));
  }
  TESSERA_RETURN_IF_ERROR(CheckCells(std::max(
      response.picture().kinds_size(), response.picture().memory_size())));
  return response.picture();
}

// Returns the indices of all elements on either side.
std::set<Index> IndicesOf(const PictureResult& picture) {
  std::set<Index> indices;
  for (int i = 0; i < picture.kinds_size(); ++i) {
    if (picture.kinds(i) != ELEMENT) continue;
    Index index(picture.index().begin(), picture.index().end());
    const int64_t across = picture.columns().window().count();
    if (picture.rows().has_dimension()) {
      index[picture.rows().dimension()] =
          picture.rows().coordinates(i / across);
    }
    if (picture.columns().has_dimension()) {
      index[picture.columns().dimension()] =
          picture.columns().coordinates(i % across);
    }
    indices.insert(std::move(index));
  }
  for (const MemoryPlace& place : picture.memory()) {
    if (place.kind() == ELEMENT) {
      indices.insert(Index(place.index().begin(), place.index().end()));
    }
  }
  return indices;
}

// Returns the answers to the page's questions about every element, by index, in
// the form that explorer.js expects.
absl::StatusOr<std::string> AnswersOf(const LayoutService& service,
                                      const std::string& layout, bool is_tensor,
                                      const std::set<Index>& indices) {
  std::vector<std::string> explanations, locations;
  for (const Index& index : indices) {
    const std::string key =
        absl::StrCat("\"", absl::StrJoin(index, ","), "\":");
    Request request;
    request.mutable_explain()->set_layout(layout);
    request.mutable_explain()->mutable_index()->Add(index.begin(), index.end());
    Response response = service.Answer(request);
    TESSERA_RETURN_IF_ERROR(StatusOf(response, layout));
    explanations.push_back(
        absl::StrCat(key, ProtoToJson(response.explain(), JsonFields::kAll)));
    if (!is_tensor) continue;
    request.mutable_locate()->set_tensor(layout);
    request.mutable_locate()->mutable_indices()->Add(index.begin(),
                                                     index.end());
    response = service.Answer(request);
    TESSERA_RETURN_IF_ERROR(StatusOf(response, layout));
    locations.push_back(
        absl::StrCat(key, ProtoToJson(response.locate(), JsonFields::kAll)));
  }
  return absl::StrCat("\"explain\":{", absl::StrJoin(explanations, ","),
                      "},\"locate\":{", absl::StrJoin(locations, ","), "}");
}

// Returns JSON that is safe in HTML: "<" occurs only in strings, and is escaped
// there.
std::string DataScript(std::string_view json) {
  return absl::StrCat("<script type=\"application/json\" id=\"export\">",
                      absl::StrReplaceAll(AbslView(json), {{"<", "\\u003c"}}),
                      "</script>\n");
}

std::string Script(std::string_view text) {
  return StrCat("<script>\n", text, "</script>");
}

}  // namespace

absl::StatusOr<std::string> SavedPage(const LayoutService& service,
                                      PictureRequest question) {
  Request request;
  request.mutable_describe()->set_layout(question.layout());
  const Response described = service.Answer(request);
  TESSERA_RETURN_IF_ERROR(StatusOf(described, question.layout()));
  TESSERA_ASSIGN_OR_RETURN(const PictureResult picture,
                           AskPicture(service, question));
  TESSERA_ASSIGN_OR_RETURN(
      const std::string answers,
      AnswersOf(service, question.layout(), described.describe().has_tensor(),
                IndicesOf(picture)));
  const std::string json = absl::StrCat(
      "{\"description\":", ProtoToJson(described.describe(), JsonFields::kAll),
      ",\"width\":", kMemoryWidth,
      ",\"picture\":", ProtoToJson(picture, JsonFields::kAll), ",", answers,
      "}");
  return absl::StrReplaceAll(
      kExplorerHtml,
      {{"<link rel=\"icon\" href=\"icon.svg\">",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">"},
       {"<link rel=\"stylesheet\" href=\"explorer.css\">",
        absl::StrCat("<style>\n", kExplorerStyle, "</style>")},
       {"<script src=\"dom.js\"></script>",
        absl::StrCat(DataScript(json), Script(kDomScript))},
       {"<script src=\"explorer_handles.js\"></script>",
        Script(kExplorerHandlesScript)},
       {"<script src=\"explorer_model.js\"></script>",
        Script(kExplorerModelScript)},
       {"<script src=\"explorer_sizes.js\"></script>",
        Script(kExplorerSizesScript)},
       {"<script src=\"explorer_cores.js\"></script>",
        Script(kExplorerCoresScript)},
       // A saved page does not have a server for pictures.
       {"<script src=\"explorer_threads.js\"></script>\n", ""},
       {"<script src=\"explorer.js\"></script>", Script(kExplorerScript)}});
}

}  // namespace tessera
