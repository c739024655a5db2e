// SPDX-License-Identifier: MIT

/// The samples of a ledger. There may be millions: they lie in blocks, so that a further one never moves the others.
struct LedgerSamples: RandomAccessCollection, Sendable {
  private static let blockSize = 1 << 12

  /// All but the last have `blockSize` samples.
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
      // A track of few samples, of which there may be very many, takes no more than it needs.
      if endIndex > 0 { blocks[blocks.count - 1].reserveCapacity(Self.blockSize) }
    }
    blocks[blocks.count - 1].append(sample)
    endIndex += 1
  }
}
