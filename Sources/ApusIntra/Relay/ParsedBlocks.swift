// SPDX-License-Identifier: MIT

/// The parsed data of some coding tree blocks, passed from the reading thread to the reconstructing one.
///
/// A class, so that its tables are never copied.
final class ParsedBlocks {
  private(set) var blocks = [TransformBlock](repeating: TransformBlock(), count: 2048)
  private(set) var coefficients = [Coefficient](repeating: Coefficient(), count: 5 * 4096)
  /// The runs of the blocks, each with the number of blocks up to its end.
  private(set) var runs: [(run: UInt16, end: Int)] = []
  /// The data that the filters need for the rows completed by these blocks.
  var rows: [PictureMaps.Row] = []

  /// Records that a coding tree block was read.
  func note(_ run: UInt16, end: Int) {
    if let last = runs.indices.last, runs[last].run == run {
      runs[last].end = end
    } else {
      runs.append((run, end))
    }
  }

  /// Takes the tables of a reader, which continues with those of this object.
  func exchange(with reader: inout SliceDataReader) {
    swap(&blocks, &reader.blocks)
    swap(&coefficients, &reader.coefficients)
    (reader.blockCount, reader.coefficientCount) = (0, 0)
  }

  func clear() {
    runs.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }
}

extension SliceDataReader {
  /// Whether another coding tree block might not fit into the tables.
  var isNearlyFull: Bool {
    let samples = 3 << (2 * parameters.ctbLog2)
    return blockCount + samples >> 4 > blocks.count
      || coefficientCount + samples > coefficients.count
  }
}
