// SPDX-License-Identifier: MIT

public import ApusMedia

/// The format and meaning of coded planes.
public struct CodedSamples: Hashable, Sendable {
  /// The sampling of the colour planes.
  public var chroma: Chroma
  /// The bit depth, 8 to 16.
  public var bitDepth: Int
  /// The matrix; the identity produces planes of green, blue and red, which are 4:4:4.
  public var matrix: MatrixCoefficients
  /// Whether samples use all codes instead of the narrower range of video.
  public var isFullRange: Bool

  public init(
    _ chroma: Chroma, bitDepth: Int = 8, matrix: MatrixCoefficients = .bt601,
    isFullRange: Bool = true
  ) {
    self.chroma = chroma
    self.bitDepth = bitDepth
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// The transformation from R′G′B′ in 0…1 to codes: ITU-T H.273, 8.3.
  var encoding: Affine3 {
    let unit = Double(1 << (bitDepth - 8))
    let all = Double(1 << bitDepth - 1)
    let black = isFullRange ? 0 : 16 * unit
    let luma = isFullRange ? all : 219 * unit
    let difference = matrix.hasDifferences ? (isFullRange ? all : 224 * unit) : luma
    let middle = matrix.hasDifferences ? 128 * unit : black
    return Affine3(matrix.fromRGB).then(
      Affine3(
        Matrix3(diagonal: [luma, difference, difference]), offset: [black, middle, middle]))
  }
}
