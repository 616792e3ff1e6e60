"""Has hypothesis try the same examples on every run, and keep nothing."""

import hypothesis

hypothesis.settings.register_profile(
    "tessera", deadline=None, database=None, derandomize=True, max_examples=60
)
hypothesis.settings.load_profile("tessera")
