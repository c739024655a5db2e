// SPDX-License-Identifier: MIT

internal import Bytes

/// What a plan has cost so far, checked against its limits before anything is multiplied.
struct PlanBudget {
  private let limits: PlanLimits
  private var pieces = 0
  private var decoded = 0
  private var codedBytes = 0

  init(_ limits: PlanLimits) { self.limits = limits }

  /// Goes down to another level of derivation, the outermost being 0.
  func enter(_ depth: Int, of item: Item) throws(SyntaxError) {
    guard depth <= limits.derivations else {
      throw item.refusal(
        .limit,
        "is derived more than \(limits.derivations) times over, the limit derivations is \(limits.derivations)"
      )
    }
  }

  mutating func lay(_ count: Int, for item: Item) throws(SyntaxError) {
    let (sum, overflow) = pieces.addingReportingOverflow(count)
    guard !overflow, sum <= limits.pieces else {
      throw item.refusal(
        .limit,
        "would lay down \(overflow ? "more" : "\(sum)") pieces, the limit pieces is \(limits.pieces)"
      )
    }
    pieces = sum
  }

  /// How large a canvas is, where it may be painted.
  func area(_ width: UInt64, _ height: UInt64, of item: Item) throws(SyntaxError) -> Int {
    guard width > 0, height > 0 else {
      throw item.refusal(.invalid, "has the sides \(width) × \(height)")
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= UInt64(limits.pixels) else {
      throw item.refusal(
        .limit, "has a canvas of \(width) × \(height), the limit megapixels is \(limits.megapixels)"
      )
    }
    return Int(area)
  }

  /// Checks the sum of the areas that are painted for one picture.
  func paint(_ area: Int, for item: Item) throws(SyntaxError) {
    guard area <= limits.pixels else {
      throw item.refusal(
        .limit,
        "would paint \(area / 1_000_000) megapixels, the limit megapixels is \(limits.megapixels)")
    }
  }

  /// Adds a coded picture of so many pixels, decoded so many times.
  mutating func decode(
    _ area: Int, times: Int, bytes: Int, name: String, path: String, offset: Int
  ) throws(SyntaxError) {
    let (cost, isTooMuch) = area.multipliedReportingOverflow(by: times)
    let (sum, overflow) = decoded.addingReportingOverflow(cost)
    guard !isTooMuch, !overflow, sum <= limits.pixels else {
      throw SyntaxError(
        .limit, field: name, path: path, offset: offset,
        detail:
          "brings what is to be decoded to \(overflow || isTooMuch ? "more" : "\(sum / 1_000_000)") megapixels, the limit megapixels is \(limits.megapixels)"
      )
    }
    let (coded, codedOverflow) = codedBytes.addingReportingOverflow(bytes)
    guard !codedOverflow, coded <= limits.codedBytes else {
      throw SyntaxError(
        .limit, field: name, path: path, offset: offset,
        detail:
          "brings what is to be read to \(coded) bytes, the limit coded-bytes is \(limits.codedBytes)"
      )
    }
    (decoded, codedBytes) = (sum, coded)
  }
}
