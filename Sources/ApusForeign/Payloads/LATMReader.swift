// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// AAC in a multiplex with a sync word before each frame (`AudioSyncStream()`, LOAS): ISO/IEC 14496-3, 1.7.2 and 1.7.3.
/// One program with one layer is supported, as used in broadcasts.
struct LATMReader: Sendable {
  private var configuration: [UInt8]?
  private var subFrames = 1

  /// Returns the frames of a packet; none if it has no sync word or comes before the first configuration.
  mutating func frames(in bytes: [UInt8]) throws(SyntaxError) -> [(
    configuration: [UInt8], data: [UInt8]
  )] {
    var frames: [(configuration: [UInt8], data: [UInt8])] = []
    var position = 0
    while bytes.count - position > 3, bytes[position] == 0x56, bytes[position + 1] & 0xe0 == 0xe0 {
      let size = Int(bigEndianBytes: bytes[position + 1..<position + 3]) & 0x1fff
      let end = position + 3 + size
      guard end <= bytes.count else { break }
      var reader = SyntaxReader(MemorySource(Array(bytes[position + 3..<end])))
      for data in try element(&reader) {
        if let configuration { frames.append((configuration, data)) }
      }
      position = end
    }
    return frames
  }

  /// Reads `AudioMuxElement(1)`.
  private mutating func element(_ v: inout SyntaxReader) throws(SyntaxError) -> [[UInt8]] {
    var isSame = false
    try v.flag("useSameStreamMux", &isSame)
    if !isSame { try readConfiguration(&v) }
    guard configuration != nil else { return [] }
    var result: [[UInt8]] = []
    for _ in 0..<subFrames {
      var length = 0
      var byte: UInt8 = 255
      while byte == 255 {
        try v.u(8, "MuxSlotLengthBytes", &byte)
        length += Int(byte)
      }
      guard length <= v.remaining else {
        throw v.failure(.truncated, "PayloadMux", "needs \(length) bytes, has \(v.remaining)")
      }
      var data: [UInt8] = []
      data.reserveCapacity(length)
      for _ in 0..<length {
        try v.u(8, "payload", &byte)
        data.append(byte)
      }
      result.append(data)
    }
    return result
  }

  /// Reads `StreamMuxConfig()`.
  private mutating func readConfiguration(_ v: inout SyntaxReader) throws(SyntaxError) {
    var version: UInt8 = 0
    var subVersion: UInt8 = 0
    var number: UInt8 = 0
    try v.u(1, "audioMuxVersion", &version)
    if version == 1 { try v.u(1, "audioMuxVersionA", &subVersion) }
    guard subVersion == 0 else { throw Self.refusal("has a form (audioMuxVersionA 1)") }
    if version == 1 { _ = try Self.value(&v) }
    try v.u(1, "allStreamsSameTimeFraming", &number)
    try v.u(6, "numSubFrames", &number)
    subFrames = Int(number) + 1
    try v.u(4, "numProgram", &number)
    guard number == 0 else { throw Self.refusal("has \(Int(number) + 1) programs") }
    try v.u(3, "numLayer", &number)
    guard number == 0 else { throw Self.refusal("has \(Int(number) + 1) layers") }
    if version == 1 {
      configuration = try Self.bits(&v, count: try Self.value(&v))
    } else {
      var config = AudioSpecificConfig()
      try config.head(&v)
      guard (1...4).contains(config.core) else {
        throw Self.refusal("holds audio object type \(config.core)")
      }
      guard config.channelConfiguration > 0 else {
        throw Self.refusal("says its channels in a program_config_element")
      }
      configuration = try config.bytes()
    }
    try v.u(3, "frameLengthType", &number)
    guard number == 0 else { throw Self.refusal("has frames of a fixed length") }
    try v.u(8, "latmBufferFullness", &number)
    var isPresent = false
    try v.flag("otherDataPresent", &isPresent)
    if isPresent { try skipOtherData(&v, version) }
    try v.flag("crcCheckPresent", &isPresent)
    if isPresent { try v.u(8, "crcCheckSum", &number) }
  }

  private func skipOtherData(_ v: inout SyntaxReader, _ version: UInt8) throws(SyntaxError) {
    if version == 1 {
      _ = try Self.value(&v)
      return
    }
    var goesOn = true
    var number: UInt8 = 0
    while goesOn {
      try v.flag("otherDataLenEsc", &goesOn)
      try v.u(8, "otherDataLenTmp", &number)
    }
  }

  /// Reads `LatmGetValue()`.
  private static func value(_ v: inout SyntaxReader) throws(SyntaxError) -> Int {
    var count: UInt8 = 0
    try v.u(2, "bytesForValue", &count)
    var value: UInt32 = 0
    try v.u((Int(count) + 1) * 8, "value", &value)
    return Int(value)
  }

  /// Reads this many bits as bytes, padded with zeros.
  private static func bits(_ v: inout SyntaxReader, count: Int) throws(SyntaxError) -> [UInt8] {
    guard count > 0, count <= v.remaining * 8 else {
      throw v.failure(.invalid, "ascLen", "is \(count), there are \(v.remaining) bytes left")
    }
    var result: [UInt8] = []
    var left = count
    while left > 0 {
      var byte: UInt8 = 0
      let taken = min(left, 8)
      try v.u(taken, "AudioSpecificConfig", &byte)
      result.append(byte << UInt8(8 - taken))
      left -= taken
    }
    return result
  }

  static func refusal(_ detail: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "LATM", detail: detail + ", which is not supported")
  }
}
