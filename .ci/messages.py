"""The messages of the service with their comments, for the pages and files that are written from them.

Needs protoc and python3-protobuf.
"""

import pathlib
import subprocess

from google.protobuf import descriptor_pb2

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROTOS = ["proto/xla_data.proto", "proto/layout_service.proto", "proto/memory_check.proto"]

Field = descriptor_pb2.FieldDescriptorProto


class Messages:
    """All messages and enums by name, with the comments on them and on their members."""

    def __init__(self):
        command = ["protoc", "--include_source_info", "--include_imports", "--descriptor_set_out=/dev/stdout", "-I."]
        files = descriptor_pb2.FileDescriptorSet()
        files.ParseFromString(subprocess.run(command + PROTOS, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
        self.by_name = {}
        self._comments = {}
        for file in files.file:
            comments = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
            for i, message in enumerate(file.message_type):
                self._add_message(f".{file.package}", message, (4, i), comments)
            for i, enum in enumerate(file.enum_type):
                self._add_enum(f".{file.package}", enum, (5, i), comments)

    def _add_message(self, scope, message, path, comments):
        name = f"{scope}.{message.name}"
        self.by_name[name] = message
        self._comments[name] = comments.get(path, "")
        for i, field in enumerate(message.field):
            self._comments[name, field.name] = comments.get((*path, 2, i), "")
        for i, nested in enumerate(message.nested_type):
            self._add_message(name, nested, (*path, 3, i), comments)
        for i, enum in enumerate(message.enum_type):
            self._add_enum(name, enum, (*path, 4, i), comments)

    def _add_enum(self, scope, enum, path, comments):
        name = f"{scope}.{enum.name}"
        self.by_name[name] = enum
        self._comments[name] = comments.get(path, "")
        for i, value in enumerate(enum.value):
            self._comments[name, value.name] = comments.get((*path, 2, i), "")

    def comment(self, type_name, member=None):
        """The comment on a message or enum (".tessera.Request"), or on a member of it, as one line."""
        return " ".join(self._comments[(type_name, member) if member else type_name].split())

    def of(self, field):
        return self.by_name[field.type_name]

    def map_of(self, message):
        """The field of a message that has no other, and is a map."""
        fields = message.field
        return fields[0] if len(fields) == 1 and self.is_map(fields[0]) else None

    def is_map(self, field):
        return field.type == Field.TYPE_MESSAGE and self.of(field).options.map_entry

    def can_be_absent(self, field):
        """Whether the field is null where it is not given."""
        return field.type == Field.TYPE_MESSAGE or field.proto3_optional
