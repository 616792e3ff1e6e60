#include "tessera/cute/access/coalescing.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/counted.h"
#include "tessera/cute/internal/thread_access.h"

namespace tessera::cute {
namespace {

constexpr int64_t kSectorBytes = 32;
constexpr int64_t kLineBytes = 128;

// Sorted addresses of vectors, without duplicates.
using Addresses = std::vector<int64_t>;

void SortDistinct(Addresses* addresses) {
  std::sort(addresses->begin(), addresses->end());
  addresses->erase(std::unique(addresses->begin(), addresses->end()),
                   addresses->end());
}

// A vector lies in one block: it is aligned, and not wider than a block.
int64_t BlocksOf(const Addresses& sorted, int64_t block_bytes) {
  int64_t count = 0;
  int64_t last = 0;
  for (const int64_t address : sorted) {
    const int64_t block = address & -block_bytes;
    count += count == 0 || block != last;
    last = block;
  }
  return count;
}

Coalescing TouchedBy(const ThreadAccess& access) {
  Coalescing touched;
  touched.vector_bytes = access.vector_bytes;
  Addresses of_warp;
  ForEachGroup(
      access, kWarpThreads, [&](int64_t vector, int64_t first, int64_t last) {
        const int64_t* begin = &access.addresses[vector * access.threads];
        Addresses of_request(begin + first, begin + last);
        of_warp.insert(of_warp.end(), of_request.begin(), of_request.end());
        SortDistinct(&of_request);
        ++touched.requests;
        touched.request_sectors += BlocksOf(of_request, kSectorBytes);
        if (vector + 1 < access.vectors) return true;
        SortDistinct(&of_warp);
        const int64_t bytes =
            static_cast<int64_t>(of_warp.size()) * access.vector_bytes;
        touched.bytes += bytes;
        touched.fewest_sectors += CeilOfRatio(bytes, kSectorBytes);
        touched.sectors += BlocksOf(of_warp, kSectorBytes);
        touched.lines += BlocksOf(of_warp, kLineBytes);
        of_warp.clear();
        return true;
      });
  return touched;
}

}  // namespace

std::string Coalescing::ToString() const {
  return absl::StrCat(Counted(sectors, "sector"), " of 32 bytes in ",
                      Counted(lines, "line"), " of 128 bytes, at best ",
                      Counted(fewest_sectors, "sector"), " for ", bytes,
                      " bytes (", vector_bytes, " per thread, ",
                      Counted(requests, "request"), " of ",
                      Counted(request_sectors, "sector"), ")");
}

absl::StatusOr<Coalescing> CoalescingOf(const Layout& layout,
                                        const Layout& threads, int64_t bytes) {
  TESSERA_ASSIGN_OR_RETURN(const ThreadAccess access,
                           MakeThreadAccess(layout, threads, bytes));
  return TouchedBy(access);
}

absl::StatusOr<Coalescing> CoalescingOf(const ComposedLayout& layout,
                                        const Layout& threads, int64_t bytes) {
  TESSERA_ASSIGN_OR_RETURN(const ThreadAccess access,
                           MakeThreadAccess(layout, threads, bytes));
  return TouchedBy(access);
}

}  // namespace tessera::cute
