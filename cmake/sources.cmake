# Written by .ci/cmake_sources from the BUILD files: do not edit.
#
# For each component: its folders; the public headers; the private headers and the messages that these include, so that they
# are installed, too; and the messages that it uses by itself. Sources are globbed.

# core
set(TESSERA_core_FOLDERS
    base
    index_map)
set(TESSERA_core_PUBLIC_HEADERS
    base/files/file_bytes.h
    base/text/diagnostic.h
    base/text/text_writer.h
    base/text/value_type.h
    base/version/version.h
    index_map/algebra.h
    index_map/batch_index_map.h
    index_map/element_runs.h
    index_map/index_map.h
    index_map/index_map_builder.h
    index_map/map_structure.h
    index_map/position_kind.h
    index_map/position_unit.h
    index_map/same_function.h
    index_map/slice_positions.h)
set(TESSERA_core_INCLUDED_HEADERS
    base/files/pages.h
    index_map/internal/compiled_map.h
    index_map/sum_program.h)

# xla
set(TESSERA_xla_FOLDERS
    index_util
    layout
    parser
    shape)
set(TESSERA_xla_PUBLIC_HEADERS
    index_util/array_sizes.h
    index_util/bitcast.h
    index_util/derivation.h
    index_util/description.h
    index_util/for_each_index.h
    index_util/index_util.h
    index_util/padding.h
    index_util/tile_extents.h
    index_util/tiled_index.h
    index_util/to_index_map.h
    layout/layout.h
    layout/layout_proto.h
    layout/layout_utilities.h
    layout/memory_space.h
    layout/primitive_type.h
    layout/tile.h
    layout/validate_layout.h
    layout/violation.h
    parser/parse_options.h
    parser/parser.h
    shape/shape.h
    shape/shape_index.h
    shape/shape_proto.h
    shape/shape_utilities.h
    shape/tpu_layout.h
    shape/validate_shape.h)
set(TESSERA_xla_INCLUDED_PROTOS
    proto/xla_data.proto)

# relayout
set(TESSERA_relayout_FOLDERS
    relayout)
set(TESSERA_relayout_PUBLIC_HEADERS
    relayout/any_relayout.h
    relayout/loop_nest.h
    relayout/relayout_plan.h
    relayout/shape_relayout.h)
set(TESSERA_relayout_INCLUDED_HEADERS
    any_layout/any_layout.h
    any_layout/layout_family.h
    cute/algebra/composition.h
    cute/basis.h
    cute/composed_layout.h
    cute/int_tuple.h
    cute/internal/profile.h
    cute/layout.h
    cute/swizzle.h
    cute/text_form.h
    cute/tiler.h
    relayout/kernel.h
    strided/strided_array.h
    tenstorrent/affine/affine_expression.h
    tenstorrent/affine/affine_map.h
    tenstorrent/aligned_layout.h
    tenstorrent/dimensions.h
    tenstorrent/element_type.h
    tenstorrent/face.h
    tenstorrent/geometry.h
    tenstorrent/location.h
    tenstorrent/metal_layout.h
    tenstorrent/placement.h
    tenstorrent/rule.h
    tenstorrent/tensor.h
    tenstorrent/ttnn_layout.h
    tenstorrent/verification.h)

# tenstorrent
set(TESSERA_tenstorrent_FOLDERS
    tenstorrent)
set(TESSERA_tenstorrent_PUBLIC_HEADERS
    tenstorrent/affine/affine_map_parser.h
    tenstorrent/buffer/buffer.h
    tenstorrent/buffer/layout_buffer.h
    tenstorrent/buffer/runtime_text.h
    tenstorrent/derive/aligned_derivation.h
    tenstorrent/derive/derivation.h
    tenstorrent/derive/device.h
    tenstorrent/derive/device_parser.h
    tenstorrent/derive/ttnn_derivation.h
    tenstorrent/derive/ttnn_shape.h
    tenstorrent/element_type_parser.h
    tenstorrent/form_conversion.h
    tenstorrent/mlir_file/card_memory.h
    tenstorrent/mlir_file/device_memref.h
    tenstorrent/mlir_file/expanded_tensors.h
    tenstorrent/mlir_file/file_item.h
    tenstorrent/mlir_file/function_memory.h
    tenstorrent/mlir_file/layout_file.h
    tenstorrent/mlir_file/size_search.h
    tenstorrent/to_index_map.h)
set(TESSERA_tenstorrent_INCLUDED_HEADERS
    base/text/absl_view.h
    tenstorrent/derive/collapse.h)

# hlo
set(TESSERA_hlo_FOLDERS
    hlo)
