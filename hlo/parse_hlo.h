// Parses HLO text, or XLA's proto of it, into an HloDump (hlo/hlo_module.h),
// tolerantly or strictly.
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY main {
//         x = f32[2,3]{1,0} parameter(0)
//         y = f32[2,3]{1,0 negate(x)
//         ROOT z = f32[2,3]{1,0} negate(w)
//       })");
//   dump->counts().instructions;              // 2: y could not be read
//   dump->diagnostics().size();               // 1
//   dump->diagnostics()[0].line;              // 5
//
//   HloParseOptions options;
//   options.strict = true;
//   ParseHlo("HloModule m  main {  ROOT y = f32[] add(x, x)  }", options)
//       .status();
//       // INVALID_ARGUMENT: 1:41: no instruction 'x' comes before this one in
//       // the computation 'main'...
//
//   // An empty text gets a diagnostic; HloDump::modules() is empty.
//   ParseHlo("")->diagnostics()[0].message;   // "the text has no HLO module"
//   ParseHlo("\n")->diagnostic_count();                // 1
//
//   // A proto is printed as text, which is then read.
//   const std::string proto = "\n\x03\n\x01m";   // a module with the name m
//   IsHloProto(proto);                           // true
//   ParseHloProto(proto)->diagnostics()[0].message;
//       // "the module has no computation"

#ifndef TESSERA_HLO_PARSE_HLO_H_
#define TESSERA_HLO_PARSE_HLO_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

struct HloParseOptions {
  // Tolerant: text that cannot be read is skipped, up to the next line that
  // begins an instruction, a computation, a module or a closing brace, and
  // reported in HloDump::diagnostics. So are missing and duplicate names. If an
  // instruction was skipped, names missing from its computation and
  // computations missing from its module are not reported, since they follow
  // from the same mistake. A text of a single instruction is a line out of a
  // dump: the operands and computations that it names may be missing. A text
  // without a module, or a module without a computation, is reported only if
  // there is nothing else to report.
  //
  // Strict: the first of these diagnostics, or the first broken rule of
  // hlo/strict_rules.h, is an error. In a text of one instruction, a missing
  // operand must have a shape, `add(f32[2] %x, f32[2] %y)`, as in XLA.
  bool strict = false;
  // The most diagnostics to keep, however broken the text is.
  int64_t diagnostic_limit = 1000;
  // If set, is called from time to time with the number of bytes read.
  std::function<void(int64_t)> progress;
  // The number of threads that read the text; 0 for one per core. The dump is
  // the same. `progress` is called only on the calling thread. Text with
  // mistakes is read again on one thread, and progress restarts.
  int threads = 1;
};

// Parses `text` and stores it in the dump; moving it in avoids a copy. Lines of
// a log may have their prefixes (hlo/log_prefixes.h), which become blanks in
// HloDump::text().
//
// Errors: kInvalidArgument with a Diagnostic, under `strict`;
// kResourceExhausted for text of more than 2^31-1 instructions or operands or
// 2^30 calls, or with an instruction of 1 GiB or more, which ReadHlo takes.
absl::StatusOr<HloDump> ParseHlo(std::string text,
                                 const HloParseOptions& options = {});

// Like ParseHlo, for a file, which the dump keeps open. A log is read into
// memory.
absl::StatusOr<HloDump> ParseHlo(FileBytes file,
                                 const HloParseOptions& options = {});

// Like ParseHlo, for text that outlives the dump. A log is copied.
absl::StatusOr<HloDump> ParseHloView(std::string_view text,
                                     const HloParseOptions& options = {});

// Returns whether these bytes, which may be cut off, are a proto of XLA and not
// text.
bool IsHloProto(std::string_view bytes);

// Like ParseHlo, for a proto, which need not outlive the dump: an HloProto, an
// HloModuleProto, or an XSpace, in which every HloProto becomes a module. A
// schedule becomes is_scheduled=true. Errors in the proto are in
// HloDump::diagnostics. Under `strict`, the first of them is a kInvalidArgument
// without a Diagnostic. Mistakes of the text that follow from them are not
// reported.
absl::StatusOr<HloDump> ParseHloProto(std::string_view bytes,
                                      const HloParseOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_PARSE_HLO_H_
