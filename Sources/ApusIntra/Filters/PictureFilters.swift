// SPDX-License-Identifier: MIT

internal import ApusThreads

/// The filters of a decoded picture, applied to one row of coding tree blocks after the other or in parallel: 8.7.
///
/// Invariants: horizontal edges are filtered after the vertical ones in their row and in the one above, of which they
/// change the lowest three lines. Offsets are added after a row's horizontal edges and those of the row below are
/// filtered; they read one line beyond their row and write to other memory. So no two threads access the same samples
/// at once. Rows are started in order, and wait only for rows above. It may cross threads because everything else is
/// only read.
@safe
final class PictureFilters<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype>:
  @unchecked Sendable
{
  /// The planes that hold the final samples.
  @unsafe let planes: [PlaneMemory<Sample>]
  private let deblocking: DeblockingFilter<Sample>?
  private let offsets: [OffsetFilter<Sample>]
  private let rows: Range<Int>
  private let stages: Monitor<[Stage]>

  private enum Stage: Int {
    case begun, vertical, horizontal
  }

  /// - Parameters:
  ///   - offsets: the components that have offsets.
  ///   - first: the first row that is not filtered yet.
  init(
    _ parameters: CodingParameters, _ maps: PictureMaps, _ reconstruction: Reconstruction<Sample>,
    offsets components: SIMD4<UInt8>, from first: Int = 0
  ) {
    let picture = reconstruction.picture
    var planes = unsafe picture.planes
    if maps.slices.contains(where: { !$0.isDeblockingDisabled }) {
      unsafe deblocking = unsafe DeblockingFilter(parameters, maps, planes, reconstruction.grid)
    } else {
      unsafe deblocking = nil
    }
    var offsets: [OffsetFilter<Sample>] = unsafe []
    if components != .zero {
      picture.beginOffsets(parameters)
      for component in unsafe planes.indices where components[component] != 0 {
        let filtered = unsafe picture.filtered[component]
        unsafe offsets.append(
          OffsetFilter(parameters, maps, component, planes[component], filtered))
        unsafe planes[component] = unsafe filtered
      }
    }
    unsafe self.offsets = unsafe offsets
    unsafe self.planes = unsafe planes
    rows = first..<parameters.layout.rows
    stages = Monitor((0..<rows.upperBound).map { $0 < first ? .horizontal : .begun })
  }

  deinit { unsafe deblocking?.deallocate() }

  /// - Parameter workers: the workers that may take part.
  func run(with workers: (any IdleWorkers)?) {
    guard unsafe deblocking != nil || !offsets.isEmpty else { return }
    guard let workers else {
      for row in rows { run(row) }
      return
    }
    let first = rows.lowerBound
    workers.finish(
      RowWork(count: rows.count, most: min(workers.count, rows.count)) { [self] in
        run(first + $0)
      })
  }

  func run(_ row: Int) {
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
      if row == rows.upperBound - 1 { unsafe offsets[index].run(row) }
    }
  }

  private func reach(_ stage: Stage, _ row: Int) { stages.change { $0[row] = stage } }

  private func wait(for stage: Stage, _ row: Int) {
    guard row >= 0 else { return }
    stages.wait { $0[row].rawValue >= stage.rawValue ? () : nil }
  }
}
