// The names of the dumps in tests/hlo/data; SOURCES.md there says what they
// are.
//
//   for (const char* file : kDumpFiles) Check(ReadDump(file));

#ifndef TESSERA_TESTS_HLO_DUMP_FILES_H_
#define TESSERA_TESTS_HLO_DUMP_FILES_H_

namespace tessera {

// Breaks off in the middle of its last computation; the others are whole.
inline constexpr char kCutOffDumpFile[] =
    "tpu_maxtext_llama3_8b_2026-07-31.txt";

inline constexpr const char* kDumpFiles[] = {
    "custom_call.hlo",         "fuzz_rand_000009.hlo",
    "import_async.hlo",        "jax.issue.33666.linx.frag_0100.module_0005.hlo",
    "kernel_reuse.hlo",        "layouts_and_names.hlo",
    "sharded_computation.hlo", "slice_to_dynamic.hlo",
    "tpu_backbone.hlo",        "tpu_jit_f.after_optimizations.txt",
    kCutOffDumpFile,           "while.hlo",
};

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_DUMP_FILES_H_
