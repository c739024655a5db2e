// SPDX-License-Identifier: MIT

package import AVC
package import HEVC

extension AVCSequenceParameterSet {
  /// The frame rate of the video usability information; two ticks make a frame: ITU-T H.264, E.2.1.
  package var frameRate: FrameRate? {
    let timing = vui.buffering
    guard vuiParametersPresentFlag, timing.timingInfoPresentFlag else { return nil }
    return FrameRate(UInt64(timing.timeScale), 2 * UInt64(timing.numUnitsInTick))
  }
}
