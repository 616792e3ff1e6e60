// File: hlo/allocations/buffer_assignment.h
//
// Is hlo/buffer_assignment/buffer_assignment.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_BUFFER_ASSIGNMENT_H_
#define TESSERA_HLO_ALLOCATIONS_BUFFER_ASSIGNMENT_H_

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_BUFFER_ASSIGNMENT_H_
