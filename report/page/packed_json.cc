#include "tessera/report/page/packed_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/service/json.h"

namespace tessera {
namespace {

bool IsTextOrNull(const Json& value) {
  return value.is_string() || value.is_null();
}

// An object to which `size` keys can be added. Growing one copies its values,
// because the keys in an ordered map cannot be moved.
Json ObjectOf(size_t size) {
  Json::object_t object;
  object.reserve(size);
  return object;
}

// Makes the values of a text that is JSON. Each object is made from all of its
// fields at once, because Json::parse, which grows objects, took a third of the
// time of a page.
class JsonBuilder : public nlohmann::json_sax<Json> {
 public:
  Json TakeValue() { return std::move(values_.back()); }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return Add(value);
  }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& value) override {
    keys_.push_back(std::move(value));
    return true;
  }
  bool start_object(size_t) override { return Begin(); }
  bool start_array(size_t) override { return Begin(); }

  bool end_object() override {
    const size_t begin = TakeBegin();
    const size_t size = values_.size() - begin;
    Json object = ObjectOf(size);
    auto& fields = object.get_ref<Json::object_t&>();
    for (size_t i = 0; i < size; ++i) {
      fields.emplace_back(std::move(keys_[keys_.size() - size + i]),
                          std::move(values_[begin + i]));
    }
    keys_.resize(keys_.size() - size);
    values_.resize(begin);
    return Add(std::move(object));
  }

  bool end_array() override {
    const size_t begin = TakeBegin();
    Json::array_t array(std::make_move_iterator(values_.begin() + begin),
                        std::make_move_iterator(values_.end()));
    values_.resize(begin);
    return Add(std::move(array));
  }

  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool Add(Json value) {
    values_.push_back(std::move(value));
    return true;
  }

  bool Begin() {
    begins_.push_back(values_.size());
    return true;
  }

  // Returns the beginning of the values of the innermost object or array, which
  // ends.
  size_t TakeBegin() {
    const size_t begin = begins_.back();
    begins_.pop_back();
    return begin;
  }

  // The beginnings of all open objects and arrays.
  std::vector<size_t> begins_;
  std::vector<Json> values_;
  std::vector<std::string> keys_;
};

}  // namespace

Json PackedJson::Pack(const google::protobuf::Message& message) {
  JsonBuilder builder;
  Json::sax_parse(ProtoToJson(message, JsonFields::kAll), &builder);
  return Packed(builder.TakeValue());
}

Json PackedJson::Packed(Json value) {
  constexpr int64_t kLargest = (int64_t{1} << 53) - 1;
  if (value.is_object()) {
    for (auto& [key, part] : value.items()) part = Packed(std::move(part));
  } else if (value.is_array() && !value.empty()) {
    if (value.front().is_object()) return Table(std::move(value));
    const bool is_text = value.front().is_string();
    for (Json& part : value) {
      part = is_text ? Json(PlaceOf(part)) : Packed(std::move(part));
    }
    if (is_text) return {{"$text", std::move(value)}};
  } else if (value.is_number_integer()) {
    const int64_t integer = value.get<int64_t>();
    if (integer < -kLargest || kLargest < integer) return absl::StrCat(integer);
  }
  return value;
}

Json PackedJson::Table(Json rows) {
  // All rows have the same keys in the same order.
  const size_t columns = rows.front().size();
  Json same = ObjectOf(columns);
  Json each = ObjectOf(columns);
  Json text = ObjectOf(columns);
  for (size_t i = 0; i < columns; ++i) {
    std::vector<Json> values;
    values.reserve(rows.size());
    for (Json& row : rows) {
      values.push_back(
          std::move(row.get_ref<Json::object_t&>().begin()[i].second));
    }
    const std::string& key =
        rows.front().get_ref<Json::object_t&>().begin()[i].first;
    if (std::all_of(values.begin(), values.end(), [&](const Json& value) {
          return value == values.front();
        })) {
      same[key] = Packed(std::move(values.front()));
      continue;
    }
    const bool is_text =
        std::all_of(values.begin(), values.end(), IsTextOrNull);
    for (Json& value : values) {
      value = !is_text          ? Packed(std::move(value))
              : value.is_null() ? Json(-1)
                                : Json(PlaceOf(value));
    }
    (is_text ? text : each)[key] = std::move(values);
  }
  Json table = ObjectOf(4);
  table["$rows"] = rows.size();
  table["same"] = std::move(same);
  table["each"] = std::move(each);
  table["text"] = std::move(text);
  return table;
}

int64_t PackedJson::PlaceOf(const Json& text) {
  const auto [entry, is_new] =
      places_.try_emplace(text.get<std::string>(), places_.size());
  if (is_new) texts_.push_back(text);
  return entry->second;
}

}  // namespace tessera
