// Reads the text of tt-mlir's device attribute.
//
//   const Device device = *ParseDevice(
//       "#tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> (d1 floordiv 8, "
//       "d0, d1 mod 8)>, l1Map = (d0, d1)[s0] -> (0, d0, d1, s0), dramMap = "
//       "(d0, d1)[s0] -> (0, 0, 0, s0), meshShape = 1x2, chipIds = [0, 1]>");
//   device.workers.shape;                    // {8, 16}
//   CoreOf(device.workers, {3, 10})->ToString();
//                                            // "device 1, core y 3, x 2"
//
// The grammar:
//
//   device  = '#tt.device' '<' 'workerGrid' '=' grid ',' 'l1Map' '=' map ','
//             'dramMap' '=' map ',' 'meshShape' '=' [sizes] ',' 'chipIds' '='
//             '[' [number {',' number}] ']' '>'
//   grid    = '#tt.grid' '<' sizes ',' map '>'
//   sizes   = number {'x' number}
//
// The dialect may be spelled ttcore, its name since 2025-06. Maps are those of
// affine_map_parser.h, numbers decimal, and comments are white space.

#ifndef TESSERA_TENSTORRENT_DERIVE_DEVICE_PARSER_H_
#define TESSERA_TENSTORRENT_DERIVE_DEVICE_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/derive/device.h"

namespace tessera::tenstorrent {

// Reads a whole text; only white space and comments may follow the attribute.
// Its values are not verified: see VerifyDevice and CheckCores (device.h).
//
// An error carries a Diagnostic (base/text/diagnostic.h): kInvalidArgument, or
// kOutOfRange for a number past 2^63-1, kResourceExhausted for more than
// AffineExpression::kMaxDims sizes, and those of ReadAffineMap.
absl::StatusOr<Device> ParseDevice(std::string_view text);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_DEVICE_PARSER_H_
