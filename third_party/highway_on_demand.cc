// Debian's libhwy takes more than 3 ms of processor time to load: it measures
// the resolution of the machine's timer, which no part of Tessera asks for.
// These two functions, all that dynamic dispatch needs of it, load it when a
// kernel runs first, so that a command without one starts without it.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "hwy/targets.h"

namespace hwy {
namespace {

template <typename Function>
Function* FunctionOfLibrary(const char* mangled_name) {
  void* library = dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
  void* found = library == nullptr ? nullptr : dlsym(library, mangled_name);
  if (found == nullptr) {
    std::fprintf(stderr, "tessera: error: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function*>(found);
}

}  // namespace

int64_t SupportedTargets() {
  static const auto function =
      FunctionOfLibrary<int64_t()>("_ZN3hwy16SupportedTargetsEv");
  return function();
}

ChosenTarget& GetChosenTarget() {
  static const auto function =
      FunctionOfLibrary<ChosenTarget&()>("_ZN3hwy15GetChosenTargetEv");
  return function();
}

}  // namespace hwy
