// SPDX-License-Identifier: MIT

internal import Media

/// What decoding must know of an H.264 sequence parameter set: ITU-T H.264, 7.3.2.1.1.
struct AVCSequence {
  private var bits: [Bool] = []
  private var place = 0

  /// `gaps_in_frame_num_value_allowed_flag` of the first set that is found in any of these, whatever its framing;
  /// yes where there is none that can be read.
  static func allowsGaps(_ candidates: [UInt8]...) -> Bool {
    for bytes in candidates {
      for place in bytes.indices.dropFirst(2) where isStart(of: bytes, at: place) {
        var set = AVCSequence(bytes[(place + 1)...].prefix(256))
        return set.allowsGaps() ?? true
      }
    }
    return true
  }

  /// A set's first byte, behind a start code or a length of two or four bytes, before a profile that has a name.
  private static func isStart(of bytes: [UInt8], at place: Int) -> Bool {
    let profiles: [UInt8] = [66, 77, 88, 100, 110, 122, 244, 44, 118, 128]
    guard bytes[place] & 0x9f == 7, place + 4 < bytes.count,
      profiles.contains(bytes[place + 1])
    else { return false }
    let isCoded = bytes[place - 1] == 1 && bytes[place - 2] == 0
    let length = Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
    return isCoded || length >= 4 && length <= bytes.count - place
  }

  private init(_ payload: ArraySlice<UInt8>) {
    var zeros = 0
    for byte in payload {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      for shift in (0..<8).reversed() { bits.append(byte >> shift & 1 == 1) }
    }
  }

  private mutating func allowsGaps() -> Bool? {
    guard let profile = number(8) else { return nil }
    place += 16
    _ = unsigned()
    if ![66, 77, 88].contains(profile) { skipHighProfile() }
    _ = unsigned()
    switch unsigned() {
    case 0: _ = unsigned()
    case 1:
      place += 1
      _ = (unsigned(), unsigned())
      for _ in 0..<min(unsigned() ?? 0, 255) { _ = unsigned() }
    default: break
    }
    _ = unsigned()
    return number(1).map { $0 == 1 }
  }

  private mutating func skipHighProfile() {
    let chroma = unsigned()
    if chroma == 3 { place += 1 }
    _ = (unsigned(), unsigned())
    place += 1
    guard number(1) == 1 else { return }
    for list in 0..<(chroma == 3 ? 12 : 8) where number(1) == 1 { skipList(list < 6 ? 16 : 64) }
  }

  private mutating func skipList(_ count: Int) {
    var (last, next) = (8, 8)
    for _ in 0..<count {
      if next != 0 {
        let code = unsigned() ?? 0
        let delta = code & 1 == 1 ? code / 2 + 1 : -(code / 2)
        next = (last + delta) & 255
      }
      if next != 0 { last = next }
    }
  }

  private mutating func number(_ count: Int) -> Int? {
    guard place + count <= bits.count else { return nil }
    defer { place += count }
    return bits[place..<place + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  private mutating func unsigned() -> Int? {
    var zeros = 0
    while place < bits.count, !bits[place], zeros < 32 {
      zeros += 1
      place += 1
    }
    return number(zeros + 1).map { $0 - 1 }
  }
}
