// SPDX-License-Identifier: MIT

internal import ApusFiles

/// The finished parts of one stream that this run has written, the oldest first.
struct FinishedParts {
  private struct Part {
    var path: String
    var bytes: Int
    var time: Int64
    /// The identity of the file when it was finished: a later file with its name belongs to another program.
    var identity: FileIdentity?
  }

  private var parts: [Part] = []

  mutating func add(_ path: String, bytes: Int, at now: Int64) {
    parts.append(Part(path: path, bytes: bytes, time: now, identity: FileIdentity(path)))
  }

  /// Removes the parts that exceed the limits.
  ///
  /// - Returns: the path of each, and the error if it could not be removed.
  mutating func prune(_ limits: RecordingParts, at now: Int64) -> [(
    path: String, error: FileError?
  )] {
    var removed: [(String, FileError?)] = []
    while let oldest = parts.first, isSurplus(oldest, limits, now) {
      parts.removeFirst()
      guard let was = oldest.identity, FileIdentity(oldest.path)?.isUnchanged(since: was) == true
      else { continue }
      do throws(FileError) {
        try FileSystem.remove(oldest.path)
        removed.append((oldest.path, nil))
      } catch {
        removed.append((oldest.path, error))
      }
    }
    return removed
  }

  private func isSurplus(_ oldest: Part, _ limits: RecordingParts, _ now: Int64) -> Bool {
    if let most = limits.keptParts, parts.count > most { return true }
    if let most = limits.keptBytes, parts.reduce(0, { $0 + $1.bytes }) > most { return true }
    if let most = limits.keptTime, .nanoseconds(now - oldest.time) > most { return true }
    return false
  }
}
