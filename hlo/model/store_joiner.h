// File: hlo/model/store_joiner.h
//
// Joins the stores of separately read pieces of a text into the store that
// reading the whole text gives.
//
//   StoreJoiner joiner(&pieces, &store);
//   if (joiner.Prepare()) {
//     for (size_t i = 0; i < pieces.size(); ++i) joiner.Move(i);
//   }

#ifndef TESSERA_HLO_MODEL_STORE_JOINER_H_
#define TESSERA_HLO_MODEL_STORE_JOINER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {

class StoreJoiner {
 public:
  // `pieces` are in the order of the text, without diagnostics, and their
  // places count from its start. `store` is empty but for the text.
  StoreJoiner(std::vector<HloStore>* pieces, HloStore* store)
      : pieces_(*pieces), store_(*store), places_(pieces->size()) {}

  // Joins all but instructions, operands and calls, for which it makes room.
  // Returns false, and leaves `store` in any state, if the whole text has
  // something to report that no piece has, a call of a missing computation for
  // one, or more entries than a store can count.
  bool Prepare();

  // Moves the instructions, operands and calls of a piece into the store. May
  // be called for several pieces at once; once for each, after Prepare().
  void Move(size_t piece);

 private:
  using Names = TextMap<std::string_view, int64_t>;

  // Where what a piece holds lies in the store.
  struct Place {
    uint32_t instruction = 0;
    uint32_t operand = 0;
    uint32_t call = 0;
    uint32_t computation = 0;
    std::vector<int32_t> shapes;
    std::vector<uint32_t> opcodes;
  };

  bool MakeRoom();
  // Each joins one kind of thing of one piece.
  bool JoinModules(HloStore* piece, const Place& place);
  bool ResolveCalls(HloStore* piece, const Place& place);
  bool JoinShapes(const HloStore& piece, Place* place);
  void JoinOpcodes(const HloStore& piece, Place* place);

  std::vector<HloStore>& pieces_;
  HloStore& store_;
  std::vector<Place> places_;
  TextMap<std::string_view, uint32_t> opcodes_;
  Names computations_;  // of the module that goes on
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_STORE_JOINER_H_
