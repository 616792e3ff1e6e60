// File: hlo/allocations/hlo_file.h
//
// Is hlo/buffer_assignment/hlo_file.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_HLO_FILE_H_
#define TESSERA_HLO_ALLOCATIONS_HLO_FILE_H_

#include "tessera/hlo/buffer_assignment/hlo_file.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_HLO_FILE_H_
