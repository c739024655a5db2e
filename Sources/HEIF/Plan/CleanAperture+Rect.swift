// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
public import ISOBMFF

extension CleanAperture {
  /// Returns the remaining part of a picture: ISO/IEC 14496-12, 12.1.4.
  ///
  /// The first column is that of `horizOff + (width - 1) / 2 - (cleanApertureWidth - 1) / 2`, rounded down, and the
  /// last is `cleanApertureWidth - 1` further, rounded half up, as in libheif. The error explains why there is no such
  /// part.
  func rect(inWidth width: Int, height: Int) -> Result<PixelRect, ApertureError> {
    let (across, down) = spans(inWidth: width, height: height)
    guard let across, let down else { return .failure(ApertureError("has a denominator of 0")) }
    guard !across.isEmpty, !down.isEmpty else { return .failure(ApertureError("keeps nothing")) }
    guard across.lowerBound >= 0, across.upperBound <= width, down.lowerBound >= 0,
      down.upperBound <= height
    else {
      return .failure(
        ApertureError(
          "keeps columns \(across.lowerBound) to \(across.upperBound - 1) and rows "
            + "\(down.lowerBound) to \(down.upperBound - 1), which are outside the \(width) × \(height) picture"
        ))
    }
    return .success(
      PixelRect(
        x: Int(across.lowerBound), y: Int(down.lowerBound),
        width: Int(across.upperBound - across.lowerBound),
        height: Int(down.upperBound - down.lowerBound)))
  }

  /// Returns the margins that are cut off a picture; negative if the aperture extends beyond it, and `nil` for a
  /// denominator of 0.
  public func borders(
    inWidth width: Int, height: Int
  ) -> (left: Int, top: Int, right: Int, bottom: Int)? {
    let (across, down) = spans(inWidth: width, height: height)
    guard let across, let down else { return nil }
    return (
      Int(across.lowerBound), Int(down.lowerBound), width - Int(across.upperBound),
      height - Int(down.upperBound)
    )
  }

  /// Returns whether the edges lie between samples, so that the part had to be rounded: ISO/IEC 23000-22, 7.3.6.7,
  /// allows no such aperture.
  func isRounded(inWidth width: Int, height: Int) -> Bool {
    func isWhole(_ offset: (n: Int128, d: Int128), _ size: (n: Int128, d: Int128), _ whole: Int)
      -> Bool
    {
      guard offset.d > 0, size.d > 0 else { return true }
      let first = 2 * offset.n * size.d + Int128(whole) * offset.d * size.d - size.n * offset.d
      return size.n % size.d == 0 && first % (2 * offset.d * size.d) == 0
    }
    return !isWhole(
      (Int128(horizontalOffsetN), Int128(horizontalOffsetD)), (Int128(widthN), Int128(widthD)),
      width)
      || !isWhole(
        (Int128(verticalOffsetN), Int128(verticalOffsetD)), (Int128(heightN), Int128(heightD)),
        height)
  }

  /// Returns the remaining columns and rows.
  private func spans(
    inWidth width: Int, height: Int
  ) -> (across: Range<Int128>?, down: Range<Int128>?) {
    (
      Self.span(
        offset: (Int128(horizontalOffsetN), Int128(horizontalOffsetD)),
        size: (Int128(widthN), Int128(widthD)), in: width),
      Self.span(
        offset: (Int128(verticalOffsetN), Int128(verticalOffsetD)),
        size: (Int128(heightN), Int128(heightD)), in: height)
    )
  }

  /// - Returns: the remaining range; `nil` for a denominator of 0.
  private static func span(
    offset: (n: Int128, d: Int128), size: (n: Int128, d: Int128), in whole: Int
  ) -> Range<Int128>? {
    guard offset.d > 0, size.d > 0 else { return nil }
    // offset + (whole - 1) / 2 - (size - 1) / 2 over the common denominator; every factor has 32 bits.
    let numerator =
      2 * offset.n * size.d + Int128(whole) * offset.d * size.d - size.n * offset.d
    let first = numerator.floorDivided(by: 2 * offset.d * size.d)
    let count = (2 * size.n + size.d).floorDivided(by: 2 * size.d)
    return first..<first + max(count, 0)
  }
}

/// The reason why an aperture cannot be applied.
struct ApertureError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

extension Int128 {
  fileprivate func floorDivided(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
