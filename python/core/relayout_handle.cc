#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/python/core/bindings.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/layout_handle.h"
#include "tessera/relayout/any_relayout.h"
#include "tessera/strided/strided_array.h"

namespace tessera::python {

template <>
inline constexpr bool kIsConstructed<RelayoutPlan> = true;

namespace {

using Box = std::optional<std::vector<int64_t>>;

std::optional<PrimitiveType> TypeNamed(const std::optional<std::string>& name) {
  if (!name.has_value()) return std::nullopt;
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(*name);
  if (!type.has_value()) {
    Throw(InvalidArgumentError("element_type: there is no type ", *name));
  }
  return type;
}

RelayoutPlan MakePlan(const LayoutHandle& from, const LayoutHandle& to,
                      const std::optional<std::string>& element_type,
                      const Box& to_dimensions, const Box& from_begins,
                      const Box& to_begins, const Box& extents,
                      const std::optional<py::bytes>& pad_value) {
  const std::optional<PrimitiveType> type = TypeNamed(element_type);
  RelayoutOptions options;
  options.to_dimensions = to_dimensions.value_or(std::vector<int64_t>());
  options.from_begins = from_begins.value_or(std::vector<int64_t>());
  options.to_begins = to_begins.value_or(std::vector<int64_t>());
  options.extents = extents.value_or(std::vector<int64_t>());
  if (pad_value.has_value()) {
    const std::string bytes(*pad_value);
    options.pad_value.emplace();
    options.pad_value->fill(0);
    if (bytes.size() > options.pad_value->size()) {
      Throw(absl::InvalidArgumentError(
          "pad: an element has no more than 16 bytes"));
    }
    std::copy(bytes.begin(), bytes.end(), options.pad_value->begin());
  }
  const RelayoutArray source =
      ValueOrThrow(RelayoutArrayOf(from.layout(), type));
  const RelayoutArray target = ValueOrThrow(RelayoutArrayOf(to.layout(), type));
  return ValueOrThrow(PlanRelayout(source, target, options));
}

// The bytes of an object with the buffer protocol, held while this object
// lives.
class Bytes {
 public:
  Bytes(py::handle object, bool is_written) {
    const int flags = is_written ? PyBUF_WRITABLE : PyBUF_SIMPLE;
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) {
      throw py::error_already_set();
    }
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { PyBuffer_Release(&view_); }

  absl::Span<uint8_t> span() const {
    return absl::MakeSpan(static_cast<uint8_t*>(view_.buf),
                          static_cast<size_t>(view_.len));
  }

 private:
  Py_buffer view_;
};

// Returns the bytes that hold the elements of an array of any strides.
absl::Span<const uint8_t> SpanOf(const py::array& array) {
  const auto* begin = static_cast<const uint8_t*>(array.data());
  int64_t size = array.itemsize();
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    if (array.shape(i) == 0) return {begin, 0};
    const int64_t reach = (array.shape(i) - 1) * array.strides(i);
    begin += std::min<int64_t>(reach, 0);
    size += std::max(reach, -reach);
  }
  return {begin, static_cast<size_t>(size)};
}

// Moves the array; each thread moves a part. Runs without the lock.
absl::Status Execute(const RelayoutPlan& plan, absl::Span<const uint8_t> from,
                     absl::Span<uint8_t> to, int64_t threads) {
  if (threads == 1) return plan.Execute(from, to);
  std::vector<absl::Status> statuses(threads);
  std::vector<std::thread> running;
  const auto run = [&](int64_t piece) {
    statuses[piece] = plan.ExecutePiece(piece, threads, from, to);
  };
  // If a thread cannot be started, the caller does its part.
  int64_t started = 1;
  try {
    for (; started < threads; ++started) running.emplace_back(run, started);
  } catch (const std::system_error&) {
    for (int64_t piece = started; piece < threads; ++piece) run(piece);
  }
  run(0);
  for (std::thread& thread : running) thread.join();
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void ExecutePlan(const RelayoutPlan& plan, py::handle from, py::handle to,
                 int64_t threads) {
  constexpr int64_t kMostThreads = 256;
  if (threads < 1 || threads > kMostThreads) {
    Throw(InvalidArgumentError("threads: expected 1 to ", kMostThreads,
                               ", found ", threads));
  }
  const Bytes written(to, /*is_written=*/true);
  const auto run = [&](absl::Span<const uint8_t> read) {
    const absl::Span<uint8_t> out = written.span();
    const py::gil_scoped_release release;
    return Execute(plan, read, out, threads);
  };
  if (py::isinstance<py::array>(from)) {
    const auto array = py::reinterpret_borrow<py::array>(from);
    ThrowIfError(run(SpanOf(array)));
    return;
  }
  const Bytes read(from, /*is_written=*/false);
  ThrowIfError(run(read.span()));
}

// Returns the layout of a NumPy array; None if strides are not multiples of the
// element size, as for a field of records.
py::object LayoutOfArray(const py::array& array,
                         const std::string& element_type) {
  StridedArray strided;
  strided.element_type = *TypeNamed(element_type);
  const int64_t item = array.itemsize();
  if (item != strided.element_bytes()) return py::none();
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    const int64_t stride = array.strides(i);
    const int64_t size = array.shape(i);
    if (stride % item != 0) return py::none();
    strided.dimensions.push_back(size);
    strided.strides.push_back(stride / item);
    if (stride < 0 && size > 0) {
      strided.offset -= (size - 1) * (stride / item);
    }
  }
  const bool is_empty =
      std::find(strided.dimensions.begin(), strided.dimensions.end(), 0) !=
      strided.dimensions.end();
  if (is_empty) strided.offset = 0;
  ThrowIfError(ValidateStridedArray(strided));
  return py::cast(LayoutHandle(AnyLayout(std::move(strided))));
}

}  // namespace

void BindRelayout(py::module_* module) {
  py::class_<RelayoutPlan>(*module, "RelayoutPlan")
      .def(py::init(&MakePlan), py::arg("from_"), py::arg("to"),
           py::arg("element_type") = py::none(),
           py::arg("to_dimensions") = py::none(),
           py::arg("from_begins") = py::none(),
           py::arg("to_begins") = py::none(), py::arg("extents") = py::none(),
           py::arg("pad_value") = py::none())
      .def_property_readonly("from_bytes", &RelayoutPlan::from_bytes)
      .def_property_readonly("to_bytes", &RelayoutPlan::to_bytes)
      .def_property_readonly("bytes_moved", &RelayoutPlan::bytes_moved)
      .def_property_readonly("contiguous_bytes",
                             &RelayoutPlan::contiguous_bytes)
      .def("execute", &ExecutePlan, py::arg("from_"), py::arg("to"),
           py::arg("threads") = 1)
      .def("__str__",
           [](const RelayoutPlan& self) { return Text(self.ToString()); });
  module->def("layout_of_array", &LayoutOfArray, py::arg("array"),
              py::arg("element_type"));
}

}  // namespace tessera::python
