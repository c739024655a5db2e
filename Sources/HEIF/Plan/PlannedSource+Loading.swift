// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
internal import HEVC

extension PlannedSource {
  /// Reads the extents. For HEVC, NAL units of layers above the base layer are dropped, because no decoder here
  /// supports them.
  public func loaded() throws(SyntaxError) -> CodedPicture {
    var loaded: [[UInt8]] = []
    for sample in samples {
      let bytes = try sample.bytes()
      loaded.append(codec == .hevc ? baseLayer(of: bytes) : bytes)
    }
    var picture = CodedPicture(codec: codec, configuration: configuration, samples: loaded)
    picture.pixelLimit = pixelLimit
    picture.reduction = reduction
    return picture
  }

  /// The size that the plan was budgeted for, with room for cropped samples: parameter sets within the samples may
  /// state another size than the configuration.
  private var pixelLimit: Int {
    let (pixels, overflow) = format.width.multipliedReportingOverflow(by: format.height)
    return overflow ? Int.max : max(pixels, 1 << 20) &* 2
  }

  /// Returns the sample without upper layers; unchanged if it has only one layer or is broken, which the decoder
  /// reports.
  private func baseLayer(of sample: [UInt8]) -> [UInt8] {
    let lengthSize = configuration.count > 21 ? Int(configuration[21] & 3) + 1 : 4
    guard let units = try? LengthPrefixed.units(in: sample.span, lengthSize: lengthSize) else {
      return sample
    }
    let base = units.filter { unit in
      unit.count < 2
        || NALUnitHeader(sample[unit.lowerBound], sample[unit.lowerBound + 1]).nuhLayerID == 0
    }
    guard base.count < units.count else { return sample }
    return base.reduce(into: []) { result, unit in
      result += sample[unit.lowerBound - lengthSize..<unit.upperBound]
    }
  }
}
