// SPDX-License-Identifier: MIT

internal import Glibc

/// Mean bit rates by codec and size, after the tables of Apple's HLS Authoring Specification (video encoding
/// requirements): the highest rate for each size, with interpolation for sizes between.
enum LadderRates {
  /// Luma samples per picture, and kilobits per second.
  private typealias Point = (samples: Double, rate: Double)

  private static let h264: [Point] = [
    (416 * 234, 145), (640 * 360, 365), (768 * 432, 1100), (960 * 540, 2000), (1280 * 720, 4500),
    (1920 * 1080, 7800),
  ]
  private static let hevc: [Point] = [
    (640 * 360, 145), (768 * 432, 300), (960 * 540, 1600), (1280 * 720, 3400),
    (1920 * 1080, 5800), (2560 * 1440, 8100), (3840 * 2160, 16800),
  ]
  private static let hevcHDR: [Point] = [
    (640 * 360, 160), (768 * 432, 360), (960 * 540, 1930), (1280 * 720, 4080),
    (1920 * 1080, 7000), (2560 * 1440, 9700), (3840 * 2160, 20000),
  ]

  /// Returns the rate in bits per second, in multiples of ten kilobits.
  static func mean(
    of codec: VideoSettings.Codec, width: Int, height: Int, isHDR: Bool
  ) -> Int {
    let points = codec == .h264 ? h264 : isHDR ? hevcHDR : hevc
    let samples = Double(max(width, 16)) * Double(max(height, 16))
    let next = points.firstIndex { $0.samples >= samples } ?? points.count - 1
    let (low, high) = (points[max(next, 1) - 1], points[max(next, 1)])
    // Linear in logarithms of both; beyond the ends the last two points are extrapolated.
    let slope = log(high.rate / low.rate) / log(high.samples / low.samples)
    let rate = low.rate * pow(samples / low.samples, slope)
    return Int(min(max((rate / 10).rounded(), 5), 1e5)) * 10_000
  }
}
