// SPDX-License-Identifier: MIT

/// The names of `payloadType` values: ITU-T H.265, D.2.1.
public enum SEIPayloadNames {
  /// The payload types that are parsed field by field.
  static let declared: [UInt32: any SEIPayload.Type] = Dictionary(
    uniqueKeysWithValues: payloads.map { ($0.payloadType, $0) })

  private static let payloads: [any SEIPayload.Type] = [
    BufferingPeriod.self, PictureTiming.self, RegisteredUserData.self, UnregisteredUserData.self,
    RecoveryPoint.self, FramePackingArrangement.self, DisplayOrientation.self,
    ActiveParameterSets.self, DecodedPictureHash.self, TimeCode.self,
    MasteringDisplayColourVolume.self, ContentLightLevel.self,
    AlternativeTransferCharacteristics.self, AmbientViewingEnvironment.self,
    AlphaChannelInformation.self, ReferenceDisplays.self, DepthRepresentation.self,
  ]

  /// Returns the name in the standard's syntax, such as `pic_timing`; `reserved_sei_message` for an unknown type.
  public static func name(of payloadType: UInt32) -> String {
    names[payloadType] ?? "reserved_sei_message"
  }

  private static let names: [UInt32: String] = [
    0: "buffering_period",
    1: "pic_timing",
    2: "pan_scan_rect",
    3: "filler_payload",
    4: "user_data_registered_itu_t_t35",
    5: "user_data_unregistered",
    6: "recovery_point",
    9: "scene_info",
    15: "picture_snapshot",
    16: "progressive_refinement_segment_start",
    17: "progressive_refinement_segment_end",
    19: "film_grain_characteristics",
    22: "post_filter_hint",
    23: "tone_mapping_info",
    45: "frame_packing_arrangement",
    47: "display_orientation",
    56: "green_metadata",
    128: "structure_of_pictures_info",
    129: "active_parameter_sets",
    130: "decoding_unit_info",
    131: "temporal_sub_layer_zero_idx",
    132: "decoded_picture_hash",
    133: "scalable_nesting",
    134: "region_refresh_info",
    135: "no_display",
    136: "time_code",
    137: "mastering_display_colour_volume",
    138: "segmented_rect_frame_packing_arrangement",
    139: "temporal_motion_constrained_tile_sets",
    140: "chroma_resampling_filter_hint",
    141: "knee_function_info",
    142: "colour_remapping_info",
    143: "deinterlaced_field_identification",
    144: "content_light_level_info",
    145: "dependent_rap_indication",
    146: "coded_region_completion",
    147: "alternative_transfer_characteristics",
    148: "ambient_viewing_environment",
    149: "content_colour_volume",
    150: "equirectangular_projection",
    151: "cubemap_projection",
    152: "fisheye_video_info",
    154: "sphere_rotation",
    155: "regionwise_packing",
    156: "omni_viewport",
    157: "regional_nesting",
    158: "mcts_extraction_info_sets",
    159: "mcts_extraction_info_nesting",
    160: "layers_not_present",
    161: "inter_layer_constrained_tile_sets",
    162: "bsp_nesting",
    163: "bsp_initial_arrival_time",
    164: "sub_bitstream_property",
    165: "alpha_channel_info",
    166: "overlay_info",
    167: "temporal_mv_prediction_constraints",
    168: "frame_field_info",
    176: "three_dimensional_reference_displays_info",
    177: "depth_representation_info",
    178: "multiview_scene_info",
    179: "multiview_acquisition_info",
    180: "multiview_view_position",
    181: "alternative_depth_info",
    200: "sei_manifest",
    201: "sei_prefix_indication",
    202: "annotated_regions",
    205: "shutter_interval_info",
  ]
}
