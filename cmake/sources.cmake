# Written by .ci/cmake_sources from the BUILD files: do not edit.
#
# For each component: its sources; the public headers; the private headers and the messages that these include, so that they
# are installed, too; and the messages that it uses by itself. Then what all components are made of.

# core
set(TESSERA_core_SOURCES
    files/file_bytes.cc
    files/gzip.cc
    files/pages.cc
    index_map/algebra.cc
    index_map/batch_index_map.cc
    index_map/dimension_digits.cc
    index_map/element_runs.cc
    index_map/index_map.cc
    index_map/index_map_builder.cc
    index_map/internal/compiled_map.cc
    index_map/internal/derive.cc
    index_map/internal/forward.cc
    index_map/internal/inverse.cc
    index_map/same_function.cc
    index_map/slice_positions.cc
    index_map/sum_program.cc
    index_map/sum_program_kernels.cc
    index_map/swizzled.cc
    math/checked_arithmetic.cc
    text/cursor.cc
    text/diagnostic.cc
    text/human_bytes.cc
    text/mlir_cursor.cc
    text/mlir_reader.cc)
set(TESSERA_core_PUBLIC_HEADERS
    files/file_bytes.h
    index_map/algebra.h
    index_map/batch_index_map.h
    index_map/element_runs.h
    index_map/index_map.h
    index_map/index_map_builder.h
    index_map/map_structure.h
    index_map/position_kind.h
    index_map/position_unit.h
    index_map/same_function.h
    index_map/slice_positions.h
    text/diagnostic.h
    text/text_writer.h
    version/version.h)
set(TESSERA_core_INCLUDED_HEADERS
    files/pages.h
    index_map/internal/compiled_map.h
    index_map/sum_program.h)

# xla
set(TESSERA_xla_SOURCES
    index_util/array_sizes.cc
    index_util/bitcast.cc
    index_util/derivation.cc
    index_util/description.cc
    index_util/for_each_index.cc
    index_util/index_util.cc
    index_util/tile_extents.cc
    index_util/tiled_index.cc
    index_util/to_index_map.cc
    layout/foreign_type_name.cc
    layout/layout.cc
    layout/layout_proto.cc
    layout/layout_utilities.cc
    layout/memory_space.cc
    layout/primitive_type.cc
    layout/tile.cc
    layout/tile_expansion.cc
    layout/validate_layout.cc
    parser/internal/layout_grammar.cc
    parser/internal/part_location.cc
    parser/internal/reader.cc
    parser/internal/shape_grammar.cc
    parser/parser.cc
    shape/physical_shape.cc
    shape/shape.cc
    shape/shape_index.cc
    shape/shape_proto.cc
    shape/shape_utilities.cc
    shape/validate_shape.cc)
set(TESSERA_xla_PUBLIC_HEADERS
    index_util/array_sizes.h
    index_util/bitcast.h
    index_util/derivation.h
    index_util/description.h
    index_util/for_each_index.h
    index_util/index_util.h
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
    shape/validate_shape.h)
set(TESSERA_xla_INCLUDED_PROTOS
    proto/xla_data.proto)

# relayout
set(TESSERA_relayout_SOURCES
    relayout/copy_kernel.cc
    relayout/interleave_kernel.cc
    relayout/loop_nest.cc
    relayout/relayout_plan.cc
    relayout/shape_relayout.cc
    relayout/transpose_kernel.cc)
set(TESSERA_relayout_PUBLIC_HEADERS
    relayout/loop_nest.h
    relayout/relayout_plan.h
    relayout/shape_relayout.h)
set(TESSERA_relayout_INCLUDED_HEADERS
    relayout/kernel.h)

