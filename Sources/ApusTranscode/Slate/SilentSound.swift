// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
public import ApusSamples

/// Silence in AAC-LC, as identical frames.
public struct SilentSound: Hashable, Sendable {
  /// The `AudioSpecificConfig`.
  public let configuration: [UInt8]
  /// The number of samples per second and channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// A `raw_data_block()` in which no band has any data: ISO/IEC 14496-3, 4.4.2.1.
  let frame: [UInt8]

  /// The number of samples per channel in a frame.
  static let frameLength = 1024

  /// The numbers of channels of each channel configuration, and the syntax elements that hold them: ISO/IEC 14496-3,
  /// Table 1.19.
  private static let layouts: [(channels: Int, elements: [Element])] = [
    (0, []), (1, [.single]), (2, [.pair]), (3, [.single, .pair]), (4, [.single, .pair, .single]),
    (5, [.single, .pair, .pair]), (6, [.single, .pair, .pair, .lowFrequency]),
    (8, [.single, .pair, .pair, .pair, .lowFrequency]),
  ]

  /// `id_syn_ele`: ISO/IEC 14496-3, Table 4.85.
  private enum Element: UInt8 {
    case single = 0
    case pair = 1
    case lowFrequency = 3
  }

  /// Creates silence in stereo at 48 kHz.
  public init() throws(MediaError) { try self.init(sampleRate: 48000, channels: 2) }

  /// Creates silence that can follow the sound of a track, without a change of configuration if that is AAC-LC; `nil`
  /// for other codecs.
  public init?(following track: CodedTrack) throws(MediaError) {
    guard case .aac(let bytes) = track.format else { return nil }
    if let config = Self.configuration(bytes), config.isPlain, let rate = config.sampleRate {
      try self.init(bytes, rate, Int(config.channelConfiguration))
    } else {
      try self.init(sampleRate: track.sampleRate, channels: track.channels)
    }
  }

  /// - Parameters:
  ///   - sampleRate: a rate for which AAC has no number is replaced by 48 kHz.
  ///   - channels: a number without a channel configuration in AAC is replaced by stereo.
  init(sampleRate: Int, channels: Int) throws(MediaError) {
    var config = AudioSpecificConfig()
    config.frequencyIndex = 3
    for index in UInt8(0)..<13 {
      var other = config
      other.frequencyIndex = index
      if other.sampleRate == sampleRate { config = other }
    }
    let layout = Self.layouts.dropFirst().firstIndex { $0.channels == channels } ?? 2
    config.channelConfiguration = UInt8(layout)
    let bytes: [UInt8]
    do throws(SyntaxError) {
      bytes = try config.bytes()
    } catch {
      throw MediaError(error)
    }
    try self.init(bytes, config.sampleRate ?? 48000, layout)
  }

  private init(_ configuration: [UInt8], _ sampleRate: Int, _ layout: Int) throws(MediaError) {
    self.configuration = configuration
    self.sampleRate = sampleRate
    channels = Self.layouts[layout].channels
    do throws(SyntaxError) {
      frame = try Self.frame(Self.layouts[layout].elements)
    } catch {
      throw MediaError(error)
    }
  }

  private static func configuration(_ bytes: [UInt8]) -> AudioSpecificConfig? {
    do throws(SyntaxError) { return try AudioSpecificConfig(bytes) } catch { return nil }
  }

  private static func frame(_ elements: [Element]) throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    func put(_ count: Int, _ name: StaticString, _ value: UInt8 = 0) throws(SyntaxError) {
      var value = value
      try writer.u(count, name, &value)
    }
    /// Writes `ics_info()`: one long window, in which no band is used.
    func window() throws(SyntaxError) {
      try put(1, "ics_reserved_bit")
      try put(2, "window_sequence")
      try put(1, "window_shape")
      try put(6, "max_sfb")
      try put(1, "predictor_data_present")
    }
    func absent() throws(SyntaxError) {
      try put(1, "pulse_data_present")
      try put(1, "tns_data_present")
      try put(1, "gain_control_data_present")
    }
    var tags: [Element: UInt8] = [:]
    for element in elements {
      try put(3, "id_syn_ele", element.rawValue)
      try put(4, "element_instance_tag", tags[element, default: 0])
      tags[element, default: 0] += 1
      if element == .pair {
        try put(1, "common_window", 1)
        try window()
        try put(2, "ms_mask_present")
        for _ in 0..<2 {
          try put(8, "global_gain")
          try absent()
        }
      } else {
        try put(8, "global_gain")
        try window()
        try absent()
      }
    }
    // ID_END.
    try put(3, "id_syn_ele", 7)
    while writer.bitsUntilAligned > 0 { try put(1, "byte_alignment") }
    return writer.sink.bytes
  }
}

extension AudioSpecificConfig {
  /// Whether it is AAC-LC with frames of 1024 samples and a numbered channel configuration.
  fileprivate var isPlain: Bool {
    objectType == 2 && frequencyIndex < 13 && (1...7).contains(channelConfiguration)
      && !general.isShort && !general.dependsOnCoreCoder
  }
}
