// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import Glibc

/// The pattern for the names of recordings: a path in which `{key}`, `{date}`, `{time}` and `{n}` are replaced by the
/// name of the stream, the date and the time of day at which the file begins, and its number.
public struct RecordingName: Hashable, Sendable {
  /// The pattern, with its placeholders.
  public var path: String

  /// Creates a pattern from a path, which may have no placeholders.
  public init(_ path: String) { self.path = path }

  /// Whether it includes the name of the stream, so that one pattern is enough for many.
  public var namesStream: Bool { path.holds("{key}") }
  /// Whether it includes a number, so that all files of a stream have different names.
  public var counts: Bool { path.holds("{n}") }

  /// Whether it names many files, whose folders are created.
  public var isTemplate: Bool {
    ["{key}", "{date}", "{time}", "{n}"].contains { path.holds($0) }
  }

  /// The same pattern with a number before its extension, if it has none yet.
  var counting: RecordingName {
    guard !counts else { return self }
    let stem = path.withoutExtension
    return RecordingName("\(stem)-{n}\(path[stem.endIndex...])")
  }

  /// Returns the path of a file that begins now, by the clock of this machine.
  ///
  /// - Parameter stream: a name without slashes.
  func path(of stream: String, number: Int) -> String {
    var now = Glibc.time(nil)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&now, &parts)
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return path.with(stream, for: "{key}")
      .with(date.map { Self.padded($0, 2) }.joined(separator: "-"), for: "{date}")
      .with(time.map { Self.padded($0, 2) }.joined(separator: "-"), for: "{time}")
      .with(Self.padded(number, 5), for: "{n}")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
