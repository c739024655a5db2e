// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// The meaning of a depth map's samples.
public struct DepthNumbers: Hashable, Sendable {
  /// The quantity in written samples, distances or their inverses.
  public var form = DepthForm.disparity
  /// The values of the least and the greatest sample, in metres or one over metres; `nil` if unknown.
  public var range: ClosedRange<Double>?
  /// The width of the map in samples; 0 until it is extracted.
  public var width = 0
  /// The height of the map in samples; 0 until it is extracted.
  public var height = 0
  /// The bits of a written sample: 8 or 16.
  public var bitDepth = 8
  /// The accuracy, `absolute` or `relative`: whether distances are true, or only proportional to each other.
  public var accuracy: String?
  /// The quality as stated in the file, such as `high`; `nil` if unknown.
  public var quality: String?
  /// Whether places without a measurement were filled in; `nil` if unknown.
  public var isFiltered: Bool?
  /// The camera's intrinsic matrix of 3 × 3, in samples of a picture of the reference size, column by column as
  /// Apple writes it.
  public var intrinsics: [Double] = []
  /// The size of the picture that the intrinsic matrix refers to, in samples; `nil` if unknown.
  public var referenceSize: (width: Double, height: Double)? {
    get { reference.count == 2 ? (reference[0], reference[1]) : nil }
    set { reference = newValue.map { [$0.width, $0.height] } ?? [] }
  }
  var reference: [Double] = []
  /// The extrinsic matrix of 3 × 4.
  public var extrinsics: [Double] = []
  /// The pixel size of the sensor, in millimetres.
  public var pixelSize: Double?
  /// The centre of the lens distortion as x and y, in samples of the reference picture; empty if unknown.
  public var distortionCentre: [Double] = []
  /// The coefficients of the lens distortion, by distance from its centre; empty if unknown.
  public var distortion: [Double] = []
  /// The coefficients that reverse the distortion; empty if unknown.
  public var inverseDistortion: [Double] = []
  /// Whether the least sample in the file has the value at the end of the range.
  public internal(set) var isReversed = false
  /// The source of the numbers: `XMP`, `SEI`, or `nothing`.
  public var origin = "nothing"

  /// The focal length, in samples of the reference picture.
  public var focalLength: Double? { intrinsics.first }

  public init() {}
}

extension DepthNumbers {
  /// Reads the numbers of a map in Google's XMP.
  init(_ google: GoogleDepth) {
    origin = "XMP"
    form = google.isInverse ? .disparity : .depth
    guard let near = google.near, let far = google.far else { return }
    range = google.isInverse ? 1 / far...1 / near : near...far
    // The sample 0 is near in both forms.
    isReversed = google.isInverse
  }

  private typealias Apple = XMPReader.Namespace

  /// Reads the numbers in the XMP of a picture; `nil` if it does not state the kind of map.
  init?(xmp packet: [UInt8]) {
    guard let xmp = XMPReader(packet),
      let kind = xmp.value(Apple.pixelData, "AuxiliaryImageType"),
      let form = DepthForm(rawValue: kind)
    else { return nil }
    self.form = form
    origin = "XMP"
    if let low = xmp.number(Apple.pixelData, "FloatMinValue"),
      let high = xmp.number(Apple.pixelData, "FloatMaxValue"), low <= high
    {
      range = low...high
    }
    let depth = Apple.depthData
    accuracy = xmp.value(depth, "Accuracy")
    quality = xmp.value(depth, "Quality")
    isFiltered = xmp.value(depth, "Filtered").map { $0.lowercased() == "true" || $0 == "1" }
    intrinsics = numbers(xmp, "IntrinsicMatrix", 9)
    extrinsics = numbers(xmp, "ExtrinsicMatrix", 12)
    if let width = xmp.number(depth, "IntrinsicMatrixReferenceWidth"),
      let height = xmp.number(depth, "IntrinsicMatrixReferenceHeight")
    {
      referenceSize = (width, height)
    }
    pixelSize = xmp.number(depth, "PixelSize")
    if let x = xmp.number(depth, "LensDistortionCenterOffsetX"),
      let y = xmp.number(depth, "LensDistortionCenterOffsetY")
    {
      distortionCentre = [x, y]
    }
    distortion = numbers(xmp, "LensDistortionCoefficients", nil)
    inverseDistortion = numbers(xmp, "InverseLensDistortionCoefficients", nil)
  }

