// Answers a DescribeRequest; see service/layout_service.h.

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_DESCRIBE_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_DESCRIBE_QUESTION_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerDescribe(const ServiceOptions& options,
                            const DescribeRequest& question,
                            DescribeResult* result);
// The same for a layout that has been read from `text`. `is_for_tpu`: whether
// arrays get their TpuDefaultLayout. `element_bits`: as in the question. `card`
// holds a Tenstorrent tensor.
absl::Status AnswerDescribe(const ServiceOptions& options,
                            std::string_view text, const AnyLayout& layout,
                            DescribeResult* result, bool is_for_tpu = false,
                            int64_t element_bits = 0,
                            const CardChoice& card = CardChoice());

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_DESCRIBE_QUESTION_H_
