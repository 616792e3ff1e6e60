#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <blackhole>, grid = 10x13, coord_translation_offsets = 2x1, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 107136, erisc_l1_unreserved_base = 98304, dram_unreserved_base = 64, dram_unreserved_end = 4276142272, dst_physical_size_tiles = 16, num_cbs = 32}], [0], [1 : i32], [ 0x0x0x0]>
%0 = "ttnn.empty"() : () -> tensor<32x32xbf16, #layout>