# tenstorrent
set(TESSERA_tenstorrent_SOURCES
    tenstorrent/affine/affine_builder.cc
    tenstorrent/affine/affine_expression.cc
    tenstorrent/affine/affine_map.cc
    tenstorrent/affine/affine_map_parser.cc
    tenstorrent/affine/affine_operations.cc
    tenstorrent/affine/affine_range.cc
    tenstorrent/affine/map_coordinates.cc
    tenstorrent/aligned_layout.cc
    tenstorrent/derive/aligned_derivation.cc
    tenstorrent/derive/collapse.cc
    tenstorrent/derive/derivation.cc
    tenstorrent/derive/device.cc
    tenstorrent/derive/device_parser.cc
    tenstorrent/derive/strides.cc
    tenstorrent/derive/ttnn_derivation.cc
    tenstorrent/derive/ttnn_shape.cc
    tenstorrent/element_type.cc
    tenstorrent/element_type_parser.cc
    tenstorrent/face.cc
    tenstorrent/form_conversion.cc
    tenstorrent/geometry.cc
    tenstorrent/internal/aligned_verification.cc
    tenstorrent/internal/memory_axes.cc
    tenstorrent/internal/memory_digits.cc
    tenstorrent/internal/size_checks.cc
    tenstorrent/internal/ttnn_verification.cc
    tenstorrent/location.cc
    tenstorrent/metal_layout.cc
    tenstorrent/placement.cc
    tenstorrent/rule.cc
    tenstorrent/tensor.cc
    tenstorrent/text/attribute_reader.cc
    tenstorrent/text/layout_printing.cc
    tenstorrent/text/layout_reader.cc
    tenstorrent/to_index_map.cc
    tenstorrent/ttnn_layout.cc
    tenstorrent/verification.cc)
set(TESSERA_tenstorrent_PUBLIC_HEADERS
    tenstorrent/affine/affine_expression.h
    tenstorrent/affine/affine_map.h
    tenstorrent/affine/affine_map_parser.h
    tenstorrent/aligned_layout.h
    tenstorrent/derive/aligned_derivation.h
    tenstorrent/derive/derivation.h
    tenstorrent/derive/device.h
    tenstorrent/derive/device_parser.h
    tenstorrent/derive/ttnn_derivation.h
    tenstorrent/derive/ttnn_shape.h
    tenstorrent/dimensions.h
    tenstorrent/element_type.h
    tenstorrent/element_type_parser.h
    tenstorrent/face.h
    tenstorrent/form_conversion.h
    tenstorrent/geometry.h
    tenstorrent/location.h
    tenstorrent/metal_layout.h
    tenstorrent/placement.h
    tenstorrent/rule.h
    tenstorrent/tensor.h
    tenstorrent/to_index_map.h
    tenstorrent/ttnn_layout.h
    tenstorrent/verification.h)
set(TESSERA_tenstorrent_INCLUDED_HEADERS
    tenstorrent/derive/collapse.h)

