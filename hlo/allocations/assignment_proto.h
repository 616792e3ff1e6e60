// File: hlo/allocations/assignment_proto.h
//
// Is hlo/buffer_assignment/assignment_proto.h now. This name
// goes with the next release.

#ifndef TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_PROTO_H_
#define TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_PROTO_H_

#include "tessera/hlo/buffer_assignment/assignment_proto.h"  // IWYU pragma: export

#endif  // TESSERA_HLO_ALLOCATIONS_ASSIGNMENT_PROTO_H_
