// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusSamples

/// Keeps payloads for an output that writes them at its end: those in a file stay there, those in memory are moved to a
/// nameless file once there are many.
struct PayloadSpool {
  private var file: SpoolSource?
  private var held = 0
  /// The number of bytes that may stay in memory.
  private let room: Int

  init(room: Int = 64 << 20) { self.room = room }

  mutating func keep(_ sample: inout CodedSample) throws {
    // A part of an input that is in memory anyway costs nothing more.
    guard sample.payload.source.resident?.count == sample.payload.count else { return }
    held += sample.payload.count
    guard held > room else { return }
    let bytes = try sample.payload.bytes()
    let spool: SpoolSource
    if let file { spool = file } else { spool = try SpoolSource() }
    file = spool
    let known = sample.hasParameterSets
    sample.payload = Extent(spool, try spool.append(bytes.span))
    sample.hasParameterSets = known
  }
}
