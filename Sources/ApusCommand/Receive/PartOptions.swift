// SPDX-License-Identifier: MIT

import ApusLive

/// Options for recordings in parts, and how many are kept.
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
      "segment-time", "TIME", &duration, "start a new file after this time")
    try v.option("segment-size", "MIB", &size, "start a new file after this many MiB")
    try v.option("keep", "N", &keep, "keep at most N finished parts per stream")
    try v.option(
      "keep-size", "MIB", &keepSize, "keep at most this many MiB of finished parts per stream")
    try v.option("keep-time", "TIME", &keepTime, "keep finished parts this long")
    try v.option(
      "on-part", "PROGRAM", &onPart, completion: .files,
      "run this program with each finished file")
  }

  func checked() throws(UsageError) -> RecordingParts {
    var parts = RecordingParts()
    if let duration {
      guard duration.milliseconds >= 1000 else {
        throw UsageError("--segment-time must be 1 s or more")
      }
      parts.duration = .milliseconds(duration.milliseconds)
    }
    parts.bytes = try Self.bytes(size, "--segment-size")
    parts.keptBytes = try Self.bytes(keepSize, "--keep-size")
    if let keep {
      guard (1...1 << 30).contains(keep) else { throw UsageError("--keep must be 1 or more") }
      parts.keptParts = Int(keep)
    }
    parts.keptTime = keepTime.map { .milliseconds($0.milliseconds) }
    guard parts.areWanted || (keep == nil && keepSize == nil && keepTime == nil) else {
      throw UsageError(
        "--keep, --keep-size and --keep-time need --segment-time or --segment-size")
    }
    return parts
  }

  private static func bytes(_ mebibytes: UInt?, _ option: String) throws(UsageError) -> Int? {
    guard let mebibytes else { return nil }
    guard (1...1 << 30).contains(mebibytes) else { throw UsageError("\(option) must be 1 or more") }
    return Int(mebibytes) << 20
  }
}
