// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Measures frames of AAC-LC, with or without spectral band replication, by their syntax (`raw_data_block()`): ISO/IEC
/// 14496-3, 4.4.2.1. Frames do not contain their length.
struct AACFrameReader: Sendable {
  private enum Element: Int {
    case single, pair, coupling, lowFrequency, data, program, fill, end
  }

  private let bands: AACBands
  /// The elements with channels, in order; `nil` if the configuration lists them in another way.
  private let elements: [Element]?
  /// The maximum size of a frame in bytes: 4.5.3, 6144 bits for each channel.
  let mostBytes: Int

  /// Returns `nil` for object types other than AAC-LC.
  init?(_ configuration: [UInt8]) {
    guard let config = try? AudioSpecificConfig(configuration), config.core == 2,
      let rate = Self.index(of: config),
      let bands = AACBands(frequencyIndex: rate, hasShortFrames: config.general.isShort)
    else { return nil }
    self.bands = bands
    elements = Self.layouts[config.channelConfiguration]
    mostBytes = 768 * (elements.map { $0.reduce(0) { $0 + ($1 == .pair ? 2 : 1) } } ?? 48)
  }

  /// Table 1.19 of ISO/IEC 14496-3.
  private static let layouts: [UInt8: [Element]] = [
    1: [.single], 2: [.pair], 3: [.single, .pair], 4: [.single, .pair, .single],
    5: [.single, .pair, .pair], 6: [.single, .pair, .pair, .lowFrequency],
    7: [.single, .pair, .pair, .pair, .lowFrequency],
  ]

  /// Returns the index of a sample rate; one that is given as a number uses the tables of the next lower standard rate:
  /// 4.5.1.1, Table 4.82.
  private static func index(of config: AudioSpecificConfig) -> Int? {
    guard config.frequencyIndex == 15 else { return Int(config.frequencyIndex) }
    let least = [92017, 75132, 55426, 46009, 37566, 27713, 23004, 18783, 13856, 11502, 9391, 0]
    return least.firstIndex { Int(config.frequency) >= $0 }
  }

  /// Returns whether a frame can begin with a byte, which starts with the number of its first element.
  func mayBegin(with first: UInt8) -> Bool {
    guard let element = Element(rawValue: Int(first >> 5)) else { return false }
    guard element != .data, element != .fill else { return true }
    return elements?.first.map { $0 == element } ?? true
  }

  /// Returns the size of the frame at the start of these bytes; `nil` if they do not begin with a frame, or end inside
  /// it.
  func size(of bytes: ArraySlice<UInt8>) -> Int? {
    var bits = AACBits(bytes)
    do throws(AACMismatch) {
      try read(&bits)
    } catch {
      return nil
    }
    return bits.position / 8
  }

  private func read(_ bits: inout AACBits) throws(AACMismatch) {
    var count = 0
    while let element = Element(rawValue: try bits.read(3)), element != .end {
      switch element {
      case .single, .pair, .lowFrequency:
        if let elements {
          guard count < elements.count, elements[count] == element else { throw AACMismatch() }
        }
        count += 1
        // `element_instance_tag`.
        try bits.skip(4)
        if element == .pair { try readPair(&bits) } else { try readSingle(&bits) }
      case .data:
        try bits.skip(4)
        let isAligned = try bits.flag()
        var size = try bits.read(8)
        if size == 255 { size += try bits.read(8) }
        if isAligned { bits.align() }
        try bits.skip(size * 8)
      case .fill:
        var size = try bits.read(4)
        if size == 15 { size += try bits.read(8) - 1 }
        try bits.skip(size * 8)
      case .coupling, .program, .end: throw AACMismatch()
      }
    }
    guard count > 0, count == elements?.count ?? count else { throw AACMismatch() }
    bits.align()
  }

  private func readSingle(_ bits: inout AACBits) throws(AACMismatch) {
    _ = try AACChannelStream(&bits, bands, shared: nil, isSecond: false)
  }

  private func readPair(_ bits: inout AACBits) throws(AACMismatch) {
    var shared: AACChannelStream.Windows?
    if try bits.flag() {
      let windows = try AACChannelStream.Windows(&bits, bands)
      // `ms_mask_present`, of which 3 is reserved.
      let mask = try bits.read(2)
      guard mask < 3 else { throw AACMismatch() }
      if mask == 1 { try bits.skip(windows.groups.count * windows.bandCount) }
      shared = windows
    }
    _ = try AACChannelStream(&bits, bands, shared: shared, isSecond: false)
    _ = try AACChannelStream(&bits, bands, shared: shared, isSecond: true)
  }
}
