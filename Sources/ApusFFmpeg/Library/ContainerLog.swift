// SPDX-License-Identifier: MIT

internal import CApusFFmpeg
internal import Synchronization

/// The messages about damage that libavformat logs while reading one container, without returning an error.
final class ContainerLog: Sendable {
  private struct State: Sendable {
    var lines: [String] = []
    /// The number of lines that were not kept.
    var more = 0
    /// The numbers of `lines`, and of further lines, before packets were requested.
    var opening: (lines: Int, more: Int)?
  }

  private let state = Mutex(State())

  private static let mostLines = 8
  /// Texts in lines below the level of an error that indicate damage.
  private static let damage = [
    "considered as invalid data", "ended prematurely", "size mismatch", "truncated",
    "Invalid stream ",
    "invalid track", "CRC",
  ]
  /// Texts in errors about features that libavformat lacks, which a healthy file may use.
  private static let inability = ["nsupported", "not implemented", "not supported"]

  /// - Parameter isError: whether libavformat logged it as an error.
  func note(_ line: String, isError: Bool) {
    let isDamage =
      isError
      ? !Self.inability.contains { Self.holds($0, in: line) }
      : Self.damage.contains { Self.holds($0, in: line) }
    guard isDamage else { return }
    state.withLock { state in
      guard !state.lines.contains(line) else { return }
      let start = state.opening?.lines ?? 0
      if state.lines.count - start < Self.mostLines {
        state.lines.append(line)
      } else {
        state.more += 1
      }
    }
  }

  private static func holds(_ words: String, in line: String) -> Bool {
    let words = words.utf8
    return line.utf8.indices.contains { line.utf8[$0...].starts(with: words) }
  }

  /// Assigns all further lines to packets.
  func endOpening() {
    state.withLock { $0.opening = $0.opening ?? ($0.lines.count, $0.more) }
  }

  /// Returns the lines before, or after `endOpening`.
  func words(ofOpening isOpening: Bool) -> [String] {
    state.withLock { state in
      let (lines, more) = state.opening ?? (state.lines.count, state.more)
      var words = Array(isOpening ? state.lines.prefix(lines) : state.lines.dropFirst(lines))
      let rest = isOpening ? more : state.more - more
      if rest > 0 { words.append("and \(rest) more such messages") }
      return words
    }
  }
}
