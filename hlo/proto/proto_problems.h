// File: hlo/proto/proto_problems.h
//
// The problems of a proto: the first mistakes and their number.
//
//   ProtoProblems problems(1);
//   problems.Add(7, "the message breaks off");
//   problems.Add(9, "the module has no name");
//   problems.count();                   // 2
//   problems.diagnostics().size();      // 1
//   problems.diagnostics()[0].offset;   // 7
//   problems.diagnostics()[0].line;     // 0: no text, no line

#ifndef TESSERA_HLO_PROTO_PROTO_PROBLEMS_H_
#define TESSERA_HLO_PROTO_PROTO_PROBLEMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace hlo_internal {

class ProtoProblems {
 public:
  // At most `limit` diagnostics are kept.
  explicit ProtoProblems(int64_t limit) : limit_(limit) {}

  // `offset` is that of the message at fault, in bytes from the start of the
  // file. Bytes of `message` that do not print are escaped.
  void Add(int64_t offset, std::string_view message) {
    ++count_;
    if (static_cast<int64_t>(diagnostics_.size()) >= limit_) return;
    Diagnostic diagnostic;
    diagnostic.offset = offset;
    diagnostic.line = 0;
    diagnostic.column = 0;
    diagnostic.message = Printable(message);
    diagnostics_.push_back(diagnostic);
  }

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  int64_t count() const { return count_; }

 private:
  static std::string Printable(std::string_view message) {
    std::string printable;
    for (const char& c : message) {
      const std::string_view byte(&c, 1);
      const bool prints = c >= ' ' && c <= '~';
      printable += prints ? std::string(byte) : absl::CEscape(AbslView(byte));
    }
    return printable;
  }

  int64_t limit_;
  std::vector<Diagnostic> diagnostics_;
  int64_t count_ = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_PROTO_PROBLEMS_H_
