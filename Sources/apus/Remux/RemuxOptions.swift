// SPDX-License-Identifier: MIT

import FLV
import HEVC
import Media
import Video

/// What a verb that passes coded media on is told of its input and output.
struct RemuxOptions: ArgumentGroup {
  static let heading = "Media"

  var target: RemuxTarget?
  var dialect: HEVCDialect?
  var frameRate: FrameRate?
  var start: MediaTime?
  var hasNoIndex = false
  var recovers = false
  var mayLeave = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "format", "NAME", &target, "what to write; without it the ending of OUT says it")
    try v.option(
      "dialect", "NAME", &dialect, "the form of HEVC in FLV; enhanced where nothing is said")
    try v.option(
      "fps", "RATE", &frameRate,
      "frames a second of a bare stream, such as 25 or 30000/1001, whatever it says itself")
    try v.option(
      "start", "TIME", &start, "begin at the last key frame up to this time: seconds or H:MM:SS")
    try v.flag("no-index", &hasNoIndex, "write no index of key frames into FLV")
    try v.flag(
      "recover", &recovers,
      "take what is whole of a damaged or unfinished file, and say what is lost")
    try v.flag("outside", &mayLeave, "let a playlist name files outside its folder")
  }

  /// What is written to a path, which may be a folder.
  func target(for path: String?, isFolder: Bool) throws(UsageError) -> RemuxTarget {
    if let target { return target }
    guard let path else { throw UsageError("where to write is missing: -o OUT") }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? ""
    if !isFolder, let target = RemuxTarget(pathExtension: ending) { return target }
    throw UsageError(
      "\(path) does not say what to write: --format \(RemuxTarget.choices.joined(separator: "|"))")
  }
}

extension RemuxTarget: ArgumentValue {}

/// A time on the command line: seconds with a fraction, or hours, minutes and seconds.
struct MediaTime: ArgumentValue {
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last,
      let seconds = Double(last), seconds.isFinite, seconds >= 0, seconds < 1e9
    else { return nil }
    var whole: Int64 = 0
    for part in parts.dropLast() {
      guard let number = Int64(part), (0...100_000).contains(number) else { return nil }
      whole = whole * 60 + number
    }
    guard parts.count == 1 || seconds < 60 else { return nil }
    milliseconds = whole * 60_000 + Int64((seconds * 1000).rounded())
  }

  static var expected: String { "a time such as 12.5 or 1:02:03" }
  var argument: String { "\(Double(milliseconds) / 1000)" }
}

extension FrameRate: ArgumentValue {
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let first = UInt32(parts[0]), let second = UInt32(parts[1]) else { return nil }
      self.init(UInt64(first), UInt64(second))
      return
    }
    let digits = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(digits.count), let whole = UInt64(digits[0]), whole <= 100_000 else {
      return nil
    }
    guard digits.count == 2 else {
      self.init(whole, 1)
      return
    }
    guard (1...4).contains(digits[1].count), let part = UInt64(digits[1]) else { return nil }
    let scale = (0..<digits[1].count).reduce(UInt64(1)) { power, _ in power * 10 }
    self.init(whole * scale + part, scale)
  }

  static var expected: String { "a frame rate such as 25, 29.97 or 30000/1001" }
  var argument: String { description }
}
