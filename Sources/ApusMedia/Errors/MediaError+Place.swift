// SPDX-License-Identifier: MIT

extension MediaError {
  /// The location of an error.
  public enum Place: Hashable, Sendable, Codable {
    /// A byte of the input, if known, in the structure with this path.
    case byte(Int?, in: String = "")
    /// A time of the presentation, in the track with this name.
    case time(RationalTime, in: String = "")
    /// An item by name, such as `tile 5 (item 12)`, with the range of its data in the input.
    case item(String, bytes: Range<Int>? = nil)
  }

  /// The path of the structure; empty if there is none.
  public var path: String {
    if case .byte(_, let path) = place { path } else { "" }
  }

  /// The offset in the input, if known.
  public var offset: Int? {
    switch place {
    case .byte(let offset, _): offset
    case .item(_, let bytes): bytes?.lowerBound
    case .time, nil: nil
    }
  }

  /// The time of the presentation, if there is one.
  public var time: RationalTime? {
    if case .time(let time, _) = place { time } else { nil }
  }
}

extension MediaError.Place: CustomStringConvertible {
  /// A text such as `meta/iprp at byte 33`, `video 1 at 12.345 s` or `tile 5 (item 12), bytes 40 to 90`.
  public var description: String {
    switch self {
    case .byte(let offset, let path): Self.joined(path, offset.map { "at byte \($0)" })
    case .time(let time, let track): Self.joined(track, Self.text(time))
    case .item(let name, let bytes):
      name + (bytes.map { ", bytes \($0.lowerBound) to \($0.upperBound)" } ?? "")
    }
  }

  private static func joined(_ name: String, _ place: String?) -> String {
    [name, place ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func text(_ time: RationalTime) -> String? {
    guard let milliseconds = time.rounded(to: 1000) else { return nil }
    let parts = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(parts.remainder + 1000).dropFirst()
    return "at \(milliseconds < 0 ? "-" : "")\(parts.quotient).\(fraction) s"
  }
}
