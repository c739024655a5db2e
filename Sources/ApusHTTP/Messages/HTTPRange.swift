// SPDX-License-Identifier: MIT

/// The range of a body that a request asks for: RFC 9110, 14.
public enum HTTPRange: Hashable, Sendable {
  /// The whole body, also if several ranges are requested, or something other than a range of bytes.
  case all
  case stretch(Range<Int>)
  /// The range is outside the body.
  case unsatisfiable

  /// - Parameters:
  ///   - text: the value of `Range`; `nil` if there is none.
  ///   - count: the size of the body in bytes.
  public init(_ text: String?, of count: Int) {
    self = .all
    guard let text, text.hasPrefix("bytes=") else { return }
    let ends = text.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else {
      return
    }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let length?):
      self = length == 0 || count == 0 ? .unsatisfiable : .stretch(max(0, count - length)..<count)
    case (let start?, let end):
      if let end, end < start { return }
      self =
        start < count ? .stretch(start..<min(count, (end ?? count - 1) + 1)) : .unsatisfiable
    }
  }

  /// Returns a number, `.some(nil)` for an empty text, or `nil` for anything else.
  private static func number(_ text: Substring) -> Int?? {
    guard !text.isEmpty else { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      number < Int.max
    else { return nil }
    return number
  }
}
