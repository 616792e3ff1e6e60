// File: hlo/allocations/assigned_memory.h
//
// Is hlo/buffer_assignment/assigned_memory.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_ASSIGNED_MEMORY_H_
#define TESSERA_HLO_ALLOCATIONS_ASSIGNED_MEMORY_H_

#include "tessera/hlo/buffer_assignment/assigned_memory.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_ASSIGNED_MEMORY_H_
