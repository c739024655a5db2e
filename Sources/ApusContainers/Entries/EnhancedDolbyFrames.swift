// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The frames of E-AC-3 in one packet: an independent substream, and those that depend on it (ETSI TS 102 366, E.1.2).
struct EnhancedDolbyFrames: Sendable {
  private(set) var sampleRate: Int
  private(set) var configuration: EC3Specific

  init(_ packet: [UInt8]) throws(SyntaxError) {
    var substream = EC3Specific.Substream()
    var box = EC3Specific()
    var (rate, blocks, place) = (0, 6, 0)
    while place < packet.count {
      var reader = SyntaxReader(MemorySource(Array(packet[place...])))
      var frame = EnhancedDolbyFrame()
      try frame.syntax(&reader)
      guard frame.syncword == 0x0b77, (11...16).contains(frame.bsid), frame.fscod < 3 else {
        throw reader.failure(.invalid, "bsi", "of an E-AC-3 frame is invalid, or has half a rate")
      }
      let isFirst = place == 0
      guard frame.strmtyp == (isFirst ? 0 : 1) else {
        throw reader.failure(
          .unsupported, "E-AC-3",
          "of several programs needs a configuration (dec3), which is missing")
      }
      if isFirst {
        substream.fscod = frame.fscod
        substream.bsid = frame.bsid
        substream.bsmod = frame.bsmod
        substream.acmod = frame.acmod
        substream.lfeon = frame.lfeon
        (rate, blocks) = ([48000, 44100, 32000][Int(frame.fscod)], frame.blocks)
      } else {
        substream.numDependentSubstreams += 1
        substream.channelLocations |= Self.locations(frame.channelMap)
      }
      if let index = frame.complexityIndex {
        var objects = EC3Specific.ObjectExtension()
        (objects.isPresent, objects.complexityIndex) = (true, index)
        box.objectExtension = objects
      }
      place += frame.size
    }
    guard place == packet.count, rate > 0 else {
      throw SyntaxError(
        .truncated, field: "E-AC-3", offset: packet.count, detail: "ends inside a frame")
    }
    box.substreams = [substream]
    box.dataRate = UInt16(clamping: packet.count * 8 * rate / (blocks * 256 * 1000))
    (sampleRate, configuration) = (rate, box)
  }

  /// Returns the locations of the box, Lc and Rc lowest, for those of a frame, left highest (E.1.3.1.8 and F.6.2.13).
  private static func locations(_ map: UInt16) -> UInt16 {
    let places = [5, 6, 7, 8, 9, 10, 11, 12, 14]
    return places.enumerated().reduce(0) { sum, place in
      sum | (map >> UInt16(15 - place.element) & 1) << UInt16(place.offset)
    }
  }
}

/// `bsi()` of E-AC-3, with what it says of objects (ETSI TS 103 420, 8.3).
private struct EnhancedDolbyFrame: SyntaxStructure {
  var syncword: UInt16 = 0
  var strmtyp: UInt8 = 0
  private var substreamid: UInt8 = 0
  private var frmsiz: UInt16 = 0
  var fscod: UInt8 = 0
  private var numblkscod: UInt8 = 3
  var acmod: UInt8 = 0
  var lfeon = false
  var bsid: UInt8 = 0
  var bsmod: UInt8 = 0
  /// The places of loudspeakers for a dependent substream; 0 if it does not name them.
  var channelMap: UInt16 = 0
  private var additional: [UInt8] = []

  init() {}

