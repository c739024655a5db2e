// SPDX-License-Identifier: MIT

import Stills

/// The meaning of the samples of a depth map as JSON, described in Schemas/depth.schema.json.
struct DepthJSON {
  func bytes(_ numbers: DepthNumbers) -> [UInt8] {
    var json = JSONWriter("")
    write(numbers, to: &json)
    json.endDocument()
    return Array(json.output.utf8)
  }

  private func write(_ numbers: DepthNumbers, to json: inout JSONWriter<String>) {
    json.object { json in
      json.field("form", numbers.form.rawValue)
      json.field("unit", numbers.form == .depth ? "m" : "1/m")
      json.field("width", numbers.width)
      json.field("height", numbers.height)
      json.field("bit_depth", numbers.bitDepth)
      let ends = [numbers.range?.lowerBound, numbers.range?.upperBound]
      field("minimum", ends[numbers.isReversed ? 1 : 0], &json)
      field("maximum", ends[numbers.isReversed ? 0 : 1], &json)
      json.field("origin", numbers.origin)
      if let accuracy = numbers.accuracy { json.field("accuracy", accuracy) }
      if let quality = numbers.quality { json.field("quality", quality) }
      if let isFiltered = numbers.isFiltered { json.field("filtered", isFiltered) }
      if let length = numbers.focalLength { field("focal_length", length, &json) }
      if let size = numbers.referenceSize {
        field("reference_width", size.width, &json)
        field("reference_height", size.height, &json)
      }
      field("pixel_size_mm", numbers.pixelSize, isLeftOut: true, &json)
      list("intrinsics", numbers.intrinsics, &json)
      list("extrinsics", numbers.extrinsics, &json)
      list("distortion_centre", numbers.distortionCentre, &json)
      list("distortion", numbers.distortion, &json)
      list("inverse_distortion", numbers.inverseDistortion, &json)
    }
  }

  /// - Parameter isLeftOut: whether an unknown number is left out instead of null.
  private func field(
    _ name: String, _ number: Double?, isLeftOut: Bool = false, _ json: inout JSONWriter<String>
  ) {
    if number == nil, isLeftOut { return }
    json.key(name)
    if let number { json.number(number) } else { json.null() }
  }

  private func list(_ name: String, _ numbers: [Double], _ json: inout JSONWriter<String>) {
    guard !numbers.isEmpty else { return }
    json.key(name)
    json.array { json in for number in numbers { json.number(number) } }
  }
}
