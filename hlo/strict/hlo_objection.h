// A rule of XLA that a dump breaks, and the place.
//
//   ObjectionOf(DecodeBool("yes").status(), "yes")->message;
//       // "in truth value: expected true or false, found 'yes'"
//   ObjectionOf(absl::OkStatus(), "yes");   // nullopt

#ifndef TESSERA_HLO_STRICT_HLO_OBJECTION_H_
#define TESSERA_HLO_STRICT_HLO_OBJECTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace tessera {

struct HloObjection {
  // Its place in the dump's text.
  std::string_view at;
  std::string message;
};

namespace hlo_internal {

// Returns the error that a reader found in `text`; nullopt for an OK status.
std::optional<HloObjection> ObjectionOf(const absl::Status& status,
                                        std::string_view text);

// Keeps the first `limit` objections.
class HloObjections {
 public:
  explicit HloObjections(int64_t limit) : limit_(limit) {}

  void Add(std::string_view at, std::string message) {
    Add(HloObjection{at, std::move(message)});
  }
  void Add(std::optional<HloObjection> objection) {
    if (objection.has_value() && static_cast<int64_t>(list_.size()) < limit_) {
      list_.push_back(*std::move(objection));
    }
  }

  std::vector<HloObjection> Take() { return std::move(list_); }

 private:
  const int64_t limit_;
  std::vector<HloObjection> list_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_HLO_OBJECTION_H_
