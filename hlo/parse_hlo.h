// File: hlo/parse_hlo.h
//
// HLO text, or XLA's proto of it, -> HloDump (hlo/hlo_module.h), tolerantly or
// strictly.
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
//       // INVALID_ARGUMENT: 1:41: no instruction 'x' stands before this one in
//       // the computation 'main'...
//
//   // A text in which there is nothing says so; HloDump::modules() is empty.
//   ParseHlo("")->diagnostics()[0].message;   // "the text has no HLO module"
//   ParseHlo("\n")->diagnostic_count();                // 1
//
//   // A proto is made into text, and that is read.
//   const std::string proto = "\n\x03\n\x01m";   // a module of the name m
//   IsHloProto(proto);                           // true
//   ParseHloProto(proto)->diagnostics()[0].message;
//       // "the module has no computation"

#ifndef TESSERA_HLO_PARSE_HLO_H_
#define TESSERA_HLO_PARSE_HLO_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

struct HloParseOptions {
  // Tolerant: what cannot be read is skipped, up to the next line that begins
  // an instruction, a computation, a module or a closing brace, and said in
  // HloDump::diagnostics. Missing and duplicate names are said there too. Where
  // an instruction was skipped, names missing from its computation are not
  // reported, nor computations missing from its module: that would be the same
  // mistake over again. A text of one instruction and nothing else is a line
  // out of a dump: the operands and computations that it names may be missing.
  // That a text has no module, or a module and no computation, is said there
  // unless something else is.
  //
  // Strict: the first of those, and of the rules in hlo/strict_rules.h, is an
  // error. In a text of one instruction, an operand that is missing must have a
  // shape, `add(f32[2] %x, f32[2] %y)`, as in XLA.
  bool strict = false;
  // At most so many diagnostics are kept, however broken the text is.
  int64_t diagnostic_limit = 1000;
  // If there is one, is told from time to time how many bytes of the text are
  // read.
  std::function<void(int64_t)> progress;
  // How many threads may read the text; 0 for one per core. The dump is the
  // same. `progress` is called on the calling thread alone. Text with mistakes
  // is read again on one thread, and progress begins anew.
  int threads = 1;
};

// Takes the text into the dump: move it in, and it is not copied. Lines of a
// log may have their prefixes (hlo/log_prefixes.h), which are blanks in
// HloDump::text().
//
// Errors: kInvalidArgument with a Diagnostic, under `strict`;
// kResourceExhausted for text of more than 2^31-1 instructions or operands or
// 2^30 calls, or with an instruction of 1 GiB or more, which ReadHlo takes.
absl::StatusOr<HloDump> ParseHlo(std::string text,
                                 const HloParseOptions& options = {});

// The same for a file, which the dump keeps open. A log is read into memory.
absl::StatusOr<HloDump> ParseHlo(FileBytes file,
                                 const HloParseOptions& options = {});

// The same for text that outlives the dump. A log is copied.
absl::StatusOr<HloDump> ParseHloView(absl::string_view text,
                                     const HloParseOptions& options = {});

// Whether these bytes, which may be cut off, are a proto of XLA's and no text.
bool IsHloProto(absl::string_view bytes);

// The same for a proto, of which nothing is kept: an HloProto, an
// HloModuleProto, or an XSpace, of which every HloProto makes a module. A
// schedule makes is_scheduled=true. What is wrong with the proto is in
// HloDump::diagnostics (under `strict`, the first of it is a kInvalidArgument
// without a Diagnostic); mistakes of the text that follow from it are not.
absl::StatusOr<HloDump> ParseHloProto(absl::string_view bytes,
                                      const HloParseOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_PARSE_HLO_H_
