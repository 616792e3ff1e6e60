// A sequence that grows without moving its elements and with little unused
// memory, for the millions of entries of hlo/model/hlo_store.h.

#ifndef TESSERA_HLO_MODEL_CHUNKED_VECTOR_H_
#define TESSERA_HLO_MODEL_CHUNKED_VECTOR_H_

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace tessera {
namespace hlo_internal {

template <typename T>
class ChunkedVector {
 public:
  static_assert(std::is_trivially_destructible<T>::value,
                "elements are not destroyed");

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Precondition: i < size().
  T& operator[](size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](size_t i) const {
    return chunks_[i / kChunk][i % kChunk];
  }

  void push_back(const T& value) {
    if (size_ == chunks_.size() * kChunk) {
      // Not make_unique, which would fill it with zeros.
      chunks_.emplace_back(new T[kChunk]);
    }
    (*this)[size_++] = value;
  }

  // Grows to `size` elements. New elements have no value yet.
  // Precondition: size >= size().
  void Grow(size_t size) {
    while (chunks_.size() * kChunk < size) chunks_.emplace_back(new T[kChunk]);
    size_ = size;
  }

  // Overwrites the elements of `*target` from `at` on with `convert(element)`
  // of each element, and frees the memory of this sequence at the same time.
  // Several sequences may be moved to different places of one target at the
  // same time. Precondition: at + size() <= target->size().
  template <typename Convert>
  void MoveTo(ChunkedVector* target, size_t at, Convert convert) {
    for (size_t i = 0; i < size_; ++i) {
      (*target)[at + i] = convert((*this)[i]);
      if ((i + 1) % kChunk == 0) chunks_[i / kChunk].reset();
    }
    chunks_.clear();
    size_ = 0;
  }

 private:
  static constexpr size_t kChunk = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
  size_t size_ = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_CHUNKED_VECTOR_H_
