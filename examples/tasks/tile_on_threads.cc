// Puts a row-major array into tiles, on two threads.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/relayout/relayout_plan.h"

int main() {
  const auto rows = tessera::ParseShape("f32[16,256]{1,0}");
  const auto tiles = tessera::ParseShape("f32[16,256]{1,0:T(8,128)}");
  if (!rows.ok() || !tiles.ok()) return 1;
  const auto from = tessera::ToIndexMap(*rows);
  const auto to = tessera::ToIndexMap(*tiles);
  if (!from.ok() || !to.ok()) return 1;
  const auto plan =
      tessera::RelayoutPlan::Create(*from, *to, /*element_bits=*/32);
  if (!plan.ok()) return 1;

  std::vector<uint8_t> host(plan->from_bytes());
  // The first byte of every element is its row.
  for (size_t i = 0; i < host.size(); i += 4) host[i] = i / 4 / 256;
  std::vector<uint8_t> device(plan->to_bytes());
  absl::Status statuses[2];
  std::vector<std::thread> threads;
  for (int piece = 0; piece < 2; ++piece) {
    threads.emplace_back([&, piece] {
      statuses[piece] =
          plan->ExecutePiece(piece, 2, host, absl::MakeSpan(device));
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (!statuses[0].ok() || !statuses[1].ok()) return 1;
  // A tile has 128 elements of each of 8 rows.
  std::cout << "position 128 has row " << int{device[128 * 4]}
            << ", position 1024 has row " << int{device[1024 * 4]} << "\n";
}
