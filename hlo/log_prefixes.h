// Recognizes and blanks the prefixes of HLO text that was copied out of a log.
//
// XLA logs modules line by line, and the log puts a prefix before each line.
// ParseHlo (hlo/parse_hlo.h) reads such text; callers of ReadHlo
// (hlo/hlo_reader.h) blank the prefixes first.
//
//   std::string text = "I0521 12:04:45.883483    1509 service.cc:186] HloModule m\n";
//   HasLogPrefixes(text);     // true
//   const size_t size = text.size();
//   BlankLogPrefixes(&text);
//   text.find("HloModule");   // 46, as before
//   text.size() == size;      // true
//   HasLogPrefixes(text);     // false
//
// Prefixes are those of StripLogHeaders in xla/tools/hlo_module_loader.cc:
// severity and date, time, thread, file and line. Seconds may have more than
// two digits, as Abseil's log prints them until it is initialized.

#ifndef TESSERA_HLO_LOG_PREFIXES_H_
#define TESSERA_HLO_LOG_PREFIXES_H_

#include <string>
#include <string_view>

namespace tessera {

// Returns whether one of the first lines of the text has a prefix. Looks at no
// more than 16 non-empty lines and 64 KiB.
bool HasLogPrefixes(std::string_view text);

// Replaces the prefix of each line by blanks of the same length, so lines and
// columns in messages are those of the log.
void BlankLogPrefixes(std::string* text);

}  // namespace tessera

#endif  // TESSERA_HLO_LOG_PREFIXES_H_