set(TESSERA_hlo_PUBLIC_HEADERS
    hlo/attributes/attribute_values.h
    hlo/attributes/frame_tables.h
    hlo/attributes/metadata.h
    hlo/attributes/module_header.h
    hlo/attributes/replica_groups.h
    hlo/attributes/scoped_memory.h
    hlo/buffer_assignment/assigned_memory.h
    hlo/buffer_assignment/assigned_peak.h
    hlo/buffer_assignment/assignment_proto.h
    hlo/buffer_assignment/assignment_text.h
    hlo/buffer_assignment/buffer_assignment.h
    hlo/buffer_assignment/hlo_file.h
    hlo/buffer_assignment/occupancy.h
    hlo/diff/change_groups.h
    hlo/diff/dump_diff.h
    hlo/diff/instruction_matching.h
    hlo/diff/pass_history.h
    hlo/dump_folder.h
    hlo/dump_pass.h
    hlo/hlo_attributes.h
    hlo/hlo_call_kind.h
    hlo/hlo_counts.h
    hlo/hlo_file_kind.h
    hlo/hlo_handler.h
    hlo/hlo_module.h
    hlo/hlo_opcode.h
    hlo/hlo_printer.h
    hlo/hlo_reader.h
    hlo/hlo_shape_table.h
    hlo/hlo_string.h
    hlo/hlo_target.h
    hlo/hlo_users.h
    hlo/instruction_origin.h
    hlo/log_prefixes.h
    hlo/memory/array_usage.h
    hlo/memory/compiled_memory_stats.h
    hlo/memory/hlo_schedule.h
    hlo/memory/kernel_vmem.h
    hlo/memory/memory_options.h
    hlo/memory/memory_report.h
    hlo/memory/memory_totals.h
    hlo/memory/module_analysis.h
    hlo/memory/padded_arrays.h
    hlo/memory/relayouts.h
    hlo/memory/reserved_memory.h
    hlo/memory/scoped_vmem.h
    hlo/message/allocation_shape.h
    hlo/message/jax_layout.h
    hlo/message/memory_message.h
    hlo/message/stated_bytes.h
    hlo/parse_hlo.h
    hlo/strict_rules.h
    hlo/tpu_generation.h)
set(TESSERA_hlo_INCLUDED_HEADERS
    hlo/model/chunked_vector.h
    hlo/model/hlo_store.h
    hlo/strict/hlo_objection.h)
set(TESSERA_hlo_PROTOS
    proto/hlo.proto)

# cute
set(TESSERA_cute_FOLDERS
    cute)
set(TESSERA_cute_PUBLIC_HEADERS
    cute/access/bank_conflicts.h
    cute/access/coalescing.h
    cute/access/find_swizzle.h
    cute/algebra/coalesce.h
    cute/algebra/collision.h
    cute/algebra/common_layout.h
    cute/algebra/complement.h
    cute/algebra/composition_refusal.h
    cute/algebra/divide.h
    cute/algebra/filter.h
    cute/algebra/inverse.h
    cute/algebra/ordered_layout.h
    cute/algebra/partition.h
    cute/algebra/product.h
    cute/algebra/recast.h
    cute/algebra/swizzled.h
    cute/algebra/thread_value.h
    cute/atoms/atom.h
    cute/calculator/calculator.h
    cute/calculator/calculator_value.h
    cute/calculator/pointer.h
    cute/coordinates.h
    cute/element_type.h
    cute/identity_layout.h
    cute/layout_function.h
    cute/layout_values.h
    cute/modes.h
    cute/parse.h
    cute/shape_division.h
    cute/tile_extents.h
    cute/to_index_map.h)
set(TESSERA_cute_INCLUDED_HEADERS
    base/math/fast_divider.h
    cute/internal/walk.h)

# strided
set(TESSERA_strided_FOLDERS
    strided)
set(TESSERA_strided_PUBLIC_HEADERS
    strided/parse.h)

# convert
set(TESSERA_convert_FOLDERS
    any_layout/convert)
set(TESSERA_convert_PUBLIC_HEADERS
    any_layout/convert/tile_order.h
    any_layout/convert/xla_cute.h
    any_layout/convert/xla_tenstorrent.h)

# any_layout
set(TESSERA_any_layout_FOLDERS
    any_layout)
set(TESSERA_any_layout_OTHER_FOLDERS
    any_layout/convert)

# viz
set(TESSERA_viz_FOLDERS
    viz)
