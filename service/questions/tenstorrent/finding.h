// The rules that a tensor layout breaks, as messages.
//
//   AddFindings(tensor.verification.errors, result->mutable_errors());

#ifndef TESSERA_SERVICE_QUESTIONS_TENSTORRENT_FINDING_H_
#define TESSERA_SERVICE_QUESTIONS_TENSTORRENT_FINDING_H_

#include <string>

#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "proto/layout_questions.pb.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera {

inline void AddFindings(absl::Span<const tenstorrent::Finding> findings,
                        google::protobuf::RepeatedPtrField<RuleFinding>* list) {
  for (const tenstorrent::Finding& finding : findings) {
    RuleFinding& added = *list->Add();
    added.set_rule(std::string(NameOf(finding.rule)));
    added.set_message(finding.message);
  }
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_TENSTORRENT_FINDING_H_
