// SPDX-License-Identifier: MIT

internal import HEVC

/// The factors `ScalingFactor`: ITU-T H.265, 7.4.5. They contain the factors of a block row by row, for each size and
/// component.
struct ScalingFactors: Sendable {
  /// The factors, 1024 entries at ((log2 - 2) × 3 + component) × 1024.
  let values: [UInt8]

  /// The number of `values`, a power of two.
  static var count: Int { 4 * 4 * 1024 }
  static let flat = [UInt8](repeating: 16, count: count)

  /// Creates the factors; lists of the picture take precedence over those of the sequence, and these over the defaults
  /// of the standard.
  init(_ sps: SequenceParameterSet, _ pps: PictureParameterSet, chroma: Int) {
    let data: ScalingListData? =
      pps.ppsScalingListDataPresentFlag
      ? pps.scalingListData
      : sps.coding.spsScalingListDataPresentFlag ? sps.coding.scalingListData : nil
    let lists = Lists(data)
    var values = Self.flat
    for log2 in 2...5 {
      for component in 0..<3 {
        let size = log2 - 2
        let list = lists.list(size: size, component: component)
        let side = 1 << log2
        let order = Scans.diagonalOrder(log2: size == 0 ? 2 : 3)
        var square = [UInt8](repeating: 16, count: size == 0 ? 16 : 64)
        let squareLog2 = size == 0 ? 2 : 3
        for (index, place) in order.enumerated() {
          square[place.row << squareLog2 | place.column] = list.coefficients[index]
        }
        let base = (size * 3 + component) * 1024
        let shift = log2 - squareLog2
        for row in 0..<side {
          for column in 0..<side {
            values[base + row * side + column] =
              square[(row >> shift) << squareLog2 | column >> shift]
          }
        }
        if size > 1 { values[base] = list.dc }
      }
    }
    self.values = values
  }

  private struct List {
    var coefficients: [UInt8]
    var dc: UInt8 = 16
  }

  private struct Lists {
    /// The lists by size and matrix; those of chroma in 32 × 32 follow from those of 16 × 16.
    private var lists: [[List]]

    init(_ data: ScalingListData?) {
      lists = (0..<4).map { size in (0..<6).map { Self.standard(size: size, matrix: $0) } }
      guard let data else { return }
      for (size, coded) in data.sizes.enumerated() {
        for (index, list) in coded.enumerated() {
          let matrix = size == 3 ? index * 3 : index
          let delta = Int(list.predMatrixIDDelta) * (size == 3 ? 3 : 1)
          if !list.predModeFlag {
            lists[size][matrix] =
              delta == 0 || delta > matrix
              ? Self.standard(size: size, matrix: matrix) : lists[size][matrix - delta]
          } else {
            lists[size][matrix] = Self.list(list, size: size)
          }
        }
      }
      // With `chroma_format_idc` 3, 7.4.5 uses the lists of 16 × 16 for chroma of 32 × 32.
      for matrix in [1, 2, 4, 5] { lists[3][matrix] = lists[2][matrix] }
    }

    func list(size: Int, component: Int) -> List { lists[size][component] }

    private static func list(_ coded: ScalingListData.List, size: Int) -> List {
      var next = size > 1 ? Int(coded.dcCoefMinus8) + 8 : 8
      let dc = UInt8(truncatingIfNeeded: next)
      let coefficients = coded.deltaCoefs.map { delta in
        next = (next + Int(delta) + 256) % 256
        return UInt8(truncatingIfNeeded: next)
      }
      return List(coefficients: coefficients, dc: size > 1 ? dc : 16)
    }

    /// Returns the default list of tables 7-5 and 7-6.
    private static func standard(size: Int, matrix: Int) -> List {
      guard size > 0 else { return List(coefficients: [UInt8](repeating: 16, count: 16)) }
      return List(coefficients: matrix < 3 ? intra : inter)
    }

    /// The lists for intra and inter prediction, in scan order.
    private static let intra: [UInt8] = [
      16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18,
      17, 18, 18, 17, 18, 21, 19, 20, 21, 20, 19, 21, 24, 22, 22, 24,
      24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31,
      29, 36, 41, 44, 41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115,
    ]
    private static let inter: [UInt8] = [
      16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18,
      18, 18, 18, 18, 18, 20, 20, 20, 20, 20, 20, 20, 24, 24, 24, 24,
      24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 28, 28, 28, 28, 28,
      28, 33, 33, 33, 33, 33, 41, 41, 41, 41, 54, 54, 54, 71, 71, 91,
    ]
  }
}
