// SPDX-License-Identifier: MIT

/// The scale factor bands of AAC at one sample rate: ISO/IEC 14496-3, 4.5.4.
struct AACBands: Sendable {
  /// The first spectral line of each band of a long window, and the end of the last.
  let long: [Int]
  /// The first spectral line of each band of a short window, and the end of the last.
  let short: [Int]

  /// - Parameters:
  ///   - frequencyIndex: the index in the table of sampling frequencies, from 0 for 96,000 Hz.
  ///   - hasShortFrames: whether frames have 960 samples instead of 1024.
  init?(frequencyIndex: Int, hasShortFrames: Bool) {
    guard Self.rows.indices.contains(frequencyIndex) else { return nil }
    let row = Self.rows[frequencyIndex]
    long = Self.bands(Self.longBands[row.long], end: hasShortFrames ? 960 : 1024)
    short = Self.bands(Self.shortBands[row.short], end: hasShortFrames ? 120 : 128)
  }

  private static func bands(_ starts: [Int], end: Int) -> [Int] {
    starts.filter { $0 < end } + [end]
  }

  /// The tables of each sampling frequency.
  private static let rows: [(long: Int, short: Int)] = [
    (0, 0), (0, 0), (1, 0), (2, 1), (2, 1), (3, 1), (4, 2), (4, 2), (5, 3), (5, 3), (5, 3), (6, 4),
    (6, 4),
  ]

  /// The tables for long windows, without the ends.
  private static let longBands: [[Int]] = [
    [
      0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132,
      144, 156, 172, 188, 212, 240, 276, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960,
    ],
    [
      0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 100, 112, 124, 140,
      156, 172, 192, 216, 240, 268, 304, 344, 384, 424, 464, 504, 544, 584, 624, 664, 704, 744, 784,
      824, 864, 904, 944, 984,
    ],
    wide,
    wide + [960, 992],
    [
      0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 76, 84, 92, 100, 108, 116, 124, 136,
      148, 160, 172, 188, 204, 220, 240, 260, 284, 308, 336, 364, 396, 432, 468, 508, 552, 600, 652,
      704, 768, 832, 896, 960,
    ],
    [
      0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 100, 112, 124, 136, 148, 160, 172, 184, 196,
      212,
      228, 244, 260, 280, 300, 320, 344, 368, 396, 424, 456, 492, 532, 572, 616, 664, 716, 772, 832,
      896, 960,
    ],
    [
      0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 172, 188, 204, 220, 236, 252, 268,
      288, 308, 328, 348, 372, 396, 420, 448, 476, 508, 544, 580, 620, 664, 712, 764, 820, 880, 944,
    ],
  ]

  /// The bands at 48,000 and 44,100 Hz, with which those at 32,000 Hz begin.
  private static let wide = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160,
    176, 196, 216, 240, 264, 292, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704,
    736, 768, 800, 832, 864, 896, 928,
  ]

  /// The tables for short windows, without the ends.
  private static let shortBands: [[Int]] = [
    [0, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 92],
    [0, 4, 8, 12, 16, 20, 28, 36, 44, 56, 68, 80, 96, 112],
    [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108],
    [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 72, 88, 108],
    [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 60, 72, 88, 108],
  ]
}
