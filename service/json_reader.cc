// Reads JSON into messages.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/reflection.h"
#include "nlohmann/json.hpp"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/json.h"
#include "tessera/service/json_map.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MutableRepeatedFieldRef;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

constexpr size_t kLongestMessage = 200;
constexpr size_t kLongestName = 60;

// Walks the text for nlohmann's reader, which does not report its position with
// a value.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reading(const char* place, const char** furthest)
      : place_(place), furthest_(furthest) {}

  reference operator*() const { return *place_; }
  Reading& operator++() {
    *furthest_ = ++place_;
    return *this;
  }
  friend bool operator==(const Reading& a, const Reading& b) {
    return a.place_ == b.place_;
  }
  friend bool operator!=(const Reading& a, const Reading& b) {
    return !(a == b);
  }

 private:
  const char* place_;
  const char** furthest_;
};

// "; the fields are hlo, file" for an error. A message with more fields is a
// list of questions, which GET /v1 answers.
std::string FieldsOf(const Descriptor& type) {
  constexpr int kMost = 16;
  if (type.field_count() > kMost) return "";
  std::string fields;
  for (int i = 0; i < type.field_count(); ++i) {
    absl::StrAppend(&fields, i == 0 ? "; the fields are " : ", ",
                    type.field(i)->name());
  }
  return fields;
}

// Names in a message: long ones are cut.
std::string Shown(const std::string& name) {
  if (name.size() <= kLongestName) return absl::StrCat("'", name, "'");
  return absl::StrCat("'", name.substr(0, kLongestName), "...'");
}

// Returns the message of nlohmann's reader without the number of the rule and
// the place.
std::string MessageOf(const nlohmann::json::exception& error) {
  std::string_view text = error.what();
  if (const size_t end = text.find("] "); end != std::string_view::npos) {
    text.remove_prefix(end + 2);
  }
  const size_t place = text.find("column ");
  if (place != std::string_view::npos && text.find("parse error at") == 0) {
    const size_t end = text.find(": ", place);
    if (end != std::string_view::npos) text.remove_prefix(end + 2);
  }
  if (text.size() <= kLongestMessage) return std::string(text);
  return StrCat(text.substr(0, kLongestMessage), "...");
}

// Recognizes the numbers without digits in JSON by their names in proto3.
bool IsFloatName(std::string_view text, double* value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  *value = text == "Infinity"    ? kInfinity
           : text == "-Infinity" ? -kInfinity
                                 : std::numeric_limits<double>::quiet_NaN();
  return !std::isnan(*value) || text == "NaN";
}

bool IsWholeNumber(std::string_view text) {
  ConsumePrefix(&text, "-");
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Returns the digits of a number that is an integer, without a point and an
// exponent: "-120" for "-1.2e2". Returns nullopt for a fraction or a text that
// is not a number. More digits than 64 bits hold are cut, but not so many that
// they would fit.
std::optional<std::string> DigitsOfInteger(std::string_view number) {
  constexpr int64_t kMostDigits = 20;
  double value = 0;
  const bool is_number =
      number.find_first_not_of("-+.eE0123456789") == std::string_view::npos &&
      !number.empty() && number.front() != '+' &&
      absl::SimpleAtod(AbslView(number), &value);
  if (!is_number) return std::nullopt;
  std::string digits = ConsumePrefix(&number, "-") ? "-" : "";
  const size_t sign = digits.size();
  const size_t exponent_at = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, exponent_at);
  const size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  int64_t exponent = 0;
  if (exponent_at != std::string_view::npos &&
      !absl::SimpleAtoi(AbslView(number.substr(exponent_at + 1)), &exponent)) {
    exponent = number[exponent_at + 1] == '-'
                   ? std::numeric_limits<int32_t>::min()
                   : std::numeric_limits<int32_t>::max();
  }
  digits += whole;
  if (point != std::string_view::npos) digits += mantissa.substr(point + 1);
  // Without zeros at either end.
  const size_t first = digits.find_first_not_of('0', sign);
  if (first == std::string::npos) return "0";
  const size_t last = digits.find_last_not_of('0');
  // How many digits precede the point.
  const int64_t before_point =
      static_cast<int64_t>(sign + whole.size() - first) +
      std::max<int64_t>(std::min<int64_t>(exponent, 1 << 30), -(1 << 30));
  const int64_t significant = last + 1 - first;
  if (significant > before_point) return std::nullopt;
  digits =
      absl::StrCat(digits.substr(0, sign),
                   digits.substr(first, std::min(significant, kMostDigits)));
  digits.resize(sign + std::min(before_point, kMostDigits), '0');
  return digits;
}

