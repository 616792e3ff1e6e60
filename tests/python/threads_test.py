"""What eight threads get at once is what one gets."""

import concurrent.futures
import threading

import numpy
import tessera

THREADS = 8
DUMP = "tests/hlo/data/tpu_backbone.hlo"


def at_once(ask):
    """What `ask` returns in each of the threads, which begin together."""
    barrier = threading.Barrier(THREADS)

    def run(_):
        barrier.wait()
        return ask()

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_one_layout():
    indices = numpy.random.default_rng(7).integers(0, 1024, (100_000, 2))

    def ask(shape):
        positions = shape.linear_index(indices)
        return positions.tobytes(), shape.index_of(positions).tobytes(), shape.nbytes, str(shape.draw())

    text = "f32[1024,1024]{1,0:T(8,128)}"
    expected = ask(tessera.shape(text))
    for _ in range(5):
        # Its maps are made as they are asked for first: here by all threads.
        shared = tessera.shape(text)
        assert at_once(lambda: ask(shared)) == [expected] * THREADS


def test_many_layouts():
    texts = [f"f32[{i},130]{{1,0:T(8,128)}}" for i in range(1, 60)]
    expected = [tessera.shape(text).linear_index((0, 129)) for text in texts]

    def ask():
        return [tessera.shape(text).linear_index((0, 129)) for text in texts]

    assert at_once(ask) == [expected] * THREADS


def test_relayout():
    array = numpy.arange(512 * 1000, dtype="float32").reshape(512, 1000)
    plan = tessera.RelayoutPlan("f32[512,1000]", "f32[512,1000]{1,0:T(8,128)}", pad=0)

    def ask():
        out = numpy.empty(512 * 1024, "float32")
        plan.execute(array, out, threads=2)
        return out.tobytes()

    assert at_once(ask) == [ask()] * THREADS


def test_one_dump():
    def ask(dump):
        entry = dump.module.entry_computation
        users = [len(instruction.users) for instruction in entry.instructions]
        return (
            users,
            dump.instructions.columns(),
            str(dump.peak()),
            str(dump.report()),
            dump.memory_map().to_svg(),
            bool(dump.check(max_reserved="96MiB")),
        )

    expected = ask(tessera.hlo.load(DUMP))
    shared = tessera.hlo.load(DUMP)
    assert at_once(lambda: ask(shared)) == [expected] * THREADS
    assert at_once(lambda: ask(tessera.hlo.load(DUMP))) == [expected] * THREADS


def test_errors():
    def ask():
        messages = []
        for i in range(200):
            try:
                tessera.shape(f"f32[{i},")
            except tessera.Error as error:
                messages.append(str(error))
        return messages

    assert at_once(ask) == [ask()] * THREADS
