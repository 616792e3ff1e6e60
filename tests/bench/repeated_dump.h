// A dump of any size, made of the computations of a real one, over and over
// under fresh names: for measuring on more text than a test can hold.
//
//   RepeatedDump dump(text_of_a_module);
//   std::string text = dump.Header();
//   for (int64_t i = 0; text.size() < 4 << 20; ++i) dump.Append(i, &text);

#ifndef TESSERA_TESTS_BENCH_REPEATED_DUMP_H_
#define TESSERA_TESTS_BENCH_REPEATED_DUMP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

class RepeatedDump {
 public:
  // `module` is the text of one module whose names are written with '%'.
  explicit RepeatedDump(std::string_view module);

  // The line that begins a module.
  std::string Header() const { return "HloModule repeated\n\n"; }
  // Puts all whole computations behind `*out`, none of them marked ENTRY, with
  // ".r<number>" behind every name.
  void Append(int64_t number, std::string* out) const;

 private:
  std::string text_;
  std::vector<std::string_view> pieces_;  // each but the last ends with a name
};

// Header and repetitions, until there are `bytes` of text or a few more.
std::string RepeatDump(std::string_view module, size_t bytes);

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_REPEATED_DUMP_H_
