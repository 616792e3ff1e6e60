#include "tessera/report/page/packed_json.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/service/json.h"

namespace tessera {
namespace {

bool IsTextOrNull(const Json& value) {
  return value.is_string() || value.is_null();
}

}  // namespace

Json PackedJson::Pack(const google::protobuf::Message& message) {
  return Packed(Json::parse(ProtoToJson(message, JsonFields::kAll)));
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
  Json same = Json::object();
  Json each = Json::object();
  Json text = Json::object();
  // All rows have the same keys in the same order.
  const size_t columns = rows.front().size();
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
  return {{"$rows", rows.size()},
          {"same", std::move(same)},
          {"each", std::move(each)},
          {"text", std::move(text)}};
}

int64_t PackedJson::PlaceOf(const Json& text) {
  const auto [entry, is_new] =
      places_.try_emplace(text.get<std::string>(), places_.size());
  if (is_new) texts_.push_back(text);
  return entry->second;
}

}  // namespace tessera