# hlo
set(TESSERA_hlo_SOURCES
    hlo/allocations/assigned_memory.cc
    hlo/allocations/assignment_proto.cc
    hlo/allocations/assignment_text.cc
    hlo/allocations/buffer_assignment.cc
    hlo/allocations/occupancy.cc
    hlo/attributes/attribute_values.cc
    hlo/attributes/frame_tables.cc
    hlo/attributes/metadata.cc
    hlo/attributes/module_header.cc
    hlo/attributes/replica_groups.cc
    hlo/attributes/value_reader.cc
    hlo/diff/change_groups.cc
    hlo/diff/dump_diff.cc
    hlo/diff/instruction_matching.cc
    hlo/dump_folder.cc
    hlo/hlo_attributes.cc
    hlo/hlo_call_kind.cc
    hlo/hlo_module.cc
    hlo/hlo_opcode.cc
    hlo/hlo_printer.cc
    hlo/hlo_reader.cc
    hlo/hlo_shape_table.cc
    hlo/hlo_string.cc
    hlo/hlo_target.cc
    hlo/instruction_origin.cc
    hlo/log_prefixes.cc
    hlo/memory/array_table.cc
    hlo/memory/array_usage.cc
    hlo/memory/assignment/assigner_options.cc
    hlo/memory/assignment/buffer_assigner.cc
    hlo/memory/assignment/buffer_sharing.cc
    hlo/memory/assignment/fused_graph.cc
    hlo/memory/assignment/heap_packing.cc
    hlo/memory/assignment/module_assignment.cc
    hlo/memory/assignment/opcode_traits.cc
    hlo/memory/assignment/program_values.cc
    hlo/memory/computation_buffers.cc
    hlo/memory/computed_assignment.cc
    hlo/memory/hlo_schedule.cc
    hlo/memory/liveness.cc
    hlo/memory/memory_report.cc
    hlo/memory/memory_totals.cc
    hlo/memory/relayouts.cc
    hlo/memory/reserved_memory.cc
    hlo/memory/result_buffers.cc
    hlo/model/hlo_builder.cc
    hlo/model/piece_reader.cc
    hlo/model/shape_inference.cc
    hlo/model/store_joiner.cc
    hlo/parse_hlo.cc
    hlo/printed_comments.cc
    hlo/proto/attribute_text.cc
    hlo/proto/header_text.cc
    hlo/proto/hlo_proto_text.cc
    hlo/proto/hlo_words.cc
    hlo/proto/literal_text.cc
    hlo/proto/proto_module.cc
    hlo/proto/proto_source.cc
    hlo/proto/sharding_text.cc
    hlo/proto/wire_fields.cc
    hlo/reader/attribute_reader.cc
    hlo/reader/bracket_reader.cc
    hlo/reader/byte_index.cc
    hlo/reader/diagnostic_maker.cc
    hlo/reader/hlo_scanner.cc
    hlo/reader/operand_reader.cc
    hlo/reader/text_pieces.cc
    hlo/reader/text_reader.cc
    hlo/strict/attribute_judge.cc
    hlo/strict/attribute_rules.cc
    hlo/strict/hlo_objection.cc
    hlo/strict/literal_rules.cc
    hlo/strict/opcode_rules.cc
    hlo/strict/selected_shape.cc
    hlo/strict/shape_judge.cc
    hlo/strict/shape_spelling.cc
    hlo/strict/value_rules.cc
    hlo/strict_rules.cc)
set(TESSERA_hlo_PUBLIC_HEADERS
    hlo/allocations/assigned_memory.h
    hlo/allocations/assignment_proto.h
    hlo/allocations/assignment_text.h
    hlo/allocations/buffer_assignment.h
    hlo/allocations/occupancy.h
    hlo/attributes/attribute_values.h
    hlo/attributes/frame_tables.h
    hlo/attributes/metadata.h
    hlo/attributes/module_header.h
    hlo/attributes/replica_groups.h
    hlo/diff/change_groups.h
    hlo/diff/dump_diff.h
    hlo/diff/instruction_matching.h
    hlo/dump_folder.h
    hlo/hlo_attributes.h
    hlo/hlo_call_kind.h
    hlo/hlo_counts.h
    hlo/hlo_handler.h
    hlo/hlo_module.h
    hlo/hlo_opcode.h
    hlo/hlo_printer.h
    hlo/hlo_reader.h
    hlo/hlo_shape_table.h
    hlo/hlo_string.h
    hlo/hlo_target.h
    hlo/instruction_origin.h
    hlo/log_prefixes.h
    hlo/memory/array_usage.h
    hlo/memory/computed_assignment.h
    hlo/memory/hlo_schedule.h
    hlo/memory/liveness.h
    hlo/memory/memory_report.h
    hlo/memory/memory_totals.h
    hlo/memory/relayouts.h
    hlo/memory/reserved_memory.h
    hlo/parse_hlo.h
    hlo/strict_rules.h)
set(TESSERA_hlo_INCLUDED_HEADERS
    hlo/model/chunked_vector.h
    hlo/model/hlo_store.h
    hlo/strict/hlo_objection.h)
set(TESSERA_hlo_PROTOS
    proto/hlo.proto)

