// SPDX-License-Identifier: MIT

/// The stretch of a body that a request asks for: RFC 9110, 14.
public enum HTTPRange: Hashable, Sendable {
  /// All of it, also where several stretches are asked for, or something that is no range of bytes.
  case all
  case stretch(Range<Int>)
  /// There is nothing where the request asks.
  case unsatisfiable

  /// - Parameters:
  ///   - text: the value of `Range`; `nil` where there is none.
  ///   - count: how many bytes there are.
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

  /// A number, an empty text as `.some(nil)`, or `nil` for anything else.
  private static func number(_ text: Substring) -> Int?? {
    guard !text.isEmpty else { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      number < Int.max
    else { return nil }
    return number
  }
}
