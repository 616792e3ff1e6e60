#include "tessera/python/core/answers.h"

#include "google/protobuf/descriptor.h"
#include "tessera/python/core/errors.h"

namespace tessera::python {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Recurses as deep as messages are nested. Only ShapeProto can contain itself;
// ServiceOptions::shape_nesting limits it.
class Converter {
 public:
  Converter()
      : answers_(py::module_::import("tessera.answers")),
        table_(answers_.attr("Table")) {}

  py::dict Columns(const Message& message, const FieldDescriptor& table) const {
    const Reflection& reflection = *message.GetReflection();
    const Descriptor& type = *table.message_type();
    const int size = reflection.FieldSize(message, &table);
    py::dict columns;
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      py::list column(size);
      for (int row = 0; row < size; ++row) {
        column[row] =
            Value(reflection.GetRepeatedMessage(message, &table, row), field);
      }
      columns[field.name().c_str()] = column;
    }
    return columns;
  }

  py::object Convert(const Message& message) const {
    const Descriptor& type = *message.GetDescriptor();
    if (type.field_count() == 1 && type.field(0)->is_map()) {
      return Value(message, *type.field(0));
    }
    py::dict fields;
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      fields[field.name().c_str()] = Value(message, field);
    }
    const py::object made =
        answers_.attr(type.name().c_str()).attr("_of")(fields);
    return made;
  }

 private:
  py::object Value(const Message& message, const FieldDescriptor& field) const {
    const Reflection& reflection = *message.GetReflection();
    if (field.is_map()) return Map(message, field);
    if (field.is_repeated()) {
      const int size = reflection.FieldSize(message, &field);
      py::list list(size);
      for (int i = 0; i < size; ++i) list[i] = One(message, field, i);
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        return table_(list);
      }
      return std::move(list);
    }
    const bool can_be_absent =
        field.has_presence() || field.containing_oneof() != nullptr;
    if (can_be_absent && !reflection.HasField(message, &field)) {
      return py::none();
    }
    return One(message, field, 0);
  }

  // Returns value `i` of a repeated field, or the value of another field.
  template <typename Repeated, typename Single>
  static auto Get(const Message& message, const FieldDescriptor& field, int i,
                  Repeated repeated, Single single) {
    const Reflection& reflection = *message.GetReflection();
    return field.is_repeated() ? (reflection.*repeated)(message, &field, i)
                               : (reflection.*single)(message, &field);
  }

  py::object One(const Message& message, const FieldDescriptor& field,
                 int i) const {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return py::int_(Get(message, field, i, &Reflection::GetRepeatedInt32,
                            &Reflection::GetInt32));
      case FieldDescriptor::CPPTYPE_INT64:
        return py::int_(Get(message, field, i, &Reflection::GetRepeatedInt64,
                            &Reflection::GetInt64));
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return py::float_(Get(message, field, i, &Reflection::GetRepeatedDouble,
                              &Reflection::GetDouble));
      case FieldDescriptor::CPPTYPE_BOOL:
        return py::bool_(Get(message, field, i, &Reflection::GetRepeatedBool,
                             &Reflection::GetBool));
      case FieldDescriptor::CPPTYPE_ENUM:
        return Text(Get(message, field, i, &Reflection::GetRepeatedEnum,
                        &Reflection::GetEnum)
                        ->name());
      case FieldDescriptor::CPPTYPE_STRING:
        return Text(Get(message, field, i, &Reflection::GetRepeatedString,
                        &Reflection::GetString));
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const Reflection& reflection = *message.GetReflection();
        return Convert(field.is_repeated()
                           ? reflection.GetRepeatedMessage(message, &field, i)
                           : reflection.GetMessage(message, &field));
      }
      default:
        // As of service/json.h: no message has other fields.
        throw py::type_error(field.full_name());
    }
  }

  // Returns a dict in the order of its keys.
  py::object Map(const Message& message, const FieldDescriptor& field) const {
    const Reflection& reflection = *message.GetReflection();
    const FieldDescriptor& key = *field.message_type()->map_key();
    const FieldDescriptor& value = *field.message_type()->map_value();
    py::dict entries;
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
      entries[One(entry, key, 0)] = One(entry, value, 0);
    }
    py::list keys = entries.attr("keys")().cast<py::list>();
    keys.attr("sort")();
    py::dict sorted;
    for (const py::handle k : keys) sorted[k] = entries[k];
    return std::move(sorted);
  }

  py::object answers_;
  py::object table_;
};

}  // namespace

py::object ToPython(const Message& message) {
  return Converter().Convert(message);
}

py::dict ToColumns(const Message& message, const char* table) {
  return Converter().Columns(message,
                             *message.GetDescriptor()->FindFieldByName(table));
}

}  // namespace tessera::python
