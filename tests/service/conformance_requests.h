// The same 500 requests for every transport, good and bad, over all families
// and all kinds of questions: what comes back over any wire must be what
// LayoutService::Answer gives.
//
//   for (const Request& request : ConformanceRequests()) {
//     Ask(request);   // its id is its number, "0" to "499"
//   }
//
// They come from a fixed seed and are the same in every run.

#ifndef TESSERA_TESTS_SERVICE_CONFORMANCE_REQUESTS_H_
#define TESSERA_TESTS_SERVICE_CONFORMANCE_REQUESTS_H_

#include <vector>

#include "proto/layout_service.pb.h"

namespace tessera {

inline constexpr int kConformanceRequests = 500;

std::vector<Request> ConformanceRequests();

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_CONFORMANCE_REQUESTS_H_
