// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import HEVC

/// A walk over a whole bare stream before its first sample is returned.
struct BareStreamSurvey {
  /// The number of frames by which decoding must precede presentation.
  private(set) var delay = 0
  /// Whether parameter sets occur elsewhere than before random access pictures.
  private(set) var hasStraySets = false

  init(_ first: BarePicture, _ pictures: inout BarePictureReader) throws {
    var order = OutputOrder()
    var next: BarePicture? = first
    while let picture = next {
      if picture.hasSets, !picture.isIRAP { hasStraySets = true }
      add(
        order.add(picture.orderCount, startsSequence: picture.startsSequence, OutputOrder.Bounds())
      )
      next = try pictures.next()
    }
    add(order.flush())
  }

  private mutating func add(_ placed: [OutputOrder.Placed]) {
    for picture in placed { delay = max(delay, picture.index - picture.place) }
  }
}

extension DecoderConfigurationRecord {
  /// The record with the promise that the samples hold no other parameter sets.
  var complete: DecoderConfigurationRecord {
    var result = self
    for index in result.arrays.indices {
      let type = NALUnitType(fieldBits: UInt64(result.arrays[index].nalUnitType))
      result.arrays[index].arrayCompleteness = type.isParameterSet
    }
    return result
  }
}
