// File: tests/hlo/proto_files.h
//
// The protos in tests/hlo/data/protos; SOURCES.md there says what they are.
//
//   for (const ProtoFile& file : ReadProtoFiles()) Check(file.bytes);

#ifndef TESSERA_TESTS_HLO_PROTO_FILES_H_
#define TESSERA_TESTS_HLO_PROTO_FILES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

struct ProtoFile {
  std::string name;
  std::string bytes;
  // Name and number of instructions of each module, by totals.tsv, sorted.
  // Empty for a file that is not in it.
  std::vector<std::pair<std::string, int64_t>> modules;
};

// Every file, unpacked.
std::vector<ProtoFile> ReadProtoFiles();

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_PROTO_FILES_H_