class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(std::string_view json, Message* message, const JsonLimits& limits)
      : json_(json), furthest_(json.data()), root_(message), limits_(limits) {}

  const absl::Status& status() const { return status_; }

  void Read() {
    // The status contains the error as well.
    (void)nlohmann::json::sax_parse(
        Reading(json_.data(), &furthest_),
        Reading(json_.data() + json_.size(), &furthest_), this);
  }

  bool null() override {
    const bool may_be_absent =
        !open_.empty() && open_.back().index < 0 &&
        (open_.back().map == nullptr || open_.back().map == open_.back().field);
    return may_be_absent ? EndValue() : WrongType("null");
  }

  bool boolean(bool value) override {
    return BeginValue("a boolean") && SetBool(value) && EndValue();
  }

  bool number_integer(number_integer_t value) override {
    return BeginValue("an integer") && SetInteger(value) && EndValue();
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (value > uint64_t{std::numeric_limits<int64_t>::max()}) {
      return number_float(static_cast<double>(value), absl::StrCat(value));
    }
    return number_integer(value);
  }

  bool number_float(number_float_t value, const string_t& text) override {
    // Integers that do not fit 64 bits come here too.
    const std::string_view found =
        IsWholeNumber(text) ? "an integer" : "a fraction";
    if (!BeginValue(found)) return false;
    if (IsDouble()) return SetDouble(value) && EndValue();
    const std::optional<std::string> digits = DigitsOfInteger(text);
    if (!IsInteger() || !digits.has_value()) return WrongType(found);
    return SetDigits(*digits, text) && EndValue();
  }

  bool string(string_t& text) override {
    return BeginValue("a string") && SetString(text) && EndValue();
  }

  bool binary(binary_t&) override { return WrongType("bytes"); }

  bool start_object(size_t) override {
    if (open_.empty()) {
      open_.push_back(Begin(root_));
      return EndValue();
    }
    const bool is_map = open_.back().field->is_map();
    if (!is_map && !BeginValue("an object")) return false;
    Open& top = open_.back();
    if (top.field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      return WrongType("an object");
    }
    if (open_.size() == kJsonNestingLimit) {
      return Fail(absl::StrCat(PathText(), "messages are nested deeper than ",
                               kJsonNestingLimit),
                  absl::StatusCode::kResourceExhausted);
    }
    if (++messages_ > limits_.json_messages) {
      return Fail(
          absl::StrCat("json_messages: ", messages_,
                       " messages exceed the limit of ", limits_.json_messages),
          absl::StatusCode::kResourceExhausted);
    }
    // `top` is not valid beyond either.
    if (is_map) {
      open_.push_back(BeginMap(top.message, top.field));
      return EndToken();
    }
    const Reflection& reflection = *top.message->GetReflection();
    open_.push_back(
        Begin(top.field->is_repeated()
                  ? reflection.AddMessage(top.message, top.field)
                  : reflection.MutableMessage(top.message, top.field)));
    return EndToken();
  }

  bool key(string_t& name) override {
    Open& top = open_.back();
    if (top.map != nullptr) return MapKey(name);
    const Descriptor& type = *top.message->GetDescriptor();
    const FieldDescriptor* field = type.FindFieldByName(name);
    // Protocol Buffers' own printers write lowerCamelCase.
    if (field == nullptr) field = type.FindFieldByCamelcaseName(name);
    if (field == nullptr) {
      top.field = nullptr;
      return Fail(absl::StrCat(PathText(), "there is no field ", Shown(name),
                               FieldsOf(type)));
    }
    if (std::find(top.seen.begin(), top.seen.end(), field) != top.seen.end()) {
      top.field = nullptr;
      return Fail(
          absl::StrCat(PathText(), "the field ", Shown(name), " comes twice"));
    }
    if (const OneofDescriptor* oneof = field->real_containing_oneof()) {
      const FieldDescriptor* const other =
          top.message->GetReflection()->GetOneofFieldDescriptor(*top.message,
                                                                oneof);
      if (other != nullptr) {
        top.field = nullptr;
        return Fail(absl::StrCat(PathText(), Shown(name), " is a second ",
                                 oneof->name(), " after ", other->name()));
      }
    }
    top.field = field;
    top.seen.push_back(field);
    return EndToken();
  }

  bool end_object() override {
    open_.pop_back();
    return open_.empty() ? EndToken() : EndValue();
  }

  bool start_array(size_t) override {
    const bool may_repeat = !open_.empty() && open_.back().field != nullptr &&
                            open_.back().field->is_repeated() &&
                            !open_.back().field->is_map() &&
                            open_.back().index < 0;
    if (!may_repeat) return WrongType("an array");
    Open& top = open_.back();
    top.index = 0;
    if (top.field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      top.integers =
          top.message->GetReflection()->GetMutableRepeatedFieldRef<int64_t>(
              top.message, top.field);
    }
    return EndToken();
  }

  bool end_array() override {
    open_.back().index = -1;
    open_.back().integers.reset();
    return EndToken();
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    // The reader counts from 1, and counts the end as a byte.
    const int64_t offset = position > 0 ? position - 1 : 0;
    status_ = DiagnosticError(json_, offset,
                              absl::StrCat("invalid JSON: ", MessageOf(error)));
    return false;
  }

 private:
  // A message or a map that is being read, and its current field or entry.
  struct Open {
    Message* message = nullptr;  // for a map: the entry, once there is one
    const FieldDescriptor* field = nullptr;
    // For a map: its field, the message of the field, and its keys so far.
    const FieldDescriptor* map = nullptr;
    Message* owner = nullptr;
    std::set<int64_t> keys;
    int64_t key = 0;        // the last one
    bool is_named = false;  // for a map: whether its name was read
    int64_t index = -1;     // in the array that is open, if one is
    // That array, which may have millions of entries.
    std::optional<MutableRepeatedFieldRef<int64_t>> integers;
    std::vector<const FieldDescriptor*> seen;
  };

  static Open BeginMap(Message* owner, const FieldDescriptor* map) {
    Open open;
    open.owner = owner;
    open.map = map;
    return open;
  }

  static Open Begin(Message* message) {
    const Descriptor& type = *message->GetDescriptor();
    if (IsJsonMap(type)) return BeginMap(message, type.field(0));
    Open open;
    open.message = message;
    return open;
  }

  // Begins an entry of the map that is open.
  bool MapKey(const std::string& name) {
    Open& top = open_.back();
    top.field = nullptr;
    // The map may also be a field of its own, as in proto3's JSON.
    if (top.keys.empty() && !top.is_named && name == top.map->name() &&
        IsJsonMap(*top.owner->GetDescriptor())) {
      top.is_named = true;
      top.message = top.owner;
      top.field = top.map;
      return EndToken();
    }
    if (top.is_named) {
      return Fail(absl::StrCat(PathText(), "there is no field ", Shown(name)));
    }
    int64_t key = 0;
    if (!absl::SimpleAtoi(name, &key) || absl::StrCat(key) != name) {
      return Fail(absl::StrCat(PathText(), "expected an integer as the key, ",
                               "found ", Shown(name)));
    }
    if (!top.keys.insert(key).second) {
      return Fail(
          absl::StrCat(PathText(), "the key ", Shown(name), " comes twice"));
    }
    const Descriptor& type = *top.map->message_type();
    top.message = top.owner->GetReflection()->AddMessage(top.owner, top.map);
    top.message->GetReflection()->SetInt64(top.message, type.map_key(), key);
    top.field = type.map_value();
    top.key = key;
    return EndToken();
  }

  // Returns the place at which the token that was just read begins.
  int64_t TokenOffset() const {
    const size_t begin = json_.find_first_not_of(" \t\r\n,:", token_end_);
    return begin == std::string_view::npos ? json_.size() : begin;
  }

  bool EndToken() {
    token_end_ = furthest_ - json_.data();
    return true;
  }

  bool EndValue() {
    if (open_.back().index >= 0) ++open_.back().index;
    return EndToken();
  }

  bool Fail(std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    status_ = DiagnosticError(json_, TokenOffset(), message, code);
    return false;
  }

  // "linearize.indices[3]: ", "" of the whole.
  std::string PathText() const {
    std::string path;
    for (const Open& open : open_) {
      if (open.field == nullptr) break;
      if (open.map != nullptr && !open.is_named) {
        absl::StrAppend(&path, "[", open.key, "]");
        continue;
      }
      absl::StrAppend(&path, path.empty() ? "" : ".", open.field->name());
      if (open.index >= 0) absl::StrAppend(&path, "[", open.index, "]");
    }
    return path.empty() ? path : absl::StrCat(path, ": ");
  }

  // Returns the expected next token.
  std::string Expected() const {
    if (open_.empty()) return "an object";
    const Open& top = open_.back();
    if (top.field->is_map()) return "an object";
    if (top.field->is_repeated() && top.index < 0) return "an array";
    switch (top.field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
      case FieldDescriptor::CPPTYPE_INT64:
        return "an integer";
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return "a number";
      case FieldDescriptor::CPPTYPE_BOOL:
        return "a boolean";
      case FieldDescriptor::CPPTYPE_ENUM:
        return absl::StrCat("a name of ", top.field->enum_type()->name());
      case FieldDescriptor::CPPTYPE_STRING:
        return "a string";
      default:
        return "an object";
    }
  }

  bool WrongType(std::string_view found) {
    return Fail(StrCat(PathText(), "expected ", Expected(), ", found ", found));
  }

  bool OutOfRange(std::string_view number) {
    if (!IsInteger()) return WrongType("an integer");
    return Fail(
        StrCat(PathText(), number.substr(0, kLongestName),
               number.size() > kLongestName ? "..." : "",
               " is outside the range of ",
               open_.back().field->cpp_type() == FieldDescriptor::CPPTYPE_INT32
                   ? "32"
                   : "64",
               "-bit integers"),
        absl::StatusCode::kOutOfRange);
  }

  bool IsInteger() const {
    const FieldDescriptor::CppType type = open_.back().field->cpp_type();
    return type == FieldDescriptor::CPPTYPE_INT64 ||
           type == FieldDescriptor::CPPTYPE_INT32;
  }

  bool IsDouble() const {
    return open_.back().field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
  }

  // Whether a value may be here, other than an array.
  bool BeginValue(std::string_view found) {
    if (open_.empty() ||
        (open_.back().field->is_repeated() && open_.back().index < 0)) {
      return WrongType(found);
    }
    return true;
  }

  bool SetBool(bool value) {
    Open& top = open_.back();
    if (top.field->cpp_type() != FieldDescriptor::CPPTYPE_BOOL) {
      return WrongType("a boolean");
    }
    Put(&Reflection::AddBool, &Reflection::SetBool, value);
    return true;
  }

  bool SetDouble(double value) {
    Put(&Reflection::AddDouble, &Reflection::SetDouble, value);
    return true;
  }

  bool SetInteger(int64_t value) {
    if (open_.back().integers.has_value()) {
      open_.back().integers->Add(value);
      return true;
    }
    if (IsDouble()) return SetDouble(static_cast<double>(value));
    if (open_.back().field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
      return SetEnumNumber(value);
    }
    if (!IsInteger()) return WrongType("an integer");
    if (open_.back().field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      Put(&Reflection::AddInt64, &Reflection::SetInt64, value);
      return true;
    }
    if (value != static_cast<int32_t>(value)) {
      return OutOfRange(absl::StrCat(value));
    }
    Put(&Reflection::AddInt32, &Reflection::SetInt32,
        static_cast<int32_t>(value));
    return true;
  }

  // Sets an integer from a number that was written as `text`.
  bool SetDigits(const std::string& digits, std::string_view text) {
    int64_t value = 0;
    return absl::SimpleAtoi(digits, &value) ? SetInteger(value)
                                            : OutOfRange(text);
  }

  bool SetEnumNumber(int64_t number) {
    const EnumDescriptor& type = *open_.back().field->enum_type();
    const EnumValueDescriptor* const value =
        number == static_cast<int32_t>(number)
            ? type.FindValueByNumber(static_cast<int32_t>(number))
            : nullptr;
    if (value == nullptr) {
      return Fail(absl::StrCat(PathText(), number, " is not a number of ",
                               type.name()));
    }
    Put(&Reflection::AddEnum, &Reflection::SetEnum, value);
    return true;
  }

  // Sets a number that is a string, which keeps 64 bits exact in JavaScript.
  bool SetNumber(const std::string& text) {
    if (IsInteger()) {
      const std::optional<std::string> digits = DigitsOfInteger(text);
      if (digits.has_value()) return SetDigits(*digits, text);
    } else {
      double value = 0;
      if (IsFloatName(text, &value) ||
          (text.find_first_not_of("-+.eE0123456789") == std::string::npos &&
           absl::SimpleAtod(text, &value) && std::isfinite(value))) {
        return SetDouble(value);
      }
    }
    return Fail(absl::StrCat(PathText(), Shown(text), " is not ", Expected()));
  }

  bool SetString(std::string& text) {
    Open& top = open_.back();
    if (IsInteger() || IsDouble()) return SetNumber(text);
    if (top.field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      Put(&Reflection::AddString, &Reflection::SetString, std::move(text));
      return true;
    }
    if (top.field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM) {
      return WrongType("a string");
    }
    const EnumValueDescriptor* const value =
        top.field->enum_type()->FindValueByName(text);
    if (value == nullptr) {
      return Fail(absl::StrCat(PathText(), Shown(text), " is not a name of ",
                               top.field->enum_type()->name()));
    }
    Put(&Reflection::AddEnum, &Reflection::SetEnum, value);
    return true;
  }

  template <typename Add, typename Set, typename Value>
  void Put(Add add, Set set, Value value) {
    const Open& top = open_.back();
    const Reflection& reflection = *top.message->GetReflection();
    if (top.field->is_repeated()) {
      (reflection.*add)(top.message, top.field, std::move(value));
    } else {
      (reflection.*set)(top.message, top.field, std::move(value));
    }
  }

  std::string_view json_;
  const char* furthest_;  // the end of the text that was read
  size_t token_end_ = 0;
  Message* root_;
  JsonLimits limits_;
  int64_t messages_ = 0;
  std::vector<Open> open_;
  absl::Status status_;
};

}  // namespace

absl::Status JsonToProto(std::string_view json, Message* message,
                         const JsonLimits& limits) {
  Reader reader(json, message, limits);
  reader.Read();
  return reader.status();
}

}  // namespace tessera
