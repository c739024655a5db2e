// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The cost of a plan so far, checked against its limits before any multiplication.
struct PlanBudget {
  private let limits: PlanLimits
  private var pieces = 0
  private var decoded = 0
  private var codedBytes = 0

  init(_ limits: PlanLimits) { self.limits = limits }

  /// Enters a level of derivation, the outermost being 0.
  func enter(_ depth: Int, of item: Item) throws(SyntaxError) {
    guard depth <= limits.derivations else {
      throw item.refusal(
        .limit,
        "is derived more than \(limits.derivations) times, the limit derivations is \(limits.derivations)"
      )
    }
  }

  mutating func lay(_ count: Int, for item: Item) throws(SyntaxError) {
    let (sum, overflow) = pieces.addingReportingOverflow(count)
    guard !overflow, sum <= limits.pieces else {
      throw item.refusal(
        .limit,
        "needs \(overflow ? "too many" : "\(sum)") pieces, the limit pieces is \(limits.pieces)"
      )
    }
    pieces = sum
  }

  /// Returns the area of a canvas, or throws if it exceeds the limits.
  func area(_ width: UInt64, _ height: UInt64, of item: Item) throws(SyntaxError) -> Int {
    guard width > 0, height > 0 else {
      throw item.refusal(.invalid, "has the size \(width) × \(height)")
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= UInt64(limits.pixels) else {
      throw item.refusal(
        .limit, "has a canvas of \(width) × \(height), the limit megapixels is \(limits.megapixels)"
      )
    }
    return Int(area)
  }

  /// Checks the sum of the areas painted for one picture.
  func paint(_ area: Int, for item: Item) throws(SyntaxError) {
    guard area <= limits.pixels else {
      throw item.refusal(
        .limit,
        "needs \(area / 1_000_000) megapixels painted, the limit megapixels is \(limits.megapixels)"
      )
    }
  }

  /// Adds a coded picture with an area in pixels, which is decoded a number of times.
  mutating func decode(
    _ area: Int, times: Int, bytes: Int, name: String, path: String, offset: Int
  ) throws(SyntaxError) {
    let (cost, isTooMuch) = area.multipliedReportingOverflow(by: times)
    let (sum, overflow) = decoded.addingReportingOverflow(cost)
    guard !isTooMuch, !overflow, sum <= limits.pixels else {
      throw SyntaxError(
        .limit, field: name, path: path, offset: offset,
        detail:
          "brings the total to decode to \(overflow || isTooMuch ? "more" : "\(sum / 1_000_000)") megapixels, the limit megapixels is \(limits.megapixels)"
      )
    }
    let (coded, codedOverflow) = codedBytes.addingReportingOverflow(bytes)
    guard !codedOverflow, coded <= limits.codedBytes else {
      throw SyntaxError(
        .limit, field: name, path: path, offset: offset,
        detail:
          "brings the total to read to \(coded) bytes, the limit coded-bytes is \(limits.codedBytes)"
      )
    }
    (decoded, codedBytes) = (sum, coded)
  }
}