  private func numbers(_ xmp: XMPReader, _ name: String, _ count: Int?) -> [Double] {
    let found = xmp.list(XMPReader.Namespace.depthData, name).compactMap(Double.init)
      .filter(\.isFinite)
    return count == nil || found.count == count ? found : []
  }

  /// Reads the numbers of an item whose `auxC` carries an SEI message: ISO/IEC 23008-12, B.2.4.2. The total length
  /// precedes that of the NAL unit, and the trailing bits are missing.
  init?(subtype bytes: [UInt8]) {
    guard bytes.count > 12 else { return nil }
    let length = Int(bigEndianBytes: bytes[4..<8])
    let unit = Array(bytes[8...].prefix(length))
    let depth = [unit, unit + [0x80]].lazy.compactMap { bytes -> DepthRepresentation? in
      NALUnit<SupplementalInformation>(bytes).payload?.messages.lazy
        .compactMap { $0.payload as? DepthRepresentation }.first
    }.first
    guard let depth else { return nil }
    origin = "SEI"
    let distances = (near: depth.nearest?.value, far: depth.farthest?.value)
    switch depth.type {
    case 0:
      form = .disparity
      guard let near = distances.near, let far = distances.far, near > 0, far >= near else {
        return
      }
      range = 1 / far...1 / near
    case 2:
      form = .depth
      guard let near = distances.near, let far = distances.far, far >= near else { return }
      range = near...far
    default:
      form = .disparity
      // A table of steps cannot be expressed as a range.
      guard depth.type == 1, let low = depth.leastDisparity?.value,
        let high = depth.greatestDisparity?.value, low <= high
      else { return }
      range = low...high
    }
  }

  /// Returns the numbers of a part.
  static func of(_ picture: PhotoPicture, _ source: any PictureSource, _ file: PhotoFile?)
    throws(SyntaxError) -> DepthNumbers
  {
    if let numbers = (source as? JPEGCompanion)?.numbers { return numbers }
    var xmp = try (source as? JPEGCompanion)?.metadata(of: picture).xmp
    var subtype: [UInt8] = []
    if let file, case .item(let id) = picture.place {
      xmp = try file.metadata(of: picture).xmp
      subtype = file.graph.item(id)?.property(AuxiliaryType.self)?.auxSubtype ?? []
    }
    return xmp.flatMap(DepthNumbers.init(xmp:)) ?? DepthNumbers(subtype: subtype) ?? DepthNumbers()
  }
}

extension DepthNumbers {
  /// Returns a table that maps codes to samples of the output, which holds the `wanted` quantity instead of the one in
  /// the file; adapts the numbers to it.
  mutating func table(bitDepth depth: Int, isFullRange: Bool, as wanted: DepthForm?)
    throws -> PlaneTable
  {
    var plain = PlaneTable(bitDepth: depth, isFullRange: isFullRange)
    if isReversed {
      let largest = UInt16(1 << plain.bitDepth - 1)
      plain.values = plain.values.map { largest - $0 }
      isReversed = false
    }
    guard let wanted, wanted != form else {
      bitDepth = plain.bitDepth
      return plain
    }
    guard let range, range.upperBound > 0 else {
      throw MediaError(
        .unsupported,
        "does not define the range of its depth map, so \(form.rawValue) cannot be converted to "
          + "\(wanted.rawValue)")
    }
    let largest = Double(1 << plain.bitDepth - 1)
    // Points at infinity or behind the camera get the value of the nearest code that is neither.
    let values = plain.values.map {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double($0) / largest
    }
    let positive = values.filter { $0 > 0 }
    guard let least = positive.min(), let greatest = positive.max() else {
      throw MediaError(.unsupported, of: .input, "has a depth map without any value above 0")
    }
    let inverse = values.map { 1 / max($0, least) }
    let (low, high) = (1 / greatest, 1 / least)
    self.range = low...high
    form = wanted
    let table = PlaneTable(shares: inverse.map { high > low ? ($0 - low) / (high - low) : 0 })
    bitDepth = table.bitDepth
    return table
  }
}