# cute
set(TESSERA_cute_SOURCES
    cute/algebra/coalesce.cc
    cute/algebra/common_layout.cc
    cute/algebra/complement.cc
    cute/algebra/composition.cc
    cute/algebra/composition_refusal.cc
    cute/algebra/divide.cc
    cute/algebra/filter.cc
    cute/algebra/inverse.cc
    cute/algebra/ordered_layout.cc
    cute/algebra/product.cc
    cute/algebra/recast.cc
    cute/calculator/bracket_map.cc
    cute/calculator/calculator.cc
    cute/calculator/calculator_algebra.cc
    cute/calculator/calculator_arguments.cc
    cute/calculator/calculator_functions.cc
    cute/calculator/calculator_makers.cc
    cute/calculator/calculator_tuples.cc
    cute/calculator/calculator_value.cc
    cute/calculator/line_reader.cc
    cute/calculator/tiler_reading.cc
    cute/composed_layout.cc
    cute/constexpr/static_layout.cc
    cute/constexpr/static_to_layout.cc
    cute/coordinates.cc
    cute/identity_layout.cc
    cute/int_tuple.cc
    cute/internal/collision.cc
    cute/internal/exact_layout.cc
    cute/internal/layout_through.cc
    cute/internal/pair_arrangement.cc
    cute/internal/profile.cc
    cute/internal/term_reader.cc
    cute/internal/walk.cc
    cute/layout.cc
    cute/layout_function.cc
    cute/layout_values.cc
    cute/modes.cc
    cute/parse.cc
    cute/shape_division.cc
    cute/swizzle.cc
    cute/tile_extents.cc
    cute/tiler.cc
    cute/to_index_map.cc)
set(TESSERA_cute_PUBLIC_HEADERS
    cute/algebra/coalesce.h
    cute/algebra/common_layout.h
    cute/algebra/complement.h
    cute/algebra/composition.h
    cute/algebra/composition_refusal.h
    cute/algebra/divide.h
    cute/algebra/filter.h
    cute/algebra/inverse.h
    cute/algebra/ordered_layout.h
    cute/algebra/product.h
    cute/algebra/recast.h
    cute/basis.h
    cute/calculator/calculator.h
    cute/calculator/calculator_value.h
    cute/composed_layout.h
    cute/constexpr/static_algebra.h
    cute/constexpr/static_layout.h
    cute/constexpr/static_to_layout.h
    cute/coordinates.h
    cute/identity_layout.h
    cute/int_tuple.h
    cute/layout.h
    cute/layout_function.h
    cute/layout_values.h
    cute/modes.h
    cute/parse.h
    cute/shape_division.h
    cute/swizzle.h
    cute/text_form.h
    cute/tile_extents.h
    cute/tiler.h
    cute/to_index_map.h)
set(TESSERA_cute_INCLUDED_HEADERS
    cute/internal/profile.h
    cute/internal/walk.h
    math/fast_divider.h)

# strided
set(TESSERA_strided_SOURCES
    strided/parse.cc
    strided/strided_array.cc)
set(TESSERA_strided_PUBLIC_HEADERS
    strided/parse.h
    strided/strided_array.h)

# convert
set(TESSERA_convert_SOURCES
    convert/shard_cute.cc
    convert/xla_cute.cc
    convert/xla_tenstorrent.cc)
set(TESSERA_convert_PUBLIC_HEADERS
    convert/shard_cute.h
    convert/tile_order.h
    convert/xla_cute.h
    convert/xla_tenstorrent.h)

# any_layout
set(TESSERA_any_layout_SOURCES
    any_layout/any_layout.cc
    any_layout/layout_family.cc
    any_layout/nearest_shape.cc)
set(TESSERA_any_layout_PUBLIC_HEADERS
    any_layout/any_layout.h
    any_layout/layout_family.h)

# viz
set(TESSERA_viz_SOURCES
    viz/cell_axis.cc
    viz/memory_map.cc
    viz/memory_page.cc
    viz/picture.cc
    viz/picture_style.cc
    viz/svg_picture.cc
    viz/svg_text.cc
    viz/text_picture.cc
    viz/tile_levels.cc
    viz/wrapped_lines.cc)
set(TESSERA_viz_PUBLIC_HEADERS
    viz/memory_map.h
    viz/memory_page.h
    viz/picture.h
    viz/picture_style.h
    viz/svg_picture.h
    viz/text_picture.h
    viz/tile_levels.h)
set(TESSERA_viz_INCLUDED_HEADERS
    viz/cell_axis.h)

