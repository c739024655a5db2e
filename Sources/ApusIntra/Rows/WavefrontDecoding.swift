// SPDX-License-Identifier: MIT

internal import ApusThreads

/// Decodes the rows of a picture in parallel, using wavefronts.
@safe
final class WavefrontDecoding<Sample: FixedWidthInteger & UnsignedInteger & SendableMetatype>:
  Sendable
{
  private let exchange = RowExchange()
  private let lanes = Monitor(Lanes())

  private struct Lanes {
    /// Unused lanes that are ready for the picture.
    var ready: [Lane<Sample>] = []
    /// Lanes that this picture has not needed so far.
    var spare: [Lane<Sample>] = []
  }

  /// - Parameter lane: a lane that has begun the picture; the results of all lanes are combined in it.
  /// - Returns: whether every row is intact and ends where the next one begins. If so, samples and maps equal those of
  ///   sequential decoding, because each row began in the same state of the parser. If not, they are invalid.
  func decode(
    _ slices: [CodedSlice], _ rows: [CodedRow], _ parameters: CodingParameters,
    on lane: Lane<Sample>, with workers: any IdleWorkers
  ) -> Bool {
    let layout = parameters.layout
    exchange.begin(layout)
    lane.forgetRows()
    lanes.withLock { $0.ready = [lane] }
    // Each row is two blocks behind the one above.
    let most = min(workers.count, layout.rows, (layout.columns + 1) / 2)
    let work = RowWork(count: layout.rows, most: most) { [self] row in
      guard !exchange.hasFailed else { return }
      let own = take(parameters, beside: lane)
      let coded = rows[row]
      let above = row > 0 ? rows[row - 1].slice : nil
      let data = slices[coded.segment].data
      if !own.decode(row, coded, above, data.span, exchange) { exchange.fail() }
      lanes.withLock { $0.ready.append(own) }
    }
    workers.finish(work)
    let used = lanes.withLock { lanes in
      let used = lanes.ready
      lanes.ready = []
      lanes.spare += used.filter { $0 !== lane }
      return used
    }
    guard !exchange.hasFailed else { return false }
    for other in used where other !== lane {
      lane.merge(other)
      lane.reconstruction.strongSmoothing += other.reconstruction.strongSmoothing
    }
    return true
  }

  private func take(_ parameters: CodingParameters, beside other: Lane<Sample>) -> Lane<Sample> {
    let (ready, spare) = lanes.withLock { lanes -> (Lane<Sample>?, Lane<Sample>?) in
      if let lane = lanes.ready.popLast() { return (lane, nil) }
      return (nil, lanes.spare.popLast())
    }
    if let ready { return ready }
    let lane = spare ?? Lane(Reconstruction(beside: other.reconstruction))
    lane.begin(parameters)
    return lane
  }
}
