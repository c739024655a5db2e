// SPDX-License-Identifier: MIT

internal import Files

/// The parts of one stream that are finished, the oldest first, as far as this run has written them.
struct FinishedParts {
  private struct Part {
    var path: String
    var bytes: Int
    var time: Int64
    /// Which file it was when it was finished: whatever has its name later belongs to another program.
    var identity: FileIdentity?
  }

  private var parts: [Part] = []

  mutating func add(_ path: String, bytes: Int, at now: Int64) {
    parts.append(Part(path: path, bytes: bytes, time: now, identity: FileIdentity(path)))
  }

  /// Removes those that are not to stay any longer.
  ///
  /// - Returns: the path of each, and why it could not be removed.
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
    if let most = limits.keptTime, now - oldest.time > most { return true }
    return false
  }
}
