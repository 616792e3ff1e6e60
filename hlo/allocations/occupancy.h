// File: hlo/allocations/occupancy.h
//
// Is hlo/buffer_assignment/occupancy.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_
#define TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_

#include "tessera/hlo/buffer_assignment/occupancy.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_
