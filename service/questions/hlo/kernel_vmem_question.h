// Answers a KernelVmemRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_KERNEL_VMEM_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_KERNEL_VMEM_QUESTION_H_

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerKernelVmem(const ServiceOptions& options,
                              const KernelVmemRequest& question,
                              KernelVmemResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_KERNEL_VMEM_QUESTION_H_
