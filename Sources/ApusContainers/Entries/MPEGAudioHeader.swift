// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The header of a frame of MPEG audio: ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3.
struct MPEGAudioHeader: SyntaxStructure {
  private var syncword: UInt16 = 0x7ff
  private var version: UInt8 = 3
  private var layer: UInt8 = 1
  private var protectionBit = true
  private var bitrateIndex: UInt8 = 0
  private var samplingFrequency: UInt8 = 0
  private var paddingBit = false
  private var privateBit = false
  private var mode: UInt8 = 0
  private var rest: UInt8 = 0

  init() {}

  init(_ bytes: [UInt8]) throws(SyntaxError) {
    var reader = SyntaxReader(MemorySource(bytes))
    try syntax(&reader)
    guard syncword == 0x7ff, version != 1, samplingFrequency < 3 else {
      throw reader.failure(.invalid, "header", "of the first frame of MPEG audio is invalid")
    }
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(11, "syncword", &syncword, as: .hex)
    try v.u(2, "version", &version)
    try v.u(2, "layer", &layer)
    try v.flag("protection_bit", &protectionBit)
    try v.u(4, "bitrate_index", &bitrateIndex)
    try v.u(2, "sampling_frequency", &samplingFrequency)
    try v.flag("padding_bit", &paddingBit)
    try v.flag("private_bit", &privateBit)
    try v.u(2, "mode", &mode)
    try v.u(6, "mode_extension", &rest)
  }

  var isMPEG1: Bool { version == 3 }
  var isLayer2: Bool { layer == 2 }
  var channels: Int { mode == 3 ? 1 : 2 }

  var sampleRate: Int {
    let rate = samplingFrequency == 0 ? 44100 : samplingFrequency == 1 ? 48000 : 32000
    return version == 3 ? rate : version == 2 ? rate / 2 : rate / 4
  }
}
