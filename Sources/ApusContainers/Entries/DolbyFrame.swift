// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

/// The parameters at the beginning of AC-3 and E-AC-3, in a frame or in the box for it: ETSI TS 102 366, 5.3.1, E.1.2,
/// F.4 and F.6.
struct DolbyFrame: Sendable {
  private(set) var sampleRate: Int
  private(set) var channels: Int
  /// The box `dac3` or `dec3`.
  private(set) var configuration: Node

  /// Reads the bytes in the box.
  init(box bytes: [UInt8], as code: FourCC, _ track: CodedTrack) throws {
    if code == "ac-3" {
      let box = try VideoEntry.read(AC3Specific.self, bytes, track)
      self.init(box)
      return
    }
    let box = try VideoEntry.read(EC3Specific.self, bytes, track)
    guard let first = box.substreams.first else {
      throw VideoEntry.failure(track, "has a configuration without a substream")
    }
    self.init(
      sampleRate: Self.rate(first.fscod), channels: box.channels,
      configuration: Node("dec3", box))
  }

  /// Reads the first frame.
  static func read(_ frame: [UInt8], as code: FourCC) throws(SyntaxError) -> DolbyFrame {
    var reader = SyntaxReader(MemorySource(frame))
    if code == "ac-3" {
      var information = AC3Header()
      try information.syntax(&reader)
      guard information.syncword == 0x0b77, information.bsid <= 10, information.fscod < 3 else {
        throw reader.failure(.invalid, "syncinfo", "of the first AC-3 frame is invalid")
      }
      return DolbyFrame(information.box)
    }
    let read = try EnhancedDolbyFrames(frame)
    return DolbyFrame(
      sampleRate: read.sampleRate, channels: read.configuration.channels,
      configuration: Node("dec3", read.configuration))
  }

  private init(sampleRate: Int, channels: Int, configuration: Node) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.configuration = configuration
  }

  private init(_ box: AC3Specific) {
    self.init(
      sampleRate: Self.rate(box.fscod), channels: box.channels,
      configuration: Node("dac3", box))
  }

  private static func rate(_ fscod: UInt8) -> Int {
    [48000, 44100, 32000, 48000][Int(fscod & 3)]
  }
}

/// `syncinfo()` and the beginning of `bsi()` of AC-3.
private struct AC3Header: SyntaxStructure {
  var syncword: UInt16 = 0
  var crc1: UInt16 = 0
  var fscod: UInt8 = 0
  var frmsizecod: UInt8 = 0
  var bsid: UInt8 = 0
  var bsmod: UInt8 = 0
  var acmod: UInt8 = 0
  var levels: UInt8 = 0
  var lfeon = false

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "syncword", &syncword, as: .hex)
    try v.u(16, "crc1", &crc1, as: .hex)
    try v.u(2, "fscod", &fscod)
    try v.u(6, "frmsizecod", &frmsizecod)
    try v.u(5, "bsid", &bsid)
    try v.u(3, "bsmod", &bsmod)
    try v.u(3, "acmod", &acmod)
    if [3, 5, 7].contains(acmod) { try v.u(2, "cmixlev", &levels) }
    if acmod >= 4 { try v.u(2, "surmixlev", &levels) }
    if acmod == 2 { try v.u(2, "dsurmod", &levels) }
    try v.flag("lfeon", &lfeon)
  }

  var box: AC3Specific {
    var box = AC3Specific()
    box.fscod = fscod
    box.bsid = bsid
    box.bsmod = bsmod
    box.acmod = acmod
    box.lfeon = lfeon
    box.bitRateCode = frmsizecod / 2
    return box
  }
}
