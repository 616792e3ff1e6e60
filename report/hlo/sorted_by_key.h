// Sorts the maps of messages, which have no order, for printing.
//
//   for (const auto& [number, space] : SortedByKey(peaks.spaces())) {
//     Print(number, space->peak_bytes());
//   }

#ifndef TESSERA_REPORT_HLO_SORTED_BY_KEY_H_
#define TESSERA_REPORT_HLO_SORTED_BY_KEY_H_

#include <map>

namespace tessera {

// Returns pointers to the values, which must outlive the result.
template <typename Map>
std::map<typename Map::key_type, const typename Map::mapped_type*> SortedByKey(
    const Map& map) {
  std::map<typename Map::key_type, const typename Map::mapped_type*> sorted;
  for (const auto& [key, value] : map) sorted[key] = &value;
  return sorted;
}

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_SORTED_BY_KEY_H_
