#!/usr/bin/python3
"""Prints the buffer assignment of an HloProto (plain or gzip) in XLA's words, as --xla_dump_to would have written it.

    assignment_of_proto.py module.hlo.pb > module-buffer-assignment.txt

The proto has the allocations, values and positions. Uses and live ranges are worked out from the module, by the rules of
HloValue::ComputeUses and HloLiveRange, but for HloLiveRange::NormalizeAliasedBuffers. No phi is marked: protos do not say it.
The fields' numbers are those of xla/service/hlo.proto and xla/xla_data.proto.
"""

import gzip
import sys

_TYPES = dict(enumerate(
    "invalid pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 tuple opaque c64 bf16 token c128".split()))


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """{number: [value]}: integers, or bytes."""
    result = {}
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
            value -= (value >> 63) << 64
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if size is None:
                size, at = varint(data, at)
            value = data[at:at + size]
            at += size
        result.setdefault(tag >> 3, []).append(value)
    return result


def one(message, number, default=0):
    return message.get(number, [default])[-1]


def integers(message, number):
    result = []
    for value in message.get(number, []):
        if isinstance(value, int):
            result.append(value)
            continue
        at = 0
        while at < len(value):
            element, at = varint(value, at)
            result.append(element - ((element >> 63) << 64))
    return result


def index_text(index):
    return "{" + ",".join(map(str, index)) + "}"


class Shape:
    def __init__(self, data):
        message = fields(data)
        self.type = _TYPES.get(one(message, 2), "opaque")
        self.dimensions = integers(message, 3)
        self.elements = [Shape(element) for element in message.get(4, [])]
        self.minor_to_major = integers(fields(one(message, 5, b"")), 1) if 5 in message else None

    def is_tuple(self):
        return self.type == "tuple"

    def text(self, with_layout):
        if self.is_tuple():
            parts = [("/*index=%d*/" % i if i > 0 and i % 5 == 0 else "") + e.text(with_layout)
                     for i, e in enumerate(self.elements)]
            return "(" + ", ".join(parts) + ")"
        text = self.type + "[" + ",".join(map(str, self.dimensions)) + "]"
        if with_layout and self.minor_to_major:
            text += "{" + ",".join(map(str, self.minor_to_major)) + "}"
        return text

    def at(self, index):
        shape = self
        for element in index:
            shape = shape.elements[element]
        return shape

    def leaves_bytes(self):
        if self.is_tuple():
            return 8 * len(self.elements)
        width = {"pred": 1, "bf16": 2, "c64": 8, "c128": 16}.get(self.type)
        if width is None:
            width = int(self.type[1:]) // 8 if self.type[1:].isdigit() else 0
        for size in self.dimensions:
            width *= size
        return width


class Instruction:
    def __init__(self, data, computation):
        message = fields(data)
        self.name = one(message, 1, b"").decode()
        self.opcode = one(message, 2, b"").decode()
        self.shape = Shape(one(message, 3, b""))
        self.id = one(message, 35)
        self.operand_ids = integers(message, 36)
        self.called_ids = integers(message, 38)
        self.computation = computation
        self.op_name = one(fields(one(message, 7, b"")), 2, b"").decode()

    def text(self, by_id):
        operands = ", ".join("%s %%%s" % (by_id[i].shape.text(True), by_id[i].name) for i in self.operand_ids)
        text = "%%%s = %s %s(%s)" % (self.name, self.shape.text(True), self.opcode, operands)
        return text + (', metadata={op_name="%s"}' % self.op_name if self.op_name else "")


class Computation:
    def __init__(self, data):
        message = fields(data)
        self.id = one(message, 5)
        self.root_id = one(message, 6)
        self.instructions = [Instruction(i, self) for i in message.get(2, [])]


class Value:
    def __init__(self, data, by_id):
        message = fields(data)
        self.id = one(message, 1)
        self.color = one(message, 4)
        location = fields(one(message, 3, b""))
        self.instruction = by_id[one(location, 4)]
        self.index = integers(location, 3)
        self.positions = [(self.instruction, self.index)]

    def short_text(self):
        index = index_text(self.index) if self.instruction.shape.is_tuple() else ""
        return "<%d %s%s @%d>" % (self.id, self.instruction.name, index, self.color)


def uses_of(value, users):
    roots = {p.id for p, _ in value.positions if p.computation.root_id == p.id}
    uses = []
    for position, index in value.positions:
        for user, number in users.get(position.id, []):
            only_whole = user.opcode in ("get-tuple-element", "copy")
            passes = user.opcode in ("domain", "tuple") or (only_whole and index)
            if not passes or user.id in roots:
                uses.append((user, number, index))
    return uses


