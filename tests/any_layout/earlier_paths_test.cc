// Programs include headers by the paths of the release before, until the next.

#include <type_traits>

#include "gtest/gtest.h"
#include "tessera/any_layout/convert/xla_cute.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/convert/tile_order.h"
#include "tessera/convert/xla_cute.h"
#include "tessera/convert/xla_tenstorrent.h"
#include "tessera/files/file_bytes.h"
#include "tessera/hlo/allocations/assigned_memory.h"
#include "tessera/hlo/allocations/assignment_proto.h"
#include "tessera/hlo/allocations/assignment_text.h"
#include "tessera/hlo/allocations/buffer_assignment.h"
#include "tessera/hlo/allocations/hlo_file.h"
#include "tessera/hlo/allocations/occupancy.h"
#include "tessera/text/diagnostic.h"
#include "tessera/text/text_writer.h"
#include "tessera/version/version.h"

namespace tessera {
namespace {

TEST(EarlierPaths, HaveWhatTheHeadersOfTodayHave) {
  Diagnostic diagnostic;
  diagnostic.message = kVersion;
  EXPECT_EQ(diagnostic.message, TESSERA_VERSION);
  EXPECT_TRUE(std::is_default_constructible<FileBytes>::value);
  EXPECT_TRUE(std::is_default_constructible<BufferAssignment>::value);
}

}  // namespace
}  // namespace tessera
