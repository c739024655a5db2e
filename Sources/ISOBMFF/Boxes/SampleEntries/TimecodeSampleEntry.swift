// SPDX-License-Identifier: MIT

public import ApusBytes

/// Timecode sample description (`tmcd`): QuickTime File Format, Timecode Media.
public struct TimecodeSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["tmcd"]
  public var start = SampleEntryStart()
  public var reserved1: UInt32 = 0
  /// The flags: 1 drop frame, 2 wraps after 24 hours, 4 negative times, 8 counter.
  public var timecodeFlags: UInt32 = 0
  public var timeScale: UInt32 = 0
  public var frameDuration: UInt32 = 0
  public var numberOfFrames: UInt8 = 0
  public var reserved2: UInt8 = 0
  /// Up to seven bytes that are not a box: ffmpeg ends the entry with an empty source name.
  public var padding: [UInt8] = []
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.u(32, "reserved", &reserved1)
    try v.u(32, "flags", &timecodeFlags, as: .hex)
    try v.u(32, "timescale", &timeScale)
    try v.u(32, "frame_duration", &frameDuration)
    try v.u(8, "number_of_frames", &numberOfFrames)
    try v.u(8, "reserved", &reserved2)
    let isPadded = v.isReading ? v.remaining < 8 : !padding.isEmpty
    if isPadded { try v.bytes("padding", &padding, count: v.isReading ? nil : padding.count) }
    try v.framed(&boxes, count: nil)
  }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    type == "name" ? .box(TimecodeSourceName.self) : .registered
  }
}

/// The tape that a timecode came from (`name` in `tmcd`): QuickTime File Format, Timecode Media.
public struct TimecodeSourceName: Box {
  public static let types: [FourCC] = ["name"]
  public var language: UInt16 = 0
  public var name: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let length = try v.count(16, "text_size", name.count)
    try v.u(16, "language", &language, as: .language)
    try v.bytes("text", &name, count: length, .text)
  }
}
