// Answers an EvaluateRequest; see service/layout_service.h. A caller that
// has already evaluated the expression can have its value described:
//
//   cute::Calculator calculator;
//   EvaluateRequest question;
//   question.set_expression("(2,2):(2,1)");
//   question.set_max_values(4);
//   EvaluateResult result;
//   FillEvaluateResult(*calculator.Evaluate(question.expression()), question,
//                      &result);
//   result.value();    // "(2,2):(2,1)"
//   result.values();   // {0, 2, 1, 3}

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_EVALUATE_QUESTION_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_EVALUATE_QUESTION_H_

#include "absl/status/status.h"
#include "proto/layout_questions.pb.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/service/service_options.h"

namespace tessera {

absl::Status AnswerEvaluate(const ServiceOptions& options,
                            const EvaluateRequest& question,
                            EvaluateResult* result);

// Describes a value in the form that the question asks for, with at most
// max_values of the values of a layout. `value` is that of the question's
// expression.
void FillEvaluateResult(const cute::CalculatorResult& value,
                        const EvaluateRequest& question,
                        EvaluateResult* result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_EVALUATE_QUESTION_H_
