// File: service/service_options.h
//
// How much may one request ask for, so that a server stays up whatever it is
// sent?
//
//   ServiceOptions options;
//   options.text_bytes = 4;
//   CheckTextBytes(options, "f32[2]");
//   // RESOURCE_EXHAUSTED: text_bytes: 6 bytes exceed the limit of 4
//   CheckTextBytes(ServiceOptions::Unlimited(), text);   // OK, however long
//
// The defaults let through what compilers print and people type, many times
// over, and keep every answer below a second and some tens of megabytes. What
// exceeds a limit is refused with kResourceExhausted and the limit's name
// first, except where a list may be cut and its message says so (`truncated`).

#ifndef TESSERA_SERVICE_SERVICE_OPTIONS_H_
#define TESSERA_SERVICE_SERVICE_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tessera {

struct ServiceOptions {
  // For a program that asks for whoever runs it, as the command line does:
  // requests and answers may be as large as they come. What stays bounded is
  // work that the size of neither tells: walk_steps, at more of them,
  // evaluations and picture_cells.
  static ServiceOptions Unlimited();

  // Of a layout.
  int64_t text_bytes = int64_t{1} << 18;
  // Levels of tuples in an XLA shape whose message is asked for. Protocol
  // Buffers read messages nested 100 deep; the answer to a batch has three
  // levels above the shape, and its innermost array holds a layout, and that a
  // tile.
  int64_t shape_nesting = 94;
  // Of an expression of CuTe's, whose values may be far longer than it.
  int64_t expression_bytes = int64_t{1} << 12;
  // Of the dumps of HLO modules in a question, together.
  int64_t hlo_bytes = int64_t{32} << 20;
  // Modules and computations of those, together.
  int64_t hlo_computations = int64_t{1} << 16;
  // The texts of the distinct shapes of a dump, together.
  int64_t hlo_shape_bytes = int64_t{1} << 19;
  // Of what an answer says of dumps: names, shapes and numbers.
  int64_t hlo_answer_bytes = int64_t{1} << 25;
  // Of a request as JSON: a line of `tessera batch`.
  int64_t json_bytes = int64_t{64} << 20;
  // Messages in that, one within another or side by side.
  int64_t json_messages = int64_t{1} << 16;
  // Dimensions of an array and entries of its tiles, together; leaves of a CuTe
  // layout; dimensions and results of a Tenstorrent tensor's map.
  int64_t axes = 256;
  // Coordinates of all indices of a request, or positions; entries of the shape
  // indices of a tuple's leaves.
  int64_t index_entries = int64_t{1} << 20;
  // Requests of a batch.
  int64_t batch_requests = int64_t{1} << 12;
  // Of the answers to a batch, in memory, beside those that are errors.
  int64_t batch_answer_bytes = int64_t{64} << 20;
  // Rows of any list in an answer: runs, ranges, values, leaves of a tuple,
  // locations, rows of the tables on HLO.
  int64_t table_rows = int64_t{1} << 12;
  // Cells of a picture, and positions beside it; no more than 65,536.
  int64_t picture_cells = int64_t{1} << 14;
  // Blocks of positions that are looked at to find runs and ranges of padding:
  // what is found by then is the answer, truncated.
  int64_t walk_steps = int64_t{1} << 18;
  // Indices that are tried, one after the other, where a question about a
  // layout cannot be told from its structure.
  int64_t evaluations = int64_t{1} << 20;
};

// Checks a size against a limit: "axes: 300 axes exceed the limit of 256".
absl::Status CheckLimit(absl::string_view name, absl::string_view unit,
                        int64_t size, int64_t limit);

// The same of one text or list, under the name of its limit.
absl::Status CheckTextBytes(const ServiceOptions& options,
                            absl::string_view text);
absl::Status CheckAxes(const ServiceOptions& options, int64_t axes);
absl::Status CheckIndexEntries(const ServiceOptions& options, int64_t entries);
absl::Status CheckTableRows(const ServiceOptions& options, int64_t rows);

// Returns how many rows a list may have of which `asked` were asked for:
// `if_not_asked`, or what is allowed if that is less, where that is 0. Errors:
// kInvalidArgument if it is negative; kResourceExhausted as above.
absl::StatusOr<int64_t> RowsToAnswer(const ServiceOptions& options,
                                     int64_t asked, int64_t if_not_asked);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SERVICE_OPTIONS_H_
