// SPDX-License-Identifier: MIT

import Live

/// Recordings in parts, and how long those stay.
struct PartOptions: ArgumentGroup {
  static let heading = "Parts"

  var duration: MediaTime?
  var size: UInt?
  var keep: UInt?
  var keepSize: UInt?
  var keepTime: MediaTime?
  var onPart: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "segment-time", "TIME", &duration, "begin another file after so much of the stream")
    try v.option("segment-size", "MIB", &size, "begin another file after so many mebibytes")
    try v.option("keep", "N", &keep, "how many finished parts of a stream stay")
    try v.option(
      "keep-size", "MIB", &keepSize, "how many mebibytes the finished parts of a stream have")
    try v.option("keep-time", "TIME", &keepTime, "how long a finished part stays")
    try v.option(
      "on-part", "PROGRAM", &onPart, completion: .files,
      "what is run with each file that is finished")
  }

  func checked() throws(UsageError) -> RecordingParts {
    var parts = RecordingParts()
    if let duration {
      guard duration.milliseconds >= 1000 else {
        throw UsageError("--segment-time is a second or more")
      }
      parts.duration = duration.milliseconds
    }
    parts.bytes = try Self.bytes(size, "--segment-size")
    parts.keptBytes = try Self.bytes(keepSize, "--keep-size")
    if let keep {
      guard (1...1 << 30).contains(keep) else { throw UsageError("--keep is 1 or more") }
      parts.keptParts = Int(keep)
    }
    parts.keptTime = keepTime.map { $0.milliseconds * 1_000_000 }
    guard parts.areWanted || (keep == nil && keepSize == nil && keepTime == nil) else {
      throw UsageError(
        "--keep, --keep-size and --keep-time go with --segment-time or --segment-size")
    }
    return parts
  }

  private static func bytes(_ mebibytes: UInt?, _ option: String) throws(UsageError) -> Int? {
    guard let mebibytes else { return nil }
    guard (1...1 << 30).contains(mebibytes) else { throw UsageError("\(option) is 1 or more") }
    return Int(mebibytes) << 20
  }
}
