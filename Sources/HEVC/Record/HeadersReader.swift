// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Synchronization

/// Reads parameter sets and messages of the tracks and items of a file, which are often the same: equal bytes are
/// parsed only once.
///
/// Only a few short lists are cached. Long lists, and those that were not used recently, are parsed again.
public final class HeadersReader: Sendable {
  private struct Entry: Sendable {
    var nalUnits: [[UInt8]]
    var limits: Limits
    var headers: StreamHeaders
  }

  private struct State: Sendable {
    /// The cached lists, the most recently used first.
    var entries: [Entry] = []
    var readings = 0
  }

  private let state = Mutex(State())
  /// The maximum number of cached lists.
  private let room: Int

  private static let longest = 1 << 14

  /// Creates a reader with an empty cache.
  ///
  /// - Parameter room: the most lists that are cached.
  public init(room: Int = 8) { self.room = room }

  /// The number of lists that were parsed instead of found in the cache.
  public var readings: Int { state.withLock { $0.readings } }

  /// Returns the headers of a record.
  public func headers(of record: DecoderConfigurationRecord) -> StreamHeaders {
    headers(of: record.arrays.flatMap(\.nalUnits))
  }

  /// Returns the headers of a list; equal lists under equal limits are parsed only once.
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
    // The lock is released during parsing; a list that two threads parse at once is cached twice, which is harmless.
    let headers = StreamHeaders(nalUnits, limits: limits)
    state.withLock { state in
      state.entries.insert(Entry(nalUnits: nalUnits, limits: limits, headers: headers), at: 0)
      if state.entries.count > room { state.entries.removeLast() }
    }
    return headers
  }
}
