// SPDX-License-Identifier: MIT

internal import Bytes

/// `AudioSpecificConfig()` with `GASpecificConfig()`, where nothing says how long it is: ISO/IEC 14496-3, 1.6.2.1
/// and 4.4.1.
struct LATMConfiguration: SyntaxStructure {
  private var objectType: UInt8 = 2
  private var frequencyIndex: UInt8 = 4
  private var frequency: UInt32 = 0
  private var channels: UInt8 = 2
  private var extensionIndex: UInt8 = 0
  private var extensionFrequency: UInt32 = 0
  private var coreType: UInt8 = 2
  private var isShort = false
  private var dependsOnCore = false
  private var coreDelay: UInt16 = 0
  private var hasExtension = false
  private var padding: UInt8 = 0

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "audioObjectType", &objectType)
    try v.u(4, "samplingFrequencyIndex", &frequencyIndex)
    if frequencyIndex == 15 { try v.u(24, "samplingFrequency", &frequency) }
    try v.u(4, "channelConfiguration", &channels)
    coreType = objectType
    if objectType == 5 || objectType == 29 {
      try v.u(4, "extensionSamplingFrequencyIndex", &extensionIndex)
      if extensionIndex == 15 { try v.u(24, "extensionSamplingFrequency", &extensionFrequency) }
      try v.u(5, "audioObjectType", &coreType)
    }
    guard (1...4).contains(coreType) else {
      throw LATMReader.refusal("holds audio object type \(coreType)")
    }
    try v.flag("frameLengthFlag", &isShort)
    try v.flag("dependsOnCoreCoder", &dependsOnCore)
    if dependsOnCore { try v.u(14, "coreCoderDelay", &coreDelay) }
    try v.flag("extensionFlag", &hasExtension)
    guard channels > 0 else {
      throw LATMReader.refusal("says its channels in a program_config_element")
    }
  }

  func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    let bits = writer.bitsUntilAligned
    if bits > 0 { try writer.u(bits, "padding", &copy.padding) }
    return writer.sink.bytes
  }
}
