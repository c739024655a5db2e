// SPDX-License-Identifier: MIT

public import ApusMedia

/// The relation of three sample values to red, green and blue: ITU-T H.273, 8.3.
public enum MatrixCoefficients: Hashable, Sendable {
  /// Luma and two colour differences, with the weights of red and blue in luma.
  case weighted(red: Double, blue: Double)
  /// The three planes are green, blue and red.
  case identity
  case ycgco

  /// The weights of BT.601, which JFIF uses as well.
  public static let bt601 = MatrixCoefficients.weighted(red: 0.299, blue: 0.114)

  /// Creates the coefficients of a description. Unspecified is BT.601, as in JFIF. Constant luminance is replaced by
  /// the non-constant form.
  public init(of colour: ColourDescription) throws(MediaError) {
    switch colour.matrix {
    case 0: self = .identity
    case 1: self = .weighted(red: 0.2126, blue: 0.0722)
    case 2, 5, 6: self = .bt601
    case 4: self = .weighted(red: 0.30, blue: 0.11)
    case 7: self = .weighted(red: 0.212, blue: 0.087)
    case 8: self = .ycgco
    case 9, 10: self = .weighted(red: 0.2627, blue: 0.0593)
    case 12, 13:
      let luminance = (Primaries(codePoint: colour.primaries) ?? .bt709).luminance
      self = .weighted(red: luminance.x, blue: luminance.z)
    default:
      throw MediaError(
        .unsupported,
        "matrix_coefficients is \(colour.matrix) (\(colour.matrixName)); known are 0 to 2, 4 to 10,"
          + " 12 and 13")
    }
  }

  /// Creates the coefficients for converting a picture; any are valid if it is grey.
  init(of colour: ColourDescription, for format: PictureFormat) throws(MediaError) {
    guard (8...16).contains(format.bitDepth) else {
      throw MediaError(
        .unsupported, "samples of \(format.bitDepth) bits cannot be converted; 8 to 16 can")
    }
    self = format.chroma == .monochrome ? .bt601 : try MatrixCoefficients(of: colour)
    guard self != .identity || format.chroma == .yuv444 else {
      throw MediaError(
        .corrupt,
        "matrix_coefficients is 0 (GBR), which needs 4:4:4; the picture is \(format.chroma.name)")
    }
  }

  /// The matrix from planes, scaled to 0…1 with colour differences to ±½, to R′G′B′.
  public var toRGB: Matrix3 {
    switch self {
    case .identity: return Matrix3([0, 0, 1], [1, 0, 0], [0, 1, 0])
    case .ycgco: return Matrix3([1, -1, 1], [1, 1, 0], [1, -1, -1])
    case .weighted(let red, let blue):
      let green = 1 - red - blue
      let (toRed, toBlue) = (2 * (1 - red), 2 * (1 - blue))
      return Matrix3(
        [1, 0, toRed], [1, -toBlue * blue / green, -toRed * red / green], [1, toBlue, 0])
    }
  }

  /// The matrix from R′G′B′ to planes.
  public var fromRGB: Matrix3 { toRGB.inverse ?? .identity }

  /// Whether the second and third plane contain colour differences, which are centred on a middle value.
  var hasDifferences: Bool { self != .identity }

  /// Returns the transformation from the codes of a file to R′G′B′ in 0…1.
  func decoding(bitDepth: Int, isFullRange: Bool) -> Affine3 {
    let unit = Double(1 << (bitDepth - 8))
    let all = Double(1 << bitDepth - 1)
    let black = isFullRange ? 0 : 16 * unit
    let luma = 1 / (isFullRange ? all : 219 * unit)
    let difference = hasDifferences ? 1 / (isFullRange ? all : 224 * unit) : luma
    let middle = hasDifferences ? 128 * unit : black
    return Affine3(
      Matrix3(diagonal: [luma, difference, difference]),
      offset: [-black * luma, -middle * difference, -middle * difference]
    ).then(Affine3(toRGB))
  }
}