# service
set(TESSERA_service_SOURCES
    service/answer_json.cc
    service/error.cc
    service/json_reader.cc
    service/json_writer.cc
    service/layout_service.cc
    service/questions/compare_question.cc
    service/questions/describe_question.cc
    service/questions/evaluate_question.cc
    service/questions/explain_question.cc
    service/questions/hlo_diff_question.cc
    service/questions/hlo_peak_question.cc
    service/questions/hlo_question.cc
    service/questions/hlo_texts.cc
    service/questions/index_questions.cc
    service/questions/layout_source.cc
    service/questions/memory_baseline.cc
    service/questions/memory_check.cc
    service/questions/parse_question.cc
    service/questions/parts_question.cc
    service/questions/picture_question.cc
    service/questions/region_questions.cc
    service/questions/tensor_questions.cc
    service/service_options.cc
    service/utf8.cc
    service/within_memory.cc)
set(TESSERA_service_PUBLIC_HEADERS
    service/answer_json.h
    service/layout_service.h
    service/service_options.h)
set(TESSERA_service_INCLUDED_PROTOS
    proto/layout_service.proto)
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

# The command line. It says of which commit it is in the last file, which Bazel calls a linkstamp.
set(TESSERA_program_SOURCES
    cli/command/answer_each.cc
    cli/command/byte_size.cc
    cli/command/command_line.cc
    cli/command/decimal.cc
    cli/command/percent.cc
    cli/files/input_file.cc
    cli/files/mapped_output.cc
    cli/files/output_file.cc
    cli/hlo/hlo_cat_command.cc
    cli/hlo/hlo_check_command.cc
    cli/hlo/hlo_command.cc
    cli/hlo/hlo_diff_command.cc
    cli/hlo/hlo_instructions_command.cc
    cli/hlo/hlo_map_command.cc
    cli/hlo/hlo_peak_command.cc
    cli/hlo/hlo_report_command.cc
    cli/hlo/input/hlo_input.cc
    cli/hlo/page/html_output.cc
    cli/hlo/page/memory_map_of.cc
    cli/hlo/page/memory_page_of.cc
    cli/hlo/page/page_changes.cc
    cli/hlo/report/answer_printer.cc
    cli/hlo/report/check_report.cc
    cli/hlo/report/diff_report_csv.cc
    cli/hlo/report/diff_report_text.cc
    cli/hlo/report/hlo_report_json.cc
    cli/hlo/report/hlo_report_text.cc
    cli/hlo/report/instruction_printer.cc
    cli/hlo/report/origin_text.cc
    cli/hlo/report/peak_report_csv.cc
    cli/hlo/report/peak_report_text.cc
    cli/hlo/report/plot.cc
    cli/layout/compare_command.cc
    cli/layout/coords_command.cc
    cli/layout/cute_command.cc
    cli/layout/describe_command.cc
    cli/layout/description_text.cc
    cli/layout/draw_command.cc
    cli/layout/drawing.cc
    cli/layout/explanation.cc
    cli/layout/grid.cc
    cli/layout/index_command.cc
    cli/layout/index_text.cc
    cli/layout/layout_argument.cc
    cli/layout/padding_text.cc
    cli/layout/parse_command.cc
    cli/layout/region_commands.cc
    cli/layout/tensor_description.cc
    cli/layout/tt_tensor.cc
    cli/main.cc
    cli/output/argument_error.cc
    cli/output/bar.cc
    cli/output/display.cc
    cli/output/fatal_signals.cc
    cli/output/message.cc
    cli/output/progress.cc
    cli/output/table.cc
    cli/output/units.cc
    cli/program.cc
    cli/relayout/element_value.cc
    cli/relayout/npy_file.cc
    cli/relayout/relayout_array.cc
    cli/relayout/relayout_command.cc
    cli/relayout/relayout_verification.cc
    cli/run_tessera.cc
    cli/serve/batch_command.cc
    cli/serve/explore_command.cc
    cli/serve/ordered_work.cc
    cli/serve/serve_command.cc
    cli/serve/server_program.cc
    cli/tt/tt_check_command.cc
    cli/tt/tt_command.cc
    cli/tt/tt_coords_command.cc
    cli/tt/tt_derive_command.cc
    cli/tt/tt_describe_command.cc
    cli/tt/tt_index_command.cc
    cli/tt/tt_ttnn_command.cc
    explorer/saved_page.cc)
