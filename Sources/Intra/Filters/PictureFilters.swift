// SPDX-License-Identifier: MIT

internal import Threads

/// The filters of a picture that is decoded, row by row of coding tree blocks, side by side: 8.7.
///
/// Invariants: horizontal edges are filtered when vertical ones are, in their row and the one above, of whose lowest
/// lines they change three. Offsets are added when a row's horizontal edges and those of the row below are filtered;
/// they read one line beyond their row and write to other memory. So no two threads touch the same samples at once.
/// Rows are started in order, and wait only for rows above. It may cross threads because all else is only read.
@safe
final class PictureFilters<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype>:
  @unchecked Sendable
{
  private let deblocking: DeblockingFilter<Sample>?
  private let offsets: [OffsetFilter<Sample>]
  private let rows: Int
  private let stages: Monitor<[Stage]>

  private enum Stage: Int {
    case begun, vertical, horizontal
  }

  init(rows: Int, _ deblocking: DeblockingFilter<Sample>?, _ offsets: [OffsetFilter<Sample>]) {
    unsafe self.deblocking = unsafe deblocking
    unsafe self.offsets = unsafe offsets
    self.rows = rows
    stages = Monitor(Array(repeating: .begun, count: rows))
  }

  func run(with workers: any IdleWorkers) {
    workers.finish(RowWork(count: rows, most: min(workers.count, rows)) { [self] in run($0) })
  }

  private func run(_ row: Int) {
    if let deblocking = unsafe deblocking {
      unsafe deblocking.vertical(row)
      reach(.vertical, row)
      wait(for: .vertical, row - 1)
      unsafe deblocking.horizontal(row)
    }
    reach(.horizontal, row)
    wait(for: .horizontal, row - 1)
    for index in unsafe offsets.indices {
      if row > 0 { unsafe offsets[index].run(row - 1) }
      if row == rows - 1 { unsafe offsets[index].run(row) }
    }
  }

  private func reach(_ stage: Stage, _ row: Int) { stages.change { $0[row] = stage } }

  private func wait(for stage: Stage, _ row: Int) {
    guard row >= 0 else { return }
    stages.wait { $0[row].rawValue >= stage.rawValue ? () : nil }
  }
}
