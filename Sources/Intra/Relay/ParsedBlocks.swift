// SPDX-License-Identifier: MIT

/// What was read of some coding tree blocks, on its way from the thread that reads to the one that reconstructs.
///
/// A reference, so that its tables are never copied.
final class ParsedBlocks {
  private(set) var blocks = [TransformBlock](repeating: TransformBlock(), count: 2048)
  private(set) var coefficients = [Coefficient](repeating: Coefficient(), count: 5 * 4096)
  /// The runs that blocks belong to, each with the number of the blocks up to its end.
  private(set) var runs: [(run: UInt16, end: Int)] = []
  /// What the filters need of the rows that are whole with these blocks.
  var rows: [PictureMaps.Row] = []

  /// Notes that a coding tree block has been read.
  func note(_ run: UInt16, end: Int) {
    if let last = runs.indices.last, runs[last].run == run {
      runs[last].end = end
    } else {
      runs.append((run, end))
    }
  }

  /// Takes the tables of a reader, which goes on with the ones that are in here.
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
  /// Whether another coding tree block might not fit into the tables beside those that are in there.
  var isNearlyFull: Bool {
    let samples = 3 << (2 * parameters.ctbLog2)
    return blockCount + samples >> 4 > blocks.count
      || coefficientCount + samples > coefficients.count
  }
}
