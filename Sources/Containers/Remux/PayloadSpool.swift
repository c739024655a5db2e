// SPDX-License-Identifier: MIT

internal import Bytes
internal import Files
internal import Flow

/// Keeps payloads for an output that writes them at its end: those in a file stay there, those in memory go
/// into a nameless file once they are many.
struct PayloadSpool {
  private var file: SpoolSource?
  private var held = 0
  /// How many bytes may stay in memory.
  private let room: Int

  init(room: Int = 64 << 20) { self.room = room }

  mutating func keep(_ sample: inout CodedSample) throws {
    // A part of an input in memory costs nothing more.
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
