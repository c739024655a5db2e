// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The descriptors of immersive audio with their size: Immersive Audio Model and Formats 1.0, 6.2.2.
struct ImmersiveAudioUnits: SyntaxStructure {
  private var size = LEB128()
  private var units: [Unit] = []

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try size.syntax(&v, "configOBUs_size")
    try v.sized("units", size.count) { v throws(SyntaxError) in
      try v.list("units", &units, count: v.isReading ? nil : units.count)
    }
  }

  /// A unit: Immersive Audio Model and Formats 1.0, 3.2.
  private struct Unit: SyntaxStructure {
    var type: UInt8 = 31
    var isRedundantCopy = false
    var isTrimmed = false
    var hasExtension = false
    var size = LEB128()
    var trimming = [LEB128(), LEB128()]
    var extensionSize = LEB128()
    var extensionHeader: [UInt8] = []
    var profiles = Profiles()
    var codec = Codec()
    var element = Element()
    var payload: [UInt8] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(5, "obu_type", &type)
      try v.flag("obu_redundant_copy", &isRedundantCopy)
      try v.flag("obu_trimming_status_flag", &isTrimmed)
      try v.flag("obu_extension_flag", &hasExtension)
      try size.syntax(&v, "obu_size")
      try v.sized("obu", size.count) { v throws(SyntaxError) in
        if isTrimmed {
          try trimming[0].syntax(&v, "num_samples_to_trim_at_end")
          try trimming[1].syntax(&v, "num_samples_to_trim_at_start")
        }
        if hasExtension {
          try extensionSize.syntax(&v, "extension_header_size")
          try v.bytes("extension_header_bytes", &extensionHeader, count: extensionSize.count)
        }
        switch type {
        case 0: try v.group("codec_config_obu", &codec)
        case 1: try v.group("audio_element_obu", &element)
        case 31: try v.group("ia_sequence_header_obu", &profiles)
        default: break
        }
        try v.bytes("obu", &payload, count: nil)
      }
    }
  }

  /// The profiles: Immersive Audio Model and Formats 1.0, 3.4.
  private struct Profiles: SyntaxStructure {
    var code: FourCC = "iamf"
    var primaryProfile: UInt8 = 0
    var additionalProfile: UInt8 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "ia_code", &code)
      try v.u(8, "primary_profile", &primaryProfile)
      try v.u(8, "additional_profile", &additionalProfile)
    }
  }

  /// The codec of substreams: Immersive Audio Model and Formats 1.0, 3.5. Its own configuration follows.
  private struct Codec: SyntaxStructure {
    var id = LEB128()
    var codecID: FourCC = "Opus"
    var samplesPerFrame = LEB128()
    var rollDistance: Int16 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try id.syntax(&v, "codec_config_id")
      try v.u(32, "codec_id", &codecID)
      try samplesPerFrame.syntax(&v, "num_samples_per_frame")
      try v.i(16, "audio_roll_distance", &rollDistance)
    }
  }

  /// An audio element with its substreams: Immersive Audio Model and Formats 1.0, 3.6. Its parameters follow.
  private struct Element: SyntaxStructure {
    var id = LEB128()
    var type: UInt8 = 0
    var reserved: UInt8 = 0
    var codec = LEB128()
    var count = LEB128()
    var substreams: [LEB128] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try id.syntax(&v, "audio_element_id")
      try v.u(3, "audio_element_type", &type)
      try v.u(5, "reserved", &reserved)
      try codec.syntax(&v, "codec_config_id")
      try count.syntax(&v, "num_substreams")
      try v.list("audio_substream_ids", &substreams, count: count.count) {
        id, v throws(SyntaxError) in
        try id.syntax(&v, "audio_substream_id")
      }
    }
  }
}