set(TESSERA_program_STAMPED_SOURCE
    cli/build_commit.cc)

# The examples.
set(TESSERA_TASKS
    core_of_element
    cute_layouts
    free_reshape
    large_copies
    padding
    peak
    picture
    positions
    proto_and_back
    tile_on_threads)

# What is optimized for speed above all.
set(TESSERA_HOT_SOURCES
    hlo/allocations/assignment_text.cc
    hlo/model/hlo_builder.cc
    hlo/reader/attribute_reader.cc
    hlo/reader/bracket_reader.cc
    hlo/reader/byte_index.cc
    hlo/reader/operand_reader.cc
    hlo/reader/text_reader.cc)

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
    optional
    span
    status
    statusor
    str_format
    strings
    variant)

# Headers of the library that a shell command writes, which finds their name in $1.
set(TESSERA_library_GENERATED_HEADERS
    viz/memory_page_template.h)
set(TESSERA_INPUTS_OF_viz/memory_page_template.h
    viz/memory_page/base.js
    viz/memory_page/changes.js
    viz/memory_page/fit.js
    viz/memory_page/grouping.js
    viz/memory_page/main.js
    viz/memory_page/map.js
    viz/memory_page/page.css
    viz/memory_page/page.html
    viz/memory_page/tables.js
    viz/memory_page/timeline.js
    viz/memory_page/treemap.js)
set(TESSERA_COMMAND_OF_viz/memory_page_template.h [=[
{
      embed() {
        printf '%s' "constexpr char $1[] = R\"tessera("
        shift
        cat "$@"
        printf '%s\n' ')tessera";'
      }
      echo '#ifndef TESSERA_VIZ_MEMORY_PAGE_TEMPLATE_H_'
      echo '#define TESSERA_VIZ_MEMORY_PAGE_TEMPLATE_H_'
      echo 'namespace tessera {'
      embed kMemoryPageHtml viz/memory_page/page.html
      embed kMemoryPageStyle viz/memory_page/page.css
      embed kMemoryPageScript viz/memory_page/base.js viz/memory_page/fit.js viz/memory_page/changes.js viz/memory_page/timeline.js viz/memory_page/treemap.js viz/memory_page/grouping.js viz/memory_page/map.js viz/memory_page/tables.js viz/memory_page/main.js
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_VIZ_MEMORY_PAGE_TEMPLATE_H_'
    } >"$1"
]=])

# Headers of the program that a shell command writes, which finds their name in $1.
set(TESSERA_program_GENERATED_HEADERS
    explorer/explorer_files.h)
set(TESSERA_INPUTS_OF_explorer/explorer_files.h
    explorer/dom.js
    explorer/explorer.css
    explorer/explorer.html
    explorer/explorer.js
    explorer/explorer_cores.js
    explorer/explorer_handles.js
    explorer/explorer_model.js
    explorer/explorer_sizes.js
    explorer/icon.svg)
set(TESSERA_COMMAND_OF_explorer/explorer_files.h [=[
{
      embed() {
        printf '%s' "constexpr char $1[] = R\"tessera("
        cat "$2"
        printf '%s\n' ')tessera";'
      }
      echo '#ifndef TESSERA_EXPLORER_EXPLORER_FILES_H_'
      echo '#define TESSERA_EXPLORER_EXPLORER_FILES_H_'
      echo 'namespace tessera {'
      embed kDomScript explorer/dom.js
      embed kExplorerStyle explorer/explorer.css
      embed kExplorerHtml explorer/explorer.html
      embed kExplorerScript explorer/explorer.js
      embed kExplorerCoresScript explorer/explorer_cores.js
      embed kExplorerHandlesScript explorer/explorer_handles.js
      embed kExplorerModelScript explorer/explorer_model.js
      embed kExplorerSizesScript explorer/explorer_sizes.js
      embed kExplorerIcon explorer/icon.svg
      echo '}  // namespace tessera'
      echo '#endif  // TESSERA_EXPLORER_EXPLORER_FILES_H_'
    } >"$1"
]=])
