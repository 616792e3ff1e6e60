#include "tests/viz/xml_reader.h"

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr int kMaxDepth = 32;

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
         c == '_' || c == ':';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : all_(text), rest_(text) {}

  absl::StatusOr<XmlElement> Document() {
    XmlElement root;
    absl::Status status = Element(0, &root);
    if (!status.ok()) return status;
    if (rest_ != "\n") return Error("text behind the root");
    return root;
  }

 private:
  absl::Status Error(std::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(
        "at byte ", all_.size() - rest_.size(), ": ", AbslView(message)));
  }

  std::string Name() {
    size_t size = 0;
    while (size < rest_.size() && IsNameCharacter(rest_[size])) ++size;
    const std::string name(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return name;
  }

  // Reads up to `end`, which is left.
  absl::Status Text(char end, std::string* text) {
    static const std::map<std::string, char> kEntities = {{"&amp;", '&'},
                                                          {"&lt;", '<'},
                                                          {"&gt;", '>'},
                                                          {"&quot;", '"'},
                                                          {"&apos;", '\''}};
    while (!rest_.empty() && rest_[0] != end) {
      const char c = rest_[0];
      if (c == '<') return Error("'<' in an attribute");
      if (c != '\n' && !absl::ascii_isprint(static_cast<unsigned char>(c))) {
        return Error("a byte that is not printable");
      }
      if (c != '&') {
        text->push_back(c);
        rest_.remove_prefix(1);
        continue;
      }
      bool is_known = false;
      for (const auto& [entity, meaning] : kEntities) {
        if (!tessera::ConsumePrefix(&rest_, entity)) continue;
        text->push_back(meaning);
        is_known = true;
        break;
      }
      if (!is_known) return Error("an entity that is none");
    }
    return rest_.empty() ? Error("the end in a text") : absl::OkStatus();
  }

  absl::Status Attributes(XmlElement* element) {
    while (tessera::ConsumePrefix(&rest_, " ")) {
      const std::string key = Name();
      if (key.empty()) return Error("expected an attribute");
      if (!tessera::ConsumePrefix(&rest_, "=\""))
        return Error("expected '=\"'");
      std::string value;
      absl::Status status = Text('"', &value);
      if (!status.ok()) return status;
      rest_.remove_prefix(1);
      if (!element->attributes.emplace(key, value).second) {
        return Error(absl::StrCat("a second ", key));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Element(int depth, XmlElement* element) {
    if (depth > kMaxDepth) return Error("too deep");
    if (!tessera::ConsumePrefix(&rest_, "<")) return Error("expected '<'");
    element->name = Name();
    if (element->name.empty()) return Error("expected a name");
    absl::Status status = Attributes(element);
    if (!status.ok()) return status;
    if (tessera::ConsumePrefix(&rest_, "/>")) return absl::OkStatus();
    if (!tessera::ConsumePrefix(&rest_, ">")) return Error("expected '>'");
    while (true) {
      status = Text('<', &element->text);
      if (!status.ok()) return status;
      if (tessera::ConsumePrefix(&rest_, "</")) break;
      element->children.emplace_back();
      status = Element(depth + 1, &element->children.back());
      if (!status.ok()) return status;
    }
    if (Name() != element->name) return Error("the end of another element");
    if (!tessera::ConsumePrefix(&rest_, ">")) return Error("expected '>'");
    return absl::OkStatus();
  }

  std::string_view all_;
  std::string_view rest_;
};

void Collect(const XmlElement& element, std::string_view name,
             std::vector<const XmlElement*>* found) {
  for (const XmlElement& child : element.children) {
    if (child.name == name) found->push_back(&child);
    Collect(child, name, found);
  }
}

}  // namespace

std::string XmlElement::Attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

std::vector<const XmlElement*> XmlElement::All(std::string_view name) const {
  std::vector<const XmlElement*> found;
  Collect(*this, name, &found);
  return found;
}

absl::StatusOr<XmlElement> ReadXml(std::string_view text) {
  return Reader(text).Document();
}

}  // namespace tessera
