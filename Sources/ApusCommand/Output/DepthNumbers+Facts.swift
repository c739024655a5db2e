// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusStills

extension DepthForm: FactValue {}

extension DepthNumbers: Described {
  public static let title = "depth"

  /// The file that `extract` writes next to a depth map.
  var document: [UInt8] { Array("\(json)\n".utf8) }

  private enum Unit: String, CaseIterable, FactValue {
    case metre = "m"
    case perMetre = "1/m"
  }

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == DepthNumbers {
    v.required("form", "The quantity in the samples.") { $0.form }
    v.required("unit", "Its unit.") { $0.form == .depth ? Unit.metre : .perMetre }
    v.required("width", "The width in samples.") { $0.width }
    v.required("height", "The height in samples.") { $0.height }
    v.required("bit_depth", "The bits of a sample: 8 or 16.") { $0.bitDepth }
    v.required(
      "minimum",
      """
      The value of the sample 0; null if it is unknown. It is above the maximum in copied maps that store near as 0.
      """
    ) { $0.isReversed ? $0.range?.upperBound : $0.range?.lowerBound }
    v.required("maximum", "The value of the greatest sample; null if it is unknown.") {
      $0.isReversed ? $0.range?.lowerBound : $0.range?.upperBound
    }
    v.required("origin", "The source of these numbers: XMP, SEI, or nothing.") { $0.origin }
    v.optional("accuracy", "absolute, or relative: right only to each other.") { $0.accuracy }
    v.optional("quality", "The quality as the file states it.") { $0.quality }
    v.optional("filtered", "Whether unmeasured places were filled in.") { $0.isFiltered }
    v.optional("focal_length", "The focal length in pixels of the reference.") { $0.focalLength }
    v.optional("reference_width", "The width of the reference.") { $0.referenceSize?.width }
    v.optional("reference_height", "The height of the reference.") { $0.referenceSize?.height }
    v.optional("pixel_size_mm", "The pixel size of the sensor.") { $0.pixelSize }
    v.optional("intrinsics", "A 3 x 3 matrix, as in the file.") { $0.intrinsics.nonEmpty }
    v.optional("extrinsics", "A 3 x 4 matrix.") { $0.extrinsics.nonEmpty }
    v.optional("distortion_centre", "The centre of the distortion.") {
      $0.distortionCentre.nonEmpty
    }
    v.optional("distortion", "The distortion by distance from its centre.") {
      $0.distortion.nonEmpty
    }
    v.optional("inverse_distortion", "Its inverse.") { $0.inverseDistortion.nonEmpty }
  }
}
