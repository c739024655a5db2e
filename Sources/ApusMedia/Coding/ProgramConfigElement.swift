// SPDX-License-Identifier: MIT

public import ApusBytes

/// The channels of AAC if they are not given by a number (`program_config_element()`): ISO/IEC 14496-3, 4.4.1.1.
public struct ProgramConfigElement: SyntaxStructure, Hashable {
  /// The number that distinguishes this element from others of its type (`element_instance_tag`).
  public var tag: UInt8 = 0
  /// The object type minus 1.
  public var objectType: UInt8 = 1
  /// The index in the table of sampling frequencies.
  public var frequencyIndex: UInt8 = 4
  /// The elements with the front channels.
  public var front: [Element] = []
  /// The elements with the side channels.
  public var side: [Element] = []
  /// The elements with the back channels.
  public var back: [Element] = []
  /// The tags of the elements with low-frequency effects.
  public var effects: [UInt8] = []
  /// The tags of the data elements that belong to the program.
  public var associatedData: [UInt8] = []
  /// The elements of coupling channels.
  public var coupling: [Element] = []
  /// Whether an element with a mono mixdown is named.
  public var hasMonoMixdown = false
  /// The number of the element with the mono mixdown.
  public var monoMixdown: UInt8 = 0
  /// Whether an element with a stereo mixdown is named.
  public var hasStereoMixdown = false
  /// The number of the element with the stereo mixdown.
  public var stereoMixdown: UInt8 = 0
  /// Whether the coefficients of a matrix mixdown from surround to stereo are stated.
  public var hasMatrixMixdown = false
  /// The index of the coefficient with which that mixdown weights the surround channels.
  public var matrixMixdown: UInt8 = 0
  /// Whether that mixdown is suitable for pseudo-surround playback (`pseudo_surround_enable`).
  public var isPseudoSurround = false
  /// The bits up to the next byte boundary.
  public var alignment: UInt8 = 0
  /// The bytes of the comment, usually text.
  public var comment: [UInt8] = []

  /// One or two channels.
  public struct Element: SyntaxStructure, Hashable {
    /// Whether the element has two channels; for coupling, whether it is switched independently.
    public var isPair = false
    /// The tag of the element that contains these channels (`tag_select`).
    public var tag: UInt8 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("is_cpe", &isPair)
      try v.u(4, "tag_select", &tag)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "element_instance_tag", &tag)
    try v.u(2, "object_type", &objectType)
    try v.u(4, "sampling_frequency_index", &frequencyIndex)
    let fronts = try v.count(4, "num_front_channel_elements", front.count)
    let sides = try v.count(4, "num_side_channel_elements", side.count)
    let backs = try v.count(4, "num_back_channel_elements", back.count)
    let lows = try v.count(2, "num_lfe_channel_elements", effects.count)
    let data = try v.count(3, "num_assoc_data_elements", associatedData.count)
    let couplings = try v.count(4, "num_valid_cc_elements", coupling.count)
    try v.flag("mono_mixdown_present", &hasMonoMixdown)
    if hasMonoMixdown { try v.u(4, "mono_mixdown_element_number", &monoMixdown) }
    try v.flag("stereo_mixdown_present", &hasStereoMixdown)
    if hasStereoMixdown { try v.u(4, "stereo_mixdown_element_number", &stereoMixdown) }
    try v.flag("matrix_mixdown_idx_present", &hasMatrixMixdown)
    if hasMatrixMixdown {
      try v.u(2, "matrix_mixdown_idx", &matrixMixdown)
      try v.flag("pseudo_surround_enable", &isPseudoSurround)
    }
    try v.list("front_element", &front, count: fronts)
    try v.list("side_element", &side, count: sides)
    try v.list("back_element", &back, count: backs)
    try v.values(4, "lfe_element_tag_select", &effects, count: lows)
    try v.values(4, "assoc_data_element_tag_select", &associatedData, count: data)
    try v.list("cc_element", &coupling, count: couplings)
    if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "byte_alignment", &alignment) }
    let length = try v.count(8, "comment_field_bytes", comment.count)
    try v.bytes("comment_field_data", &comment, count: length, .text)
  }

  /// The number of output channels of a decoder.
  public var channels: Int {
    (front + side + back).reduce(effects.count) { $0 + ($1.isPair ? 2 : 1) }
  }
}
