// SPDX-License-Identifier: MIT

package import HEVC

extension StreamHeaders {
  /// Access units per second: frames, or fields.
  package var pictureRate: FrameRate? {
    guard let sequence = baseSequences.first,
      let rate = sequence.frameRate ?? baseVideos.first?.frameRate
    else { return nil }
    let isFields = sequence.vuiParametersPresentFlag && sequence.vui.fieldSeqFlag
    return isFields ? FrameRate(rate.numerator * 2, rate.denominator) : rate
  }
}
