// Finds the HloModuleProtos in bytes.
//
// A module is in an HloProto, is itself the file, or is in the plane
// /host:metadata of an XSpace. There, each event's metadata has an HloProto
// under the name "Hlo Proto" or "hlo_proto". Other parts of an XSpace are not
// read, however large it is.

#ifndef TESSERA_HLO_PROTO_PROTO_SOURCE_H_
#define TESSERA_HLO_PROTO_PROTO_SOURCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/proto/wire_fields.h"

namespace tessera::hlo_internal {

// The problems of a proto: the first mistakes and their number.
class ProtoProblems {
 public:
  // At most `limit` diagnostics are kept.
  explicit ProtoProblems(int64_t limit) : limit_(limit) {}

  // `offset` is that of the wrong message, in bytes from the start of the file.
  // Unprintable bytes of `message` are escaped.
  void Add(int64_t offset, std::string_view message) {
    ++count_;
    if (static_cast<int64_t>(diagnostics_.size()) >= limit_) return;
    Diagnostic& diagnostic = diagnostics_.emplace_back();
    diagnostic.offset = offset;
    diagnostic.line = 0;
    diagnostic.column = 0;
    diagnostic.message = Printable(message);
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

// Whether these bytes, which may be cut off, are a proto and not text.
bool IsHloProto(std::string_view bytes);

enum class ProtoKind {
  kHloProto,
  kHloModuleProto,
  kXSpace,
  kMemoryUsageReport  // XLA writes it next to a module
};

// Returns the kind of a proto, if these bytes are one; they may be cut off.
ProtoKind ProtoKindOf(std::string_view bytes);

struct ModuleBytes {
  std::string_view bytes;
  // Their offset in the file.
  int64_t offset = 0;
  // The XSpace's name for the program, "jit_f(1219)". It distinguishes modules
  // of the same name. Empty outside an XSpace.
  std::string label;
  // The BufferAssignmentProto next to it, and its offset; empty if there is
  // none.
  std::string_view assignment;
  int64_t assignment_offset = 0;
};

std::vector<ModuleBytes> FindModules(std::string_view bytes,
                                     ProtoProblems* problems);

// Adds the problem of `fields`, if there is one, with `where` before it.
void AddWireProblem(const WireFields& fields, std::string_view where,
                    ProtoProblems* problems);

}  // namespace tessera::hlo_internal

#endif  // TESSERA_HLO_PROTO_PROTO_SOURCE_H_
