// File: explorer/saved_page.h
//
// The explorer with one layout, as a file that needs no server: what is to be
// seen of it, and what there is to say of every cell, is in the file.
//
//   const LayoutService service;
//   PictureRequest question;
//   question.set_layout("f32[3,5]{1,0:T(2,2)}");
//   absl::StatusOr<std::string> html = SavedPage(service, question);
//   // "<!DOCTYPE html>..."; hover and click, nothing to type
//
// The file loads nothing, and forbids itself to by a Content-Security-Policy.

#ifndef TESSERA_EXPLORER_SAVED_PAGE_H_
#define TESSERA_EXPLORER_SAVED_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "proto/layout_service.pb.h"
#include "tessera/service/layout_service.h"

namespace tessera {

// The most cells, and the most positions of memory, of a saved page: each of
// their elements adds about a kilobyte.
inline constexpr int64_t kMaxSavedCells = int64_t{1} << 11;

// What the question does not say is 20 rows, 16 columns, and from memory as
// many positions from the first of these on.
//
// Errors: those of the questions `describe` and `picture`; kResourceExhausted
// past kMaxSavedCells.
absl::StatusOr<std::string> SavedPage(const LayoutService& service,
                                      PictureRequest question);

}  // namespace tessera

#endif  // TESSERA_EXPLORER_SAVED_PAGE_H_