set(TESSERA_viz_PUBLIC_HEADERS
    viz/layout_picture.h
    viz/memory_map.h
    viz/operation_panels.h
    viz/picture.h
    viz/picture_style.h
    viz/svg_picture.h
    viz/text_picture.h
    viz/thread_panels.h
    viz/thread_picture.h
    viz/tile_levels.h)
set(TESSERA_viz_INCLUDED_HEADERS
    viz/cell_axis.h)
set(TESSERA_viz_INCLUDED_PROTOS
    proto/hlo_questions.proto
    proto/text_note.proto)

# service
set(TESSERA_service_FOLDERS
    service)
set(TESSERA_service_OTHER_FOLDERS
    service/explorer
    service/transport)
set(TESSERA_service_PUBLIC_HEADERS
    service/answer_json.h
    service/layout_service.h
    service/service_options.h)
set(TESSERA_service_INCLUDED_PROTOS
    proto/layout_questions.proto
    proto/layout_service.proto
    proto/tt_questions.proto)
set(TESSERA_service_PROTOS
    proto/memory_check.proto)

# All of these.
set(TESSERA_COMPONENTS
    any_layout
    convert
    core
    cute
    hlo
    relayout
    service
    strided
    tenstorrent
    viz
    xla)

# What is optimized for speed above all.
set(TESSERA_HOT_SOURCES
    hlo/buffer_assignment/assignment_text.cc
    hlo/model/hlo_builder.cc
    hlo/reader/byte_index.cc
    hlo/reader/part_reader.cc
    hlo/reader/text_reader.cc)

# What is compiled by itself.
set(TESSERA_ALONE_SOURCES
    hlo/memory/module_analysis.cc
    hlo/reader/byte_index.cc
    index_map/sum_program_kernels.cc
    relayout/copy_kernel.cc
    relayout/interleave_kernel.cc
    relayout/transpose_kernel.cc)

# The paths that public headers had in the release before.
set(TESSERA_MOVED_HEADERS
    any_layout/convert/tile_order.h
    any_layout/convert/xla_cute.h
    any_layout/convert/xla_tenstorrent.h
    base/files/file_bytes.h
    base/text/diagnostic.h
    base/text/text_writer.h
    base/version/version.h
    hlo/buffer_assignment/assigned_memory.h
    hlo/buffer_assignment/assignment_proto.h
    hlo/buffer_assignment/assignment_text.h
    hlo/buffer_assignment/buffer_assignment.h
    hlo/buffer_assignment/hlo_file.h
    hlo/buffer_assignment/occupancy.h)
set(TESSERA_EARLIER_PATH_OF_any_layout/convert/tile_order.h convert/tile_order.h)
set(TESSERA_EARLIER_PATH_OF_any_layout/convert/xla_cute.h convert/xla_cute.h)
set(TESSERA_EARLIER_PATH_OF_any_layout/convert/xla_tenstorrent.h convert/xla_tenstorrent.h)
set(TESSERA_EARLIER_PATH_OF_base/files/file_bytes.h files/file_bytes.h)
set(TESSERA_EARLIER_PATH_OF_base/text/diagnostic.h text/diagnostic.h)
set(TESSERA_EARLIER_PATH_OF_base/text/text_writer.h text/text_writer.h)
set(TESSERA_EARLIER_PATH_OF_base/version/version.h version/version.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/assigned_memory.h hlo/allocations/assigned_memory.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/assignment_proto.h hlo/allocations/assignment_proto.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/assignment_text.h hlo/allocations/assignment_text.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/buffer_assignment.h hlo/allocations/buffer_assignment.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/hlo_file.h hlo/allocations/hlo_file.h)
set(TESSERA_EARLIER_PATH_OF_hlo/buffer_assignment/occupancy.h hlo/allocations/occupancy.h)

# What is used of Abseil.
set(TESSERA_ABSL_TARGETS
    algorithm_container
    bits
    cleanup
    cord
    core_headers
    flat_hash_map
    flat_hash_set
    function_ref
    hash
    inlined_vector
    int128
    memory
    optional
    span
    status
    statusor
    str_format
    strings
    time
    variant)

# Headers of the library that a shell command writes, which finds their name in $1.
set(TESSERA_library_GENERATED_HEADERS
    report/memory_page_template.h)
set(TESSERA_INPUTS_OF_report/memory_page_template.h
    report/page/memory_page/base.js
    report/page/memory_page/changes.js
    report/page/memory_page/fit.js
    report/page/memory_page/grouping.js
    report/page/memory_page/main.js
    report/page/memory_page/map.js
    report/page/memory_page/page.css
    report/page/memory_page/page.html
    report/page/memory_page/passes.js
    report/page/memory_page/tables.js
    report/page/memory_page/timeline.js
    report/page/memory_page/treemap.js)
