// SPDX-License-Identifier: MIT

extension ProfileIndication {
  /// The two names of each field in the standard, one for the sequence and one for a sub-layer.
  struct Names {
    let profileSpace: StaticString
    let tierFlag: StaticString
    let profileIDC: StaticString
    let profileCompatibilityFlag: StaticString
    let progressiveSourceFlag: StaticString
    let interlacedSourceFlag: StaticString
    let nonPackedConstraintFlag: StaticString
    let frameOnlyConstraintFlag: StaticString
    let max12bit: StaticString
    let max10bit: StaticString
    let max8bit: StaticString
    let max422chroma: StaticString
    let max420chroma: StaticString
    let maxMonochrome: StaticString
    let intra: StaticString
    let onePictureOnly: StaticString
    let lowerBitRate: StaticString
    let max14bit: StaticString
    let reservedZero33bits: StaticString
    let reservedZero34bits: StaticString
    let reservedZero7bits: StaticString
    let reservedZero35bits: StaticString
    let reservedZero43bits: StaticString
    let inbldFlag: StaticString
    let reservedZeroBit: StaticString

    static let general = Names(
      profileSpace: "general_profile_space",
      tierFlag: "general_tier_flag",
      profileIDC: "general_profile_idc",
      profileCompatibilityFlag: "general_profile_compatibility_flag",
      progressiveSourceFlag: "general_progressive_source_flag",
      interlacedSourceFlag: "general_interlaced_source_flag",
      nonPackedConstraintFlag: "general_non_packed_constraint_flag",
      frameOnlyConstraintFlag: "general_frame_only_constraint_flag",
      max12bit: "general_max_12bit_constraint_flag",
      max10bit: "general_max_10bit_constraint_flag",
      max8bit: "general_max_8bit_constraint_flag",
      max422chroma: "general_max_422chroma_constraint_flag",
      max420chroma: "general_max_420chroma_constraint_flag",
      maxMonochrome: "general_max_monochrome_constraint_flag",
      intra: "general_intra_constraint_flag",
      onePictureOnly: "general_one_picture_only_constraint_flag",
      lowerBitRate: "general_lower_bit_rate_constraint_flag",
      max14bit: "general_max_14bit_constraint_flag",
      reservedZero33bits: "general_reserved_zero_33bits",
      reservedZero34bits: "general_reserved_zero_34bits",
      reservedZero7bits: "general_reserved_zero_7bits",
      reservedZero35bits: "general_reserved_zero_35bits",
      reservedZero43bits: "general_reserved_zero_43bits",
      inbldFlag: "general_inbld_flag",
      reservedZeroBit: "general_reserved_zero_bit")

    static let subLayer = Names(
      profileSpace: "sub_layer_profile_space",
      tierFlag: "sub_layer_tier_flag",
      profileIDC: "sub_layer_profile_idc",
      profileCompatibilityFlag: "sub_layer_profile_compatibility_flag",
      progressiveSourceFlag: "sub_layer_progressive_source_flag",
      interlacedSourceFlag: "sub_layer_interlaced_source_flag",
      nonPackedConstraintFlag: "sub_layer_non_packed_constraint_flag",
      frameOnlyConstraintFlag: "sub_layer_frame_only_constraint_flag",
      max12bit: "sub_layer_max_12bit_constraint_flag",
      max10bit: "sub_layer_max_10bit_constraint_flag",
      max8bit: "sub_layer_max_8bit_constraint_flag",
      max422chroma: "sub_layer_max_422chroma_constraint_flag",
      max420chroma: "sub_layer_max_420chroma_constraint_flag",
      maxMonochrome: "sub_layer_max_monochrome_constraint_flag",
      intra: "sub_layer_intra_constraint_flag",
      onePictureOnly: "sub_layer_one_picture_only_constraint_flag",
      lowerBitRate: "sub_layer_lower_bit_rate_constraint_flag",
      max14bit: "sub_layer_max_14bit_constraint_flag",
      reservedZero33bits: "sub_layer_reserved_zero_33bits",
      reservedZero34bits: "sub_layer_reserved_zero_34bits",
      reservedZero7bits: "sub_layer_reserved_zero_7bits",
      reservedZero35bits: "sub_layer_reserved_zero_35bits",
      reservedZero43bits: "sub_layer_reserved_zero_43bits",
      inbldFlag: "sub_layer_inbld_flag",
      reservedZeroBit: "sub_layer_reserved_zero_bit")
  }
}
