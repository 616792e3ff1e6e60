// Do the readers of files' bytes take any bytes?

#ifndef TESSERA_TESTS_FUZZ_FILE_BYTES_H_
#define TESSERA_TESTS_FUZZ_FILE_BYTES_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ReadNpyHeader: a header that is read is
// written as one that reads back as itself, and its elements begin in the file.
std::string NpyProblem(std::string_view bytes);

// A property of Unpack: it gives no more than its limit and one; more with a
// larger limit, and the same beginning; and whatever bytes are compressed, in
// one member or two, it gives back, or an error if the end is missing.
std::string GzipProblem(std::string_view bytes);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_FILE_BYTES_H_