set(TESSERA_COMMAND_OF_report/memory_page_template.h [=[
{
      embed() {
        printf '%s' "constexpr char $1[] = R\"tessera("
        shift
        cat "$@"
        printf '%s\n' ')tessera";'
      }
      echo '#ifndef TESSERA_REPORT_MEMORY_PAGE_TEMPLATE_H_'
      echo '#define TESSERA_REPORT_MEMORY_PAGE_TEMPLATE_H_'
      echo 'namespace tessera {'
      embed kMemoryPageHtml report/page/memory_page/page.html
      embed kMemoryPageStyle report/page/memory_page/page.css
      embed kMemoryPageScript report/page/memory_page/base.js report/page/memory_page/fit.js report/page/memory_page/passes.js report/page/memory_page/changes.js report/page/memory_page/timeline.js report/page/memory_page/treemap.js report/page/memory_page/grouping.js report/page/memory_page/map.js report/page/memory_page/tables.js report/page/memory_page/main.js
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_REPORT_MEMORY_PAGE_TEMPLATE_H_'
    } >"$1"
]=])

# Headers of the program that a shell command writes, which finds their name in $1.
set(TESSERA_program_GENERATED_HEADERS
    cli/notice.h
    service/explorer/explorer_files.h)
set(TESSERA_INPUTS_OF_cli/notice.h
    NOTICE)
set(TESSERA_COMMAND_OF_cli/notice.h [=[
{
      echo '#ifndef TESSERA_CLI_NOTICE_H_'
      echo '#define TESSERA_CLI_NOTICE_H_'
      echo 'namespace tessera {'
      echo 'namespace cli {'
      printf '%s' 'constexpr char kNotice[] = R"notice('
      cat NOTICE
      printf '%s\n' ')notice";'
      echo '}  // namespace cli'
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_CLI_NOTICE_H_'
    } >"$1"
]=])
set(TESSERA_INPUTS_OF_service/explorer/explorer_files.h
    service/explorer/dom.js
    service/explorer/explorer.css
    service/explorer/explorer.html
    service/explorer/explorer.js
    service/explorer/explorer_cores.js
    service/explorer/explorer_handles.js
    service/explorer/explorer_model.js
    service/explorer/explorer_sizes.js
    service/explorer/explorer_threads.js
    service/explorer/icon.svg)
set(TESSERA_COMMAND_OF_service/explorer/explorer_files.h [=[
{
      embed() {
        printf '%s' "constexpr char $1[] = R\"tessera("
        cat "$2"
        printf '%s\n' ')tessera";'
      }
      echo '#ifndef TESSERA_SERVICE_EXPLORER_EXPLORER_FILES_H_'
      echo '#define TESSERA_SERVICE_EXPLORER_EXPLORER_FILES_H_'
      echo 'namespace tessera {'
      embed kDomScript service/explorer/dom.js
      embed kExplorerStyle service/explorer/explorer.css
      embed kExplorerHtml service/explorer/explorer.html
      embed kExplorerScript service/explorer/explorer.js
      embed kExplorerCoresScript service/explorer/explorer_cores.js
      embed kExplorerHandlesScript service/explorer/explorer_handles.js
      embed kExplorerModelScript service/explorer/explorer_model.js
      embed kExplorerSizesScript service/explorer/explorer_sizes.js
      embed kExplorerThreadsScript service/explorer/explorer_threads.js
      embed kExplorerIcon service/explorer/icon.svg
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_SERVICE_EXPLORER_EXPLORER_FILES_H_'
    } >"$1"
]=])

# Headers of the server that a shell command writes, which finds their name in $1.
set(TESSERA_server_GENERATED_HEADERS
    service/transport/api_files.h)
set(TESSERA_INPUTS_OF_service/transport/api_files.h
    service/transport/api/openapi.json
    service/transport/api/questions.json)
set(TESSERA_COMMAND_OF_service/transport/api_files.h [=[
{
      embed() {
        printf '%s' "constexpr char $1[] = R\"tessera("
        cat "$2"
        printf '%s\n' ')tessera";'
      }
      echo '#ifndef TESSERA_SERVICE_TRANSPORT_API_FILES_H_'
      echo '#define TESSERA_SERVICE_TRANSPORT_API_FILES_H_'
      echo 'namespace tessera {'
      embed kOpenApiJson service/transport/api/openapi.json
      embed kQuestionsJson service/transport/api/questions.json
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_SERVICE_TRANSPORT_API_FILES_H_'
    } >"$1"
]=])
