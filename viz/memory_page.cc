#include "tessera/viz/memory_page.h"

#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "nlohmann/json.hpp"
#include "tessera/viz/memory_page_template.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

// A JSON number where a JavaScript number holds it, else its digits as text.
Json Integer(int64_t value) {
  constexpr int64_t kLargest = (int64_t{1} << 53) - 1;
  if (-kLargest <= value && value <= kLargest) return value;
  return std::to_string(value);
}

// The texts that stand in many buffers, each of them once.
class StringTable {
 public:
  int64_t IndexOf(absl::string_view text) {
    const auto [entry, is_new] = indices_.try_emplace(text, indices_.size());
    if (is_new) strings_.push_back(std::string(text));
    return entry->second;
  }

  Json Release() { return std::move(strings_); }

 private:
  // Views of the page's texts.
  absl::flat_hash_map<absl::string_view, int64_t> indices_;
  Json strings_ = Json::array();
};

template <typename T, typename ToJson>
Json List(absl::Span<const T> items, ToJson to_json) {
  Json list = Json::array();
  list.get_ref<Json::array_t&>().reserve(items.size());
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

template <typename T, typename ToJson>
Json List(const std::vector<T>& items, ToJson to_json) {
  return List(absl::MakeConstSpan(items), to_json);
}

// Twenty thousand buffers take a third of the text when their keys stand there
// once.
Json Columns(const std::vector<MemoryPage::Buffer>& buffers,
             StringTable& strings) {
  using Buffer = MemoryPage::Buffer;
  auto texts = [&](std::string Buffer::*field) {
    return List(buffers,
                [&](const Buffer& b) { return strings.IndexOf(b.*field); });
  };
  auto integers = [&](int64_t Buffer::*field) {
    return List(buffers, [&](const Buffer& b) { return Integer(b.*field); });
  };
  return {{"name", texts(&Buffer::name)},
          {"opcode", texts(&Buffer::opcode)},
          {"shape", texts(&Buffer::shape)},
          {"source", texts(&Buffer::source)},
          {"op_name", texts(&Buffer::op_name)},
          {"unpadded_bytes", integers(&Buffer::unpadded_bytes)},
          {"padded_bytes", integers(&Buffer::padded_bytes)},
          {"first", integers(&Buffer::first)},
          {"last", integers(&Buffer::last)}};
}

Json Columns(const std::vector<MemoryPage::Group>& groups,
             StringTable& strings) {
  using Group = MemoryPage::Group;
  auto texts = [&](std::string Group::*field) {
    return List(groups,
                [&](const Group& g) { return strings.IndexOf(g.*field); });
  };
  auto integers = [&](int64_t Group::*field) {
    return List(groups, [&](const Group& g) { return Integer(g.*field); });
  };
  return {{"opcode", texts(&Group::opcode)},
          {"source", texts(&Group::source)},
          {"op_name", texts(&Group::op_name)},
          {"instructions", integers(&Group::instructions)},
          {"unpadded_bytes", integers(&Group::unpadded_bytes)},
          {"padded_bytes", integers(&Group::padded_bytes)}};
}

Json ToJson(const MemoryMap& map, StringTable& strings) {
  using Value = MemoryMap::Value;
  auto texts = [&](std::string Value::*field) {
    return List(map.values, [&](const Value& value) {
      return strings.IndexOf(value.*field);
    });
  };
  auto integers = [&](int64_t Value::*field) {
    return List(map.values,
                [&](const Value& value) { return Integer(value.*field); });
  };
  return {{"title", map.title},
          {"bytes", Integer(map.bytes)},
          {"steps", Integer(map.steps)},
          {"allocations", List(map.allocations,
                               [](const MemoryMap::Allocation& allocation) {
                                 return Json{
                                     {"name", allocation.name},
                                     {"kind", allocation.kind},
                                     {"offset", Integer(allocation.offset)},
                                     {"bytes", Integer(allocation.bytes)}};
                               })},
          {"values",
           {{"name", texts(&Value::name)},
            {"group", texts(&Value::group)},
            {"shape", texts(&Value::shape)},
            {"source", texts(&Value::source)},
            {"offset", integers(&Value::offset)},
            {"bytes", integers(&Value::bytes)},
            {"first", integers(&Value::first)},
            {"last", integers(&Value::last)},
            {"padding_bytes", integers(&Value::padding_bytes)}}},
          {"used_bytes", List(map.used_bytes, Integer)},
          {"step_names", List(map.step_names, [&](const std::string& name) {
             return strings.IndexOf(name);
           })}};
}

Json ToJson(const MemoryPage::Module& module, StringTable& strings) {
  using Instruction = MemoryPage::Instruction;
  auto texts = [&](std::string Instruction::*field) {
    return List(module.schedule, [&](const Instruction& instruction) {
      return strings.IndexOf(instruction.*field);
    });
  };
  return {{"name", module.name},
          {"file", module.file},
          {"instructions", Integer(module.instructions)},
          {"computations", Integer(module.computations)},
          {"distinct_shapes", Integer(module.distinct_shapes)},
          {"unpadded_bytes", Integer(module.unpadded_bytes)},
          {"padded_bytes", Integer(module.padded_bytes)},
          {"schedule",
           {{"name", texts(&Instruction::name)},
            {"opcode", texts(&Instruction::opcode)}}},
          {"no_peak", module.no_peak},
          {"is_assigned_by_xla", module.is_assigned_by_xla},
          {"maps",
           List(module.maps,
                [&](const MemoryMap& map) { return ToJson(map, strings); })},
          {"timelines", List(module.timelines, [&](const auto& timeline) {
             return Json{
                 {"memory_space", timeline.memory_space},
                 {"live_bytes", List(timeline.live_bytes, Integer)},
                 {"peak", Integer(timeline.peak)},
                 {"peak_unpadded_bytes", Integer(timeline.peak_unpadded_bytes)},
                 {"reserved_bytes", Integer(timeline.reserved_bytes)},
                 {"reserved_unpadded_bytes",
                  Integer(timeline.reserved_unpadded_bytes)},
                 {"buffers", Columns(timeline.buffers, strings)}};
           })}};
}

Json ToJson(const MemoryPage::MemorySpace& space) {
  return {{"name", space.name},
          {"arrays", Integer(space.arrays)},
          {"unpadded_bytes", Integer(space.unpadded_bytes)},
          {"padded_bytes", Integer(space.padded_bytes)}};
}

Json ToJson(const MemoryPage::Array& array) {
  return {{"shape", array.shape},
          {"uses", Integer(array.uses)},
          {"unpadded_bytes", Integer(array.unpadded_bytes)},
          {"padded_bytes", Integer(array.padded_bytes)},
          {"total_padding_bytes", Integer(array.total_padding_bytes)},
          {"padded_dimension", array.padded_dimension},
          {"better_order", array.better_order},
          {"better_bytes", Integer(array.better_bytes)}};
}

Json ToJson(const MemoryPage::Relayout& relayout) {
  return {{"instruction", relayout.instruction},
          {"opcode", relayout.opcode},
          {"from", relayout.from},
          {"to", relayout.to},
          {"bytes", Integer(relayout.bytes)},
          {"is_free", relayout.is_free},
          {"is_fused", relayout.is_fused},
          {"moves", relayout.moves},
          {"producer", relayout.producer},
          {"user", relayout.user}};
}

Json ToJson(const MemoryPage::OpcodeTotals& totals) {
  return {{"opcode", totals.opcode},
          {"instructions", Integer(totals.instructions)},
          {"unpadded_bytes", Integer(totals.unpadded_bytes)},
          {"padded_bytes", Integer(totals.padded_bytes)}};
}

Json ToJson(const MemoryPage::ChangeGroup& group) {
  return {{"change", group.change},
          {"count", Integer(group.count)},
          {"before_shape", group.before_shape},
          {"after_shape", group.after_shape},
          {"before_bytes", Integer(group.before_bytes)},
          {"after_bytes", Integer(group.after_bytes)},
          {"op_name", group.op_name},
          {"source_line", group.source_line},
          {"instruction", group.instruction},
          {"opcode", group.opcode}};
}

Json ToJson(const std::vector<MemoryPage::ChangeGroup>& groups) {
  return List(groups, [](const auto& group) { return ToJson(group); });
}

Json ToJson(const MemoryPage::SpaceChange& space) {
  return {{"memory_space", space.memory_space},
          {"peak_before", Integer(space.peak_before)},
          {"peak_after", Integer(space.peak_after)},
          {"reserved_before", Integer(space.reserved_before)},
          {"reserved_after", Integer(space.reserved_after)},
          {"assigned_before", Integer(space.assigned_before)},
          {"assigned_after", Integer(space.assigned_after)},
          {"group_count", Integer(space.group_count)},
          {"groups", ToJson(space.groups)}};
}

Json ToJson(const MemoryPage::TotalChange& total) {
  return {{"memory_space", total.memory_space},
          {"before", Integer(total.before)},
          {"after", Integer(total.after)}};
}

Json ToJson(const MemoryPage::ModuleChange& module) {
  return {{"before", module.before.has_value() ? Json(*module.before) : Json()},
          {"after", module.after.has_value() ? Json(*module.after) : Json()},
          {"matched", Integer(module.matched)},
          {"appeared", Integer(module.appeared)},
          {"vanished", Integer(module.vanished)},
          {"counted", module.counted},
          {"no_peak", module.no_peak},
          {"spaces", List(module.spaces,
                          [](const auto& space) { return ToJson(space); })},
          {"totals", List(module.totals,
                          [](const auto& total) { return ToJson(total); })},
          {"group_count", Integer(module.group_count)},
          {"groups", ToJson(module.groups)}};
}

Json ToJson(const absl::optional<MemoryPage::Changes>& changes) {
  if (!changes.has_value()) return Json();
  return {{"before_title", changes->before_title},
          {"modules", List(changes->modules,
                           [](const auto& module) { return ToJson(module); })},
          {"notes",
           List(changes->notes, [](const std::string& note) { return note; })}};
}

Json ToJson(const MemoryPage& page) {
  auto to_json = [](const auto& item) { return ToJson(item); };
  StringTable strings;
  Json json;
  json["title"] = page.title;
  json["counts_buffers"] = page.counts_buffers;
  json["modules"] = List(page.modules, [&](const auto& module) {
    return ToJson(module, strings);
  });
  json["by_memory_space"] = List(page.by_memory_space, to_json);
  json["groups"] = Columns(page.groups, strings);
  json["largest"] = List(page.largest, to_json);
  json["most_wasteful"] = List(page.most_wasteful, to_json);
  json["relayouts"] = List(page.relayouts, to_json);
  json["by_opcode"] = List(page.by_opcode, to_json);
  json["changes"] = ToJson(page.changes);
  json["notes"] =
      List(page.notes, [](const std::string& note) { return note; });
  json["strings"] = strings.Release();
  return json;
}

// JSON in which no HTML parser sees a tag or a comment: "<" stands in strings
// only, where it has another spelling.
std::string ScriptText(const Json& json) {
  return absl::StrReplaceAll(Dump(json), {{"<", "\\u003c"}});
}

std::string HtmlText(const std::string& text) {
  // To JSON and back for the sake of what is not UTF-8.
  const std::string utf8 = Json::parse(Dump(text)).get<std::string>();
  return absl::StrReplaceAll(utf8,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

}  // namespace

std::string RenderMemoryPage(const MemoryPage& page) {
  return absl::StrReplaceAll(kMemoryPageHtml,
                             {{"{{title}}", HtmlText(page.title)},
                              {"{{style}}", kMemoryPageStyle},
                              {"{{data}}", ScriptText(ToJson(page))},
                              {"{{script}}", kMemoryPageScript}});
}

}  // namespace tessera
