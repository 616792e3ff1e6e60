// File: hlo/log_prefixes.h
//
// Was this HLO text copied out of a log?
//
// XLA logs modules line by line, and the log puts a prefix before each line.
// ParseHlo (hlo/parse_hlo.h) reads such text; whoever calls ReadHlo
// (hlo/hlo_reader.h) blanks the prefixes first.
//
//   std::string text = "I0521 12:04:45.883483    1509 service.cc:186] HloModule m\n";
//   HasLogPrefixes(text);     // true
//   const size_t size = text.size();
//   BlankLogPrefixes(&text);
//   text.find("HloModule");   // 46, as before
//   text.size() == size;      // true
//   HasLogPrefixes(text);     // false
//
// A prefix is what StripLogHeaders of xla/tools/hlo_module_loader.cc takes for
// one: severity and date, time, thread, file and line. Of the seconds there may
// be more than two digits, which Abseil's log prints until it is initialized.

#ifndef TESSERA_HLO_LOG_PREFIXES_H_
#define TESSERA_HLO_LOG_PREFIXES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tessera {

// Whether one of the first lines of the text has a prefix. Looks at no more
// than 16 lines that are not empty and no further than 64 KiB.
bool HasLogPrefixes(absl::string_view text);

// Puts as many blanks in the place of the prefix of each line that has one. So
// what is said about a line and a column of the text is right for the log.
void BlankLogPrefixes(std::string* text);

}  // namespace tessera

#endif  // TESSERA_HLO_LOG_PREFIXES_H_
