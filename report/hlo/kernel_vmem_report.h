// What `tessera hlo vmem` prints about the blocks of a kernel.

#ifndef TESSERA_REPORT_HLO_KERNEL_VMEM_REPORT_H_
#define TESSERA_REPORT_HLO_KERNEL_VMEM_REPORT_H_

#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// For people; ends in a line break.
std::string KernelVmemToText(const KernelVmemResult& result,
                             const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_KERNEL_VMEM_REPORT_H_
