// The protos in tests/hlo/data/protos; SOURCES.md there says what they are.
//
//   for (const ProtoFile& file : ReadProtoFiles()) Check(file.bytes);

#ifndef TESSERA_TESTS_HLO_PROTO_FILES_H_
#define TESSERA_TESTS_HLO_PROTO_FILES_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tessera {

// A module, by totals.tsv.
struct ProtoModule {
  std::string name;
  int64_t instructions = 0;
  // What XLA reserves, in bytes, without what is thread-local.
  int64_t reserved_bytes = 0;
  // What XLA allocates, by memory space and kind: param, const, out, temp and
  // thread, which is thread-local.
  std::map<int64_t, std::map<std::string, int64_t>> allocated_bytes;

  friend bool operator<(const ProtoModule& a, const ProtoModule& b) {
    return std::tie(a.name, a.instructions, a.reserved_bytes) <
           std::tie(b.name, b.instructions, b.reserved_bytes);
  }
};

struct ProtoFile {
  std::string name;
  std::string bytes;
  // Sorted. Empty for a file that is not in totals.tsv.
  std::vector<ProtoModule> modules;
};

// Every file, unpacked.
std::vector<ProtoFile> ReadProtoFiles();

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_PROTO_FILES_H_
