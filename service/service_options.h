// The limits of one request, which protect a server from any request.
//
//   ServiceOptions options;
//   options.text_bytes = 4;
//   CheckTextBytes(options, "f32[2]");
//       // RESOURCE_EXHAUSTED: text_bytes: 6 bytes exceed the limit of 4
//   CheckTextBytes(ServiceOptions::Unlimited(), std::string(1 << 20, ' '));
//       // OK, however long
//
// The defaults are many times the sizes that compilers print and people type.
// They keep every answer below a second and some tens of megabytes. A request
// that exceeds a limit is refused with kResourceExhausted, and the message
// begins with the name of the limit. A list whose message has `truncated` is
// cut instead, unless it would be empty.

#ifndef TESSERA_SERVICE_SERVICE_OPTIONS_H_
#define TESSERA_SERVICE_SERVICE_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tessera {

struct ServiceOptions {
  // Limits for a program that acts for its own user, such as the command line:
  // requests and answers may have any size. Work that does not depend on their
  // sizes stays bounded by evaluations, picture_cells and a higher limit of
  // walk_steps.
  static ServiceOptions Unlimited();

  // Bytes of the text of a layout.
  int64_t text_bytes = int64_t{1} << 18;
  // Levels of tuples in an XLA shape whose message is requested. Protocol
  // Buffers read messages nested 100 deep. The answer to a batch has three
  // levels above the shape, and the innermost array holds a layout, which holds
  // a tile.
  int64_t shape_nesting = 94;
  // Bytes of a CuTe expression, whose value may be much longer.
  int64_t expression_bytes = int64_t{1} << 12;
  // Total bytes of all HLO dumps in a question, or of a file with layouts of
  // Tenstorrent's tensors.
  int64_t hlo_bytes = int64_t{32} << 20;
  // Total modules and computations in these dumps.
  int64_t hlo_computations = int64_t{1} << 16;
  // Total bytes of the texts of all distinct shapes of a dump.
  int64_t hlo_shape_bytes = int64_t{1} << 19;
  // Bytes of an answer about dumps: names, shapes and numbers.
  int64_t hlo_answer_bytes = int64_t{1} << 25;
  // Bytes of a request in JSON: a line of `tessera batch`.
  int64_t json_bytes = int64_t{64} << 20;
  // Messages in a request in JSON, at any depth.
  int64_t json_messages = int64_t{1} << 16;
  // Dimensions of an array and entries of its tiles, together; leaves of a CuTe
  // layout; dimensions and results of a Tenstorrent tensor's map.
  int64_t axes = 256;
  // Coordinates of all indices of a request, or its positions; entries of the
  // shape indices of all leaves of a tuple.
  int64_t index_entries = int64_t{1} << 20;
  // Requests of a batch.
  int64_t batch_requests = int64_t{1} << 12;
  // Bytes in memory of the answers to a batch, without errors.
  int64_t batch_answer_bytes = int64_t{64} << 20;
  // Rows of any list in an answer: runs, ranges, values, leaves of a tuple,
  // locations, rows of the tables on HLO.
  int64_t table_rows = int64_t{1} << 12;
  // Cells of a picture, and positions in its picture of memory; at most 65,536.
  int64_t picture_cells = int64_t{1} << 14;
  // Blocks of positions that are searched for runs and ranges of padding. The
  // answer is truncated after them, or refused if nothing was found.
  int64_t walk_steps = int64_t{1} << 18;
  // Indices to try, one after the other, if the structure of a layout does not
  // answer the question.
  int64_t evaluations = int64_t{1} << 20;
  // If set, questions about dumps call it from time to time. Its error ends the
  // question, for example if the deadline has passed or the client has
  // disconnected.
  std::function<absl::Status()> go_on;
};

// Checks a size against a limit: "axes: 300 axes exceed the limit of 256".
absl::Status CheckLimit(std::string_view name, std::string_view unit,
                        int64_t size, int64_t limit);

// Like CheckLimit, for one text or list, with the name of its limit.
absl::Status CheckTextBytes(const ServiceOptions& options,
                            std::string_view text);
absl::Status CheckAxes(const ServiceOptions& options, int64_t axes);
absl::Status CheckIndexEntries(const ServiceOptions& options, int64_t entries);
absl::Status CheckTableRows(const ServiceOptions& options, int64_t rows);

// Calls options.go_on, if it is set, and returns its error.
absl::Status CheckGoesOn(const ServiceOptions& options);

// Returns the number of rows that a list may have: `asked`, or if that is 0 the
// smaller of `if_not_asked` and the limit. Errors: kInvalidArgument if `asked`
// is negative; kResourceExhausted if it exceeds the limit.
absl::StatusOr<int64_t> RowsToAnswer(const ServiceOptions& options,
                                     int64_t asked, int64_t if_not_asked);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SERVICE_OPTIONS_H_
