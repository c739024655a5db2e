// SPDX-License-Identifier: MIT

/// The samples of a ledger, of which there may be millions: they are stored in blocks, so that appending one never
/// moves the others.
struct LedgerSamples: RandomAccessCollection, Sendable {
  private static let blockSize = 1 << 12

  /// The blocks, all of which but the last have `blockSize` samples.
  private var blocks: [[SampleLedger.Sample]] = []
  private(set) var endIndex = 0
  var startIndex: Int { 0 }

  subscript(index: Int) -> SampleLedger.Sample {
    get { blocks[index / Self.blockSize][index % Self.blockSize] }
    _modify { yield &blocks[index / Self.blockSize][index % Self.blockSize] }
  }

  mutating func append(_ sample: SampleLedger.Sample) {
    if endIndex.isMultiple(of: Self.blockSize) {
      blocks.append([])
      // Tracks with few samples may be very many, so they allocate no more than needed.
      if endIndex > 0 { blocks[blocks.count - 1].reserveCapacity(Self.blockSize) }
    }
    blocks[blocks.count - 1].append(sample)
    endIndex += 1
  }
}