def human(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return "%.1f%s" % (size / unit, name)
    return "%dB" % size


def flatten(computation, computations, sequences, spans, steps):
    if computation.id in spans or computation.id not in sequences:
        return
    first = len(steps)
    by_id = {i.id: i for i in computation.instructions}
    for number in sequences[computation.id]:
        if by_id[number].opcode in ("call", "conditional", "while"):
            # The condition of a loop comes first.
            called = by_id[number].called_ids
            for called_id in reversed(called) if by_id[number].opcode == "while" else called:
                flatten(computations[called_id], computations, sequences, spans, steps)
        steps.append(by_id[number])
    spans[computation.id] = (first, len(steps))


def print_assignment(data, out):
    proto = fields(data)
    module = fields(one(proto, 1))
    assignment = fields(one(proto, 3))
    computations = [Computation(c) for c in module.get(3, [])]
    computations = {c.id: c for c in computations}
    by_id = {i.id: i for c in computations.values() for i in c.instructions}
    entry = computations[one(module, 6)]
    users = {}
    for user in by_id.values():
        for number, operand in enumerate(user.operand_ids):
            users.setdefault(operand, []).append((user, number))
    values = {}
    for value in assignment.get(1, []):
        value = Value(value, by_id)
        values[value.id] = value
    for alias in assignment.get(2, []):
        message = fields(alias)
        location = fields(one(message, 2, b""))
        position = (by_id[one(location, 4)], integers(location, 3))
        if one(message, 1) in values and position not in values[one(message, 1)].positions:
            values[one(message, 1)].positions.append(position)

    out.write("BufferAssignment:\n")
    total = 0
    used = []
    for allocation in assignment.get(3, []):
        message = fields(allocation)
        total += one(message, 2)
        tenants = [fields(tenant) for tenant in message.get(9, [])]
        tenants.sort(key=id_of)
        line = "allocation %d: size %d" % (one(message, 1), one(message, 2))
        if one(message, 8):
            line += ", color %d" % one(message, 8)
        if one(message, 5):
            number, index = one(message, 6), integers(message, 10)
            shape = next((values[one(t, 1)].instruction.shape.at(index) for t in tenants
                          if values[one(t, 1)].instruction.opcode == "parameter"
                          and values[one(t, 1)].instruction.computation is entry), None)
            line += ", parameter %d, shape |%s| at ShapeIndex %s" % (
                number, shape.text(False) if shape else "<unknown shape>", index_text(index))
        if any(p.id == entry.root_id and not i for t in tenants for p, i in values[one(t, 1)].positions):
            line += ", output shape is |%s|" % by_id[entry.root_id].shape.text(False)
        marks = [one(message, 12), one(message, 3), one(message, 7)]
        for mark, word in zip(marks, ("constant", "thread-local", "maybe-live-out")):
            line += ", " + word if mark else ""
        if not any(marks) and not one(message, 5):
            line += ", preallocated-temp"
        out.write(line + ":\n")
        for tenant in tenants:
            value = values[one(tenant, 1)]
            used.append(value)
            out.write(" value: %s (size=%d,offset=%d): %s\n" % (
                value.short_text(), one(tenant, 3), one(tenant, 2),
                value.instruction.shape.at(value.index).text(True)))
    out.write("\nTotal bytes used: %d (%s)\n\nUsed values:\n" % (total, human(total)))
    used.sort(key=lambda value: value.id)
    uses = {value.id: uses_of(value, users) for value in used}
    for value in used:
        out.write(value.short_text() + "\n positions:\n")
        for position, index in value.positions:
            out.write("  %s%s\n" % (position.name, " " + index_text(index) if position.shape.is_tuple() else ""))
        out.write(" uses:\n")
        for user, number, index in uses[value.id]:
            is_tuple = by_id[user.operand_ids[number]].shape.is_tuple()
            out.write("  %s, operand %d%s\n" % (user.name, number, " " + index_text(index) if is_tuple else ""))
        out.write(" from instruction: %s\n" % value.instruction.text(by_id))

    sequences = {}
    for sequence in fields(one(module, 7, b"")).get(1, []):
        message = fields(sequence)
        sequences[one(message, 1)] = integers(fields(one(message, 2, b"")), 1)
    steps, spans = [], {}
    flatten(entry, computations, sequences, spans, steps)
    time = {step.id: number for number, step in enumerate(steps)}
    out.write("\n\nHloLiveRange (max %d):\n  InstructionSequence:\n" % len(steps))
    for number, step in enumerate(steps):
        out.write("    %d:%s\n" % (number, step.name))
    out.write("  BufferLiveRange:\n")
    ranges = []
    for value in used:
        if value.instruction.id not in time:
            continue
        computation = value.instruction.computation
        is_parameter = value.instruction.opcode == "parameter"
        first = spans[computation.id][0] if is_parameter else time[value.instruction.id]
        last = max([time[value.instruction.id]] + [
            spans[p.computation.id][1] if p.computation.root_id == p.id else time[p.id]
            for p, _ in value.positions if p.id in time] + [
                time[user.id] for user, _, _ in uses[value.id] if user.id in time])
        if is_parameter and computation is entry:
            last = len(steps)
        ranges.append((value, first, last))
        out.write("    %s%s:%d-%d\n" % (value.instruction.name, index_text(value.index), first, last))

    def live_at(moment):
        return [v for v, first, last in ranges if first <= moment <= last]

    def size_of(value):
        return value.instruction.shape.at(value.index).leaves_bytes()

    peak = max(range(len(steps)), key=lambda moment: (sum(map(size_of, live_at(moment))), -moment), default=0)
    out.write("  Live ranges at %d (peak):\n" % peak)
    for value in sorted(live_at(peak), key=lambda v: (-size_of(v), v.instruction.name, v.index)):
        out.write("    %s%s: %d bytes\n" % (
            value.instruction.name, index_text(value.index) if value.index else "", size_of(value)))


def id_of(tenant):
    return one(tenant, 1)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    print_assignment(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, sys.stdout)


if __name__ == "__main__":
    main()
