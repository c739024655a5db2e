// SPDX-License-Identifier: MIT

/// Why moving pictures or sound were not decoded, filtered or encoded.
public struct CoderError: Error, Hashable, Sendable, CustomStringConvertible {
  public var kind: PictureError.Kind
  public var message: String
  /// When what failed is shown, as far as that is known.
  public var time: RationalTime?

  public init(_ kind: PictureError.Kind, _ message: String, at time: RationalTime? = nil) {
    self.kind = kind
    self.message = message
    self.time = time
  }

  public init(_ error: PictureError, at time: RationalTime? = nil) {
    self.init(error.kind, error.message, at: time)
  }

  /// `at 12.345 s: …`
  public var description: String {
    guard let time, let milliseconds = time.rounded(to: 1000) else { return message }
    let parts = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(parts.remainder + 1000).dropFirst()
    return "at \(milliseconds < 0 ? "-" : "")\(parts.quotient).\(fraction) s: \(message)"
  }
}
