// SPDX-License-Identifier: MIT

public import Bytes
internal import Synchronization

/// Reads parameter sets and messages of the tracks and items of a file, which often have the same
/// ones: equal bytes are read once.
///
/// It keeps a few short lists only. Lists that are long, and those that were not asked for lately, are read anew.
public final class HeadersReader: Sendable {
  private struct Entry: Sendable {
    var nalUnits: [[UInt8]]
    var limits: Limits
    var headers: StreamHeaders
  }

  private struct State: Sendable {
    /// The one that was used last comes first.
    var entries: [Entry] = []
    var readings = 0
  }

  private let state = Mutex(State())
  /// How many lists are kept.
  private let room: Int

  private static let longest = 1 << 14

  public init(room: Int = 8) { self.room = room }

  /// How many lists were read, those that were found again not counted.
  public var readings: Int { state.withLock { $0.readings } }

  /// The headers of a record.
  public func headers(of record: DecoderConfigurationRecord) -> StreamHeaders {
    headers(of: record.arrays.flatMap(\.nalUnits))
  }

  /// The headers of a list; of equal lists under equal limits they are read once.
  public func headers(of nalUnits: [[UInt8]], limits: Limits = Limits()) -> StreamHeaders {
    let length = nalUnits.reduce(0) { $0 + $1.count }
    guard length <= Self.longest, nalUnits.count <= 64 else {
      state.withLock { $0.readings += 1 }
      return StreamHeaders(nalUnits, limits: limits)
    }
    let known = state.withLock { state -> StreamHeaders? in
      let place = state.entries.firstIndex { $0.limits == limits && $0.nalUnits == nalUnits }
      guard let place else {
        state.readings += 1
        return nil
      }
      if place > 0 { state.entries.insert(state.entries.remove(at: place), at: 0) }
      return state.entries[0].headers
    }
    if let known { return known }
    // Others may look things up meanwhile; what two read at once is kept twice, which does no harm.
    let headers = StreamHeaders(nalUnits, limits: limits)
    state.withLock { state in
      state.entries.insert(Entry(nalUnits: nalUnits, limits: limits, headers: headers), at: 0)
      if state.entries.count > room { state.entries.removeLast() }
    }
    return headers
  }
}
