"""Runs a notebook as Jupyter does, without Jupyter.

    python notebook_runner.py [--update] [NOTEBOOK]

--update writes the outputs into the notebook. The working directory is the root
of the repository.
"""

import ast
import contextlib
import io
import json
import pathlib
import sys

NOTEBOOK = pathlib.Path("examples/notebook/dump_to_pictures.ipynb")
# How an object says what it looks like, by the type of what it says. A Dump is
# shown as a page of its own, which a stored notebook has no place for.
REPRESENTATIONS = {
    "image/svg+xml": "_repr_svg_",
    "text/html": "_repr_html_",
}


def lines(text):
    """A text as notebooks store it."""
    return text.splitlines(keepends=True)


def representations(value):
    """What Jupyter stores of the value of a cell."""
    data = {}
    for kind, name in REPRESENTATIONS.items():
        method = getattr(value, name, None)
        text = method() if callable(method) else None
        if text is not None:
            data[kind] = lines(text)
    data["text/plain"] = lines(repr(value))
    return data


def run_cell(source, namespace, number):
    """Runs a cell, and returns its outputs. What it raises is not caught."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    # As in IPython, a semicolon at the end hides the value.
    is_hidden = source.rstrip().endswith(";")
    name = f"<cell {number}>"
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), name, "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    printed.flush()
    text = printed.buffer.getvalue().decode("utf-8")
    outputs = []
    if text:
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(text)})
    if value is not None and not is_hidden:
        outputs.append(
            {
                "data": representations(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def run(notebook):
    """Yields each code cell with the outputs that it has now."""
    namespace = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            yield cell, number, run_cell("".join(cell["source"]), namespace, number)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def update(path):
    notebook = read(path)
    for cell, number, outputs in run(notebook):
        cell["execution_count"] = number
        cell["outputs"] = outputs
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    paths = [argument for argument in sys.argv[1:] if argument != "--update"]
    path = pathlib.Path(paths[0]) if paths else NOTEBOOK
    if "--update" in sys.argv:
        update(path)
    else:
        for cell, number, outputs in run(read(path)):
            print(f"[{number}] {''.join(cell['source'])}")
            for output in outputs:
                print("".join(output.get("text") or output["data"]["text/plain"]))
