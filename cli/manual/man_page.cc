#include "tessera/cli/manual/man_page.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cli {
namespace {

// roff reads a backslash as an escape, and prints "-" as a hyphen, which is a
// different character from the typed one.
std::string Roff(std::string_view text) {
  return absl::StrReplaceAll(AbslView(text), {{"\\", "\\e"}, {"-", "\\-"}});
}

// A line of its own: a "." or "'" at its beginning would be a request.
std::string RoffLine(std::string_view text) {
  const bool is_request = StartsWith(text, ".") || StartsWith(text, "'");
  return absl::StrCat(is_request ? "\\&" : "", Roff(text), "\n");
}

// Fills paragraphs, and leaves indented lines unchanged.
std::string Paragraphs(absl::Span<const std::string_view> lines) {
  std::string out;
  bool is_verbatim = false;
  for (const std::string_view line : lines) {
    const bool is_indented = StartsWith(line, "  ");
    if (is_indented != is_verbatim && !line.empty()) {
      absl::StrAppend(&out, is_indented ? ".nf\n" : ".fi\n");
      is_verbatim = is_indented;
    }
    if (!line.empty()) {
      out += RoffLine(line);
    } else if (!out.empty()) {
      out += is_verbatim ? "\n" : ".PP\n";
    }
  }
  if (is_verbatim) out += ".fi\n";
  return out;
}

class Page {
 public:
  // `path` is "tessera hlo peak".
  Page(const CommandDescription& command, const std::string& path)
      : command_(command), path_(path) {}

  std::string Text(std::string_view version,
                   const std::vector<std::string>& see_also) const {
    std::string out = absl::StrCat(
        ".TH ", absl::AsciiStrToUpper(Roff(PageName(path_))), " 1 \"\" \"",
        "tessera ", Roff(version), "\" \"Tessera\"\n", ".SH NAME\n",
        Roff(PageName(path_)), " \\- ", Roff(Summary()), "\n",
        ".SH SYNOPSIS\n.B ", Roff(path_), "\n", Roff(Synopsis()), "\n");
    std::vector<std::string_view> about =
        SplitViews(command_.description, '\n');
    if (about.size() > 1) {
      absl::StrAppend(&out, ".SH DESCRIPTION\n", Paragraphs(about));
    }
    std::vector<std::string_view> text, examples;
    SplitFooter(&text, &examples);
    if (!text.empty()) {
      absl::StrAppend(&out, about.size() > 1 ? ".PP\n" : ".SH DESCRIPTION\n",
                      Paragraphs(text));
    }
    AppendSubcommands(&out);
    AppendOptions(&out);
    if (!examples.empty()) {
      absl::StrAppend(&out, ".SH EXAMPLES\n", Paragraphs(examples));
    }
    absl::StrAppend(
        &out,
        ".SH EXIT STATUS\n0 for success, 1 for bad input, 2 for wrong usage.\n",
        ".SH SEE ALSO\n");
    for (size_t i = 0; i < see_also.size(); ++i) {
      absl::StrAppend(&out, ".BR ", Roff(PageName(see_also[i])), " (1)",
                      i + 1 < see_also.size() ? "," : "", "\n");
    }
    return out;
  }

  static std::string PageName(const std::string& path) {
    return absl::StrReplaceAll(path, {{" ", "-"}});
  }

 private:
  // One line, as apropos(1) shows it.
  std::string Summary() const {
    std::string summary = absl::StrReplaceAll(
        AbslView(StripAsciiWhitespace(command_.description)), {{"\n", " "}});
    summary = summary.substr(0, summary.find(". "));
    if (!summary.empty()) summary[0] = absl::ascii_tolower(summary[0]);
    return summary;
  }

  std::string Synopsis() const {
    std::string out = "[OPTIONS]";
    if (!command_.subcommands.empty()) absl::StrAppend(&out, " SUBCOMMAND");
    for (const CommandDescription::Argument& argument : command_.arguments) {
      const std::string name =
          absl::StrCat(argument.name, argument.is_repeated ? "..." : "");
      absl::StrAppend(
          &out, " ",
          argument.is_required ? name : absl::StrCat("[", name, "]"));
    }
    return out;
  }

  void SplitFooter(std::vector<std::string_view>* text,
                   std::vector<std::string_view>* examples) const {
    std::vector<std::string_view>* to = text;
    for (const std::string_view line : SplitViews(command_.footer, '\n')) {
      if (line == "Examples:" || line == "Example:") {
        to = examples;
      } else {
        to->push_back(line);
      }
    }
    for (auto* lines : {text, examples}) {
      while (!lines->empty() && lines->back().empty()) lines->pop_back();
    }
  }

  void AppendSubcommands(std::string* out) const {
    if (command_.subcommands.empty()) return;
    absl::StrAppend(out, ".SH SUBCOMMANDS\n");
    for (const CommandDescription& each : command_.subcommands) {
      absl::StrAppend(out, ".TP\n.B ", Roff(each.name), "\n",
                      RoffLine(each.description));
    }
    if (!command_.default_command.empty()) {
      absl::StrAppend(out, ".PP\nWithout a subcommand, it is ",
                      Roff(command_.default_command), ".\n");
    }
  }

  void AppendOptions(std::string* out) const {
    if (!command_.arguments.empty()) {
      absl::StrAppend(out, ".SH ARGUMENTS\n");
      for (const CommandDescription::Argument& argument : command_.arguments) {
        absl::StrAppend(out, ".TP\n.I ", Roff(argument.name), "\n",
                        RoffLine(argument.description));
      }
    }
    absl::StrAppend(out, ".SH OPTIONS\n");
    for (const CommandDescription::Option& option : command_.options) {
      absl::StrAppend(out, ".TP\n\\fB", Roff(absl::StrJoin(option.names, ", ")),
                      "\\fR");
      if (!option.value.empty()) {
        absl::StrAppend(out, " \\fI", Roff(option.value), "\\fR");
      }
      absl::StrAppend(out, "\n", RoffLine(option.description));
    }
  }

  const CommandDescription& command_;
  const std::string path_;
};

void AddPages(const CommandDescription& command, const std::string& path,
              const std::string& parent, std::string_view version,
              std::vector<ManPage>* pages) {
  std::vector<std::string> see_also;
  if (!parent.empty()) see_also.push_back(parent);
  for (const CommandDescription& each : command.subcommands) {
    see_also.push_back(absl::StrCat(path, " ", each.name));
  }
  pages->push_back({absl::StrCat(Page::PageName(path), ".1"),
                    Page(command, path).Text(version, see_also)});
  for (const CommandDescription& each : command.subcommands) {
    AddPages(each, absl::StrCat(path, " ", each.name), path, version, pages);
  }
}

}  // namespace

std::vector<ManPage> ManPagesOf(const CommandDescription& program,
                                std::string_view version) {
  std::vector<ManPage> pages;
  AddPages(program, program.name, "", version, &pages);
  return pages;
}

}  // namespace tessera::cli
