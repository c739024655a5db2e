// SPDX-License-Identifier: MIT

internal import ApusThreads

/// Decodes a picture that cannot be read by several threads: one thread reads it, and another one reconstructs and
/// filters the parsed blocks in the meantime.
///
/// Until another thread joins, the reading thread reconstructs as well. The other thread stays to the end, and all
/// blocks then pass through the queue, so that they are reconstructed in order.
///
/// It may cross threads because everything but `state` belongs to one of the two: `reconstruction` belongs to the
/// reading thread until that has seen another one join, then to the other one, and to the caller when both are done.
@safe
final class BlockRelay<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype>:
  @unchecked Sendable
{
  private let parameters: CodingParameters
  private let reconstruction: Reconstruction<Sample>
  /// The components that may have offsets according to the slice headers.
  let offsets: SIMD4<UInt8>
  private let state = Monitor(State())

  private struct State {
    var isTaken = false
    var isEnded = false
    var queue: [ParsedBlocks] = []
    var free: [ParsedBlocks] = []
    /// The number of batches created.
    var count = 0
    /// Whether the reconstructing thread waits for blocks, and the reading thread for room.
    var waitsForBlocks = false
    var waitsForRoom = false
  }

  /// The maximum number of batches: enough for the time in which a row is filtered, and small enough for the caches of
  /// a core.
  private static var most: Int { 5 }

  // State of the reading thread.
  private var hasHelper = false
  private var handedRows = 0
  /// The batch to be queued next.
  private var pending: ParsedBlocks?

  // State of the reconstructing thread.
  private var maps = PictureMaps()
  private var wholeRows = 0
  /// The number of rows filtered, counted as in `PictureFilters`.
  private(set) var filteredRows = 0

  init(
    _ parameters: CodingParameters, _ reconstruction: Reconstruction<Sample>,
    offsets: SIMD4<UInt8>
  ) {
    self.parameters = parameters
    self.reconstruction = reconstruction
    self.offsets = offsets
  }

  /// Lets another thread take part while `body` reads, calls `add`, and finally `end`.
  func share(with workers: any IdleWorkers, while body: () -> Void) {
    // A closure instead of a protocol that this class conforms to, because those are not specialized.
    workers.share(RowWork(count: 1, most: 1) { [self] _ in takePart() }, while: body)
  }

  // MARK: - The thread that reads

  /// Adds a coding tree block that was read.
  func add(_ reader: inout SliceDataReader) {
    if !hasHelper { hasHelper = state.withLock { $0.isTaken } }
    guard hasHelper else { return reconstruction.add(&reader) }
    let blocks = pending ?? room()
    pending = blocks
    blocks.note(reader.run, end: reader.blockCount)
    let row = reader.ctbY >> parameters.ctbLog2
    let isRowEnd = (reader.ctbX >> parameters.ctbLog2) == parameters.layout.columns - 1
    guard isRowEnd || reader.isNearlyFull else { return }
    pending = nil
    if isRowEnd {
      blocks.rows = (handedRows...row).map { reader.maps.row($0, parameters) }
      handedRows = row + 1
    }
    blocks.exchange(with: &reader)
    let wakes = state.withLock { state in
      state.queue.append(blocks)
      return state.waitsForBlocks && state.queue.count > 1
    }
    if wakes { state.change { _ in } }
  }

  /// Ends reading.
  ///
  /// - Parameter isWhole: whether the queued blocks are still needed.
  func end(isWhole: Bool) {
    state.change { state in
      state.isEnded = true
      if !isWhole { state.queue = [] }
    }
  }

  private func room() -> ParsedBlocks {
    state.wait { state in
      if let blocks = state.free.popLast() {
        state.waitsForRoom = false
        return blocks
      }
      guard state.count < Self.most else {
        state.waitsForRoom = true
        return nil
      }
      state.count += 1
      return ParsedBlocks()
    }
  }

  // MARK: - The thread that reconstructs

  private func takePart() {
    let isOpen = state.withLock { state in
      state.isTaken = !state.isEnded
      return state.isTaken
    }
    guard isOpen else { return }
    maps.begin(parameters.layout, ctbLog2: parameters.ctbLog2)
    while let blocks = next() {
      reconstruct(blocks)
      for row in blocks.rows { maps.takeOver(row, parameters) }
      wholeRows += blocks.rows.count
      giveBack(blocks)
      while filteredRows + 1 < wholeRows, hasTime { filterRow() }
    }
  }

  private func reconstruct(_ parsed: ParsedBlocks) {
    let (blocks, coefficients) = (parsed.blocks, parsed.coefficients)
    var first = 0
    for (run, end) in parsed.runs {
      reconstruction.add(blocks.span.extracting(first..<end), coefficients.span, run)
      first = end
    }
  }

  private func next() -> ParsedBlocks? {
    state.wait { state -> ParsedBlocks?? in
      state.waitsForBlocks = state.queue.isEmpty && !state.isEnded
      if state.waitsForBlocks { return nil }
      return state.queue.isEmpty ? .some(nil) : state.queue.removeFirst()
    }
  }

  private func giveBack(_ blocks: ParsedBlocks) {
    blocks.clear()
    let wakes = state.withLock { state in
      state.free.append(blocks)
      return state.waitsForRoom && state.free.count > 1
    }
    if wakes { state.change { _ in } }
  }

  /// Whether filtering keeps no thread waiting: once reading has ended, the other thread takes part in it.
  private var hasTime: Bool {
    state.withLock { !$0.isEnded && $0.queue.count < Self.most / 2 }
  }

  /// Filters the next row. The row below is complete, so that nothing is predicted from the samples that change.
  private func filterRow() {
    PictureFilters(parameters, maps, reconstruction, offsets: offsets, from: filteredRows)
      .run(filteredRows)
    filteredRows += 1
  }
}
