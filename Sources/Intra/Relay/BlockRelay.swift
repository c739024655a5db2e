// SPDX-License-Identifier: MIT

internal import Threads

/// A picture that cannot be read by several threads: one reads it, and another one reconstructs and filters what was
/// read, as far as it gets while there is more to come.
///
/// Until another thread has come, the reading thread reconstructs as well. That thread stays to the end, and from then on
/// all blocks pass through the queue, so that they are reconstructed in their order.
///
/// May cross threads because everything but `state` belongs to one of the two: `reconstruction` to the reading thread
/// until that has seen that another one came, then to that one, and to the caller when both are done.
@safe
final class BlockRelay<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype>:
  @unchecked Sendable
{
  private let parameters: CodingParameters
  private let reconstruction: Reconstruction<Sample>
  /// The components that may have offsets, by the headers of the slices.
  let offsets: SIMD4<UInt8>
  private let state = Monitor(State())

  private struct State {
    var isTaken = false
    var isEnded = false
    var queue: [ParsedBlocks] = []
    var free: [ParsedBlocks] = []
    /// How many were made.
    var count = 0
    /// Whether the one thread waits for blocks, and the other for room.
    var waitsForBlocks = false
    var waitsForRoom = false
  }

  /// So many are enough for the time in which a row is filtered, and find room in the caches of a core.
  private static var most: Int { 5 }

  // Of the thread that reads.
  private var hasHelper = false
  private var handedRows = 0
  /// What goes on its way next.
  private var pending: ParsedBlocks?

  // Of the thread that reconstructs.
  private var maps = PictureMaps()
  private var wholeRows = 0
  /// How many rows were filtered, as `PictureFilters` does.
  private(set) var filteredRows = 0

  init(
    _ parameters: CodingParameters, _ reconstruction: Reconstruction<Sample>,
    offsets: SIMD4<UInt8>
  ) {
    self.parameters = parameters
    self.reconstruction = reconstruction
    self.offsets = offsets
  }

  /// Lets another thread take part while `body` reads and calls `add`, and at last `end`.
  func share(with workers: any IdleWorkers, while body: () -> Void) {
    // A closure, and no protocol that this class conforms to: those are not specialized.
    workers.share(RowWork(count: 1, most: 1) { [self] _ in takePart() }, while: body)
  }

  // MARK: - The thread that reads

  /// Takes what was read of a coding tree block.
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

  /// Nothing more is read.
  ///
  /// - Parameter isWhole: whether what is still on its way is worth anything.
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

  /// Whether filtering keeps no thread waiting: once all is read, the other thread takes part in it.
  private var hasTime: Bool {
    state.withLock { !$0.isEnded && $0.queue.count < Self.most / 2 }
  }

  /// Filters the next row. The one below it is whole, so that nothing is predicted any more from what changes.
  private func filterRow() {
    PictureFilters(parameters, maps, reconstruction, offsets: offsets, from: filteredRows)
      .run(filteredRows)
    filteredRows += 1
  }
}