  var size: Int { (Int(frmsiz) + 1) * 2 }
  var blocks: Int { [1, 2, 3, 6][Int(numblkscod)] }
  /// The effort of decoding the objects; `nil` for sound without objects.
  var complexityIndex: UInt8? {
    additional.count >= 2 && additional[0] & 1 == 1 ? additional[1] : nil
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "syncword", &syncword, as: .hex)
    try v.u(2, "strmtyp", &strmtyp)
    try v.u(3, "substreamid", &substreamid)
    try v.u(11, "frmsiz", &frmsiz)
    try v.u(2, "fscod", &fscod)
    try v.u(2, "numblkscod", &numblkscod)
    try v.u(3, "acmod", &acmod)
    try v.flag("lfeon", &lfeon)
    try v.u(5, "bsid", &bsid)
    // Two separate channels have numbers each.
    for _ in 0..<(acmod == 0 ? 2 : 1) {
      try v.skip(5, "dialnorm")
      if try v.isSet("compr present") { try v.skip(8, "compr") }
    }
    if strmtyp == 1, try v.isSet("chanmape") { try v.u(16, "chanmap", &channelMap, as: .hex) }
    if try v.isSet("mixmdate") { try mixing(&v) }
    if try v.isSet("infomdate") { try information(&v) }
    if strmtyp == 0, numblkscod != 3 { try v.skip(1, "convsync") }
    if try v.isSet("addbsie") {
      var length: UInt8 = 0
      try v.u(6, "addbsil", &length)
      for _ in 0...length {
        var byte: UInt8 = 0
        try v.u(8, "addbsi", &byte, as: .hex)
        additional.append(byte)
      }
    }
  }

  /// The parameters for mixing several programs: E.1.3.1.10 to E.1.3.1.33.
  private func mixing<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if acmod > 2 { try v.skip(2, "dmixmod") }
    if acmod > 2, acmod & 1 == 1 { try v.skip(6, "centre levels") }
    if acmod & 4 == 4 { try v.skip(6, "surround levels") }
    if lfeon, try v.isSet("lfemixlevcode") { try v.skip(5, "lfemixlevcod") }
    guard strmtyp == 0 else { return }
    for _ in 0..<(acmod == 0 ? 2 : 1) {
      if try v.isSet("pgmscle") { try v.skip(6, "pgmscl") }
    }
    if try v.isSet("extpgmscle") { try v.skip(6, "extpgmscl") }
    var definition: UInt8 = 0
    try v.u(2, "mixdef", &definition)
    switch definition {
    case 1: try v.skip(5, "mixdata")
    case 2: try v.skip(12, "mixdata")
    case 3:
      var length: UInt8 = 0
      try v.u(5, "mixdeflen", &length)
      for _ in 0..<Int(length) + 2 { try v.skip(8, "mixdata") }
    default: break
    }
    if acmod < 2 {
      for _ in 0..<(acmod == 0 ? 2 : 1) {
        if try v.isSet("paninfoe") { try v.skip(14, "paninfo") }
      }
    }
    guard try v.isSet("frmmixcfginfoe") else { return }
    for _ in 0..<blocks {
      // A frame of one block has no flag.
      let isNamed = numblkscod == 0
      if try isNamed ? true : v.isSet("blkmixcfginfoe") { try v.skip(5, "blkmixcfginfo") }
    }
  }

  /// The facts about a program: E.1.3.1.34 to E.1.3.1.48.
  private mutating func information<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "bsmod", &bsmod)
    try v.skip(2, "copyrightb, origbs")
    if acmod == 2 { try v.skip(4, "dsurmod, dheadphonmod") }
    if acmod >= 6 { try v.skip(2, "dsurexmod") }
    for _ in 0..<(acmod == 0 ? 2 : 1) {
      if try v.isSet("audprodie") { try v.skip(8, "mixlevel, roomtyp, adconvtyp") }
    }
    if fscod < 3 { try v.skip(1, "sourcefscod") }
  }
}

extension SyntaxVisitor {
  /// Reads a flag that states whether something follows.
  fileprivate mutating func isSet(_ name: StaticString) throws(SyntaxError) -> Bool {
    var flag = false
    try self.flag(name, &flag)
    return flag
  }

  /// Passes over bits that have no meaning here.
  fileprivate mutating func skip(_ count: Int, _ name: StaticString) throws(SyntaxError) {
    var bits: UInt16 = 0
    try u(count, name, &bits)
  }
}
