// The formats in which data can be printed.

#ifndef TESSERA_REPORT_TEXT_OUTPUT_FORMAT_H_
#define TESSERA_REPORT_TEXT_OUTPUT_FORMAT_H_

#include <string_view>

namespace tessera {

enum class OutputFormat { kText, kJson, kCsv, kTextProto, kBinaryProto };

// The name that --format takes: "text", "json", "csv", "textproto",
// "binproto".
constexpr std::string_view OutputFormatName(OutputFormat format) {
  switch (format) {
    case OutputFormat::kText:
      return "text";
    case OutputFormat::kJson:
      return "json";
    case OutputFormat::kCsv:
      return "csv";
    case OutputFormat::kTextProto:
      return "textproto";
    case OutputFormat::kBinaryProto:
      return "binproto";
  }
  return "";
}

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_OUTPUT_FORMAT_H_
