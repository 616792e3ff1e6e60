// File: hlo/allocations/assignment_text.h
//
// Is hlo/buffer_assignment/assignment_text.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_TEXT_H_
#define TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_TEXT_H_

#include "tessera/hlo/buffer_assignment/assignment_text.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_TEXT_H_
