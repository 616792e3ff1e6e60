// The explorer with one layout, as a file that does not need a server. The file
// holds the picture and all facts about each cell.
//
//   const LayoutService service;
//   PictureRequest question;
//   question.set_layout("f32[3,5]{1,0:T(2,2)}");
//   absl::StatusOr<std::string> html = SavedPage(service, question);
//   // "<!DOCTYPE html>..."; hover and click, nothing to type
//
// The file loads nothing; its Content-Security-Policy forbids it.

#ifndef TESSERA_SERVICE_EXPLORER_SAVED_PAGE_H_
#define TESSERA_SERVICE_EXPLORER_SAVED_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/layout_service.h"

namespace tessera {

// The most cells, and the most positions of memory, of a saved page. Each
// element among them adds about a kilobyte.
inline constexpr int64_t kMaxSavedCells = int64_t{1} << 11;

// Returns the page. By default it shows 20 rows, 16 columns, and as many
// positions of memory, from the first of these cells on.
//
// Errors: those of the questions `describe` and `picture`; kResourceExhausted
// beyond kMaxSavedCells.
absl::StatusOr<std::string> SavedPage(const LayoutService& service,
                                      PictureRequest question);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLORER_SAVED_PAGE_H_
