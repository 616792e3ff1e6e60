// Macros that return the error of another function.
//
//   absl::StatusOr<int64_t> AreaOf(std::string_view text) {
//     TESSERA_RETURN_IF_ERROR(CheckLength(text));
//     TESSERA_ASSIGN_OR_RETURN(const Rectangle rectangle, ParseRectangle(text));
//     return rectangle.width * rectangle.height;
//   }
//
// For sources, and not for public headers: a macro has no namespace.
// TESSERA_ASSIGN_OR_RETURN is several statements, so write it in a block, not
// alone after an `if`. A comma in its first argument ends that argument, so it
// does not take a structured binding.

#ifndef TESSERA_BASE_MATH_STATUS_MACROS_H_
#define TESSERA_BASE_MATH_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the function if the absl::Status is an error.
#define TESSERA_RETURN_IF_ERROR(...)                                         \
  do {                                                                       \
    if (absl::Status tessera_status = (__VA_ARGS__); !tessera_status.ok()) { \
      return tessera_status;                                                 \
    }                                                                        \
  } while (false)

// Returns from the function if the absl::StatusOr is an error; else moves its
// value to `lhs`, a declaration or an lvalue. A reference, as in `const Shape&
// shape`, refers to the result itself, which lives as long as the block. In
// that case nothing is moved.
#define TESSERA_ASSIGN_OR_RETURN(lhs, ...) \
  TESSERA_ASSIGN_OR_RETURN_WITH_(          \
      TESSERA_CONCATENATED_(tessera_status_or_, __LINE__), lhs, __VA_ARGS__)

#define TESSERA_ASSIGN_OR_RETURN_WITH_(result, lhs, ...) \
  auto result = (__VA_ARGS__);                           \
  if (!result.ok()) return std::move(result).status();   \
  lhs = *std::move(result)

#define TESSERA_CONCATENATED_(a, b) TESSERA_CONCATENATED_AGAIN_(a, b)
#define TESSERA_CONCATENATED_AGAIN_(a, b) a##b

#endif  // TESSERA_BASE_MATH_STATUS_MACROS_H_
