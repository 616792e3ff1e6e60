"""Protocol Buffers' own JSON in Python: MessageToJson writes every question, and json_format.Parse reads every answer.

    json_format_test.py cli/tessera QUESTIONS...
"""

import json
import subprocess
import sys
import unittest

from google.protobuf import json_format

from proto import layout_service_pb2 as messages

PROGRAM, *FILES = sys.argv[1:]
del sys.argv[1:]

FORMS = [
    {},
    {'preserving_proto_field_name': True},
    {'use_integers_for_enums': True},
    {'including_default_value_fields': True},
]


def answers(lines, *options):
    """What `tessera batch` prints for the lines."""
    output = subprocess.run([PROGRAM, 'batch', *options], input=''.join(line + '\n' for line in lines), stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    return output.splitlines()


class JsonFormatTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.requests = []
        for name in FILES:
            with open(name, encoding='utf-8') as file:
                for line in file:
                    line = line.removeprefix('? ')
                    if not line.startswith('{'):
                        continue
                    try:
                        cls.requests.append(json_format.Parse(line, messages.Request()))
                    except json_format.ParseError:
                        pass  # A wrong question.
        assert len(cls.requests) > 200, len(cls.requests)
        cls.lines = [json_format.MessageToJson(request, indent=None, preserving_proto_field_name=True) for request in cls.requests]
        cls.answers = answers(cls.lines)
        cls.proto3 = answers(cls.lines, '--json=proto3')

    def test_there_are_questions_of_every_kind(self):
        kinds = {request.WhichOneof('question') for request in self.requests}
        self.assertEqual(kinds - {None}, {field.name for field in messages.Request.DESCRIPTOR.oneofs_by_name['question'].fields})

    def test_every_form_of_a_question_is_read(self):
        for form in FORMS:
            lines = [json_format.MessageToJson(request, indent=None, **form) for request in self.requests]
            self.assertEqual(answers(lines), self.answers, form)

    def test_every_answer_is_read(self):
        kinds = set()
        for line in self.proto3:
            response = json_format.Parse(line, messages.Response())
            kinds.add(response.WhichOneof('result'))
            # Nothing is lost: printed again it is the same.
            again = json_format.MessageToDict(response, including_default_value_fields=True, preserving_proto_field_name=True)
            self.assertEqual(again, json.loads(line))
        self.assertEqual(kinds, {field.name for field in messages.Response.DESCRIPTOR.oneofs_by_name['result'].fields})

    def test_the_default_form_differs_in_maps_that_may_be_null(self):
        for line, proto3 in zip(self.answers, self.proto3):
            response = json_format.Parse(proto3, messages.Response())
            try:
                self.assertEqual(json_format.Parse(line, messages.Response()), response)
            except json_format.ParseError as error:
                self.assertRegex(str(error), '(SpacePeaks|SpacePeakChanges|AssignmentStatement)" has no field named "')


if __name__ == '__main__':
    unittest.main()
