// SPDX-License-Identifier: MIT

internal import CApusFFmpeg
internal import Synchronization

/// The messages that the libraries log in addition to their error codes. None is printed; errors go to the thread that
/// listens.
enum LibraryLog {
  private struct State: Sendable {
    /// The threads that wait for one of their calls to return, with the messages logged for each.
    var listeners: [UInt: [String]] = [:]
    /// The watches by their address, which is the `opaque` of their decoders' contexts.
    var watches: [UInt: WeakWatch] = [:]
    /// The logs of containers by the address of their contexts.
    var containers: [UInt: ContainerLog] = [:]
  }

  private struct WeakWatch: Sendable {
    weak let watch: DecoderWatch?
  }

  private static let state = Mutex(State())

  static func attach(_ library: LibAV) {
    unsafe withUnsafePointer(to: library.call) { table in
      unsafe apus_listen(table) { object, level, line in
        let isError = level <= AV_LOG_ERROR
        if let container = unsafe apus_container_of(object) {
          unsafe LibraryLog.note(container, line, isError: isError)
        }
        if isError { unsafe LibraryLog.note(object, line) }
      }
    }
  }

  /// Makes a log keep the messages about a container, until it is removed.
  static func add(_ log: ContainerLog, for container: UInt) {
    state.withLock { $0.containers[container] = log }
  }

  static func remove(container: UInt) {
    state.withLock { $0.containers[container] = nil }
  }

  @unsafe private static func note(
    _ container: UnsafeRawPointer, _ message: UnsafePointer<CChar>, isError: Bool
  ) {
    let address = UInt(bitPattern: container)
    guard let log = state.withLock({ $0.containers[address] }) else { return }
    let line = unsafe text(message)
    if !line.isEmpty { log.note(line, isError: isError) }
  }

  /// Runs a call and returns the messages logged on this thread meanwhile.
  static func listening<Result>(_ body: () -> Result) -> (Result, words: String) {
    let thread = apus_thread()
    state.withLock { $0.listeners[thread] = [] }
    let result = body()
    let lines = state.withLock { $0.listeners.removeValue(forKey: thread) } ?? []
    return (result, lines.joined(separator: "; "))
  }

  /// Passes errors to a watch from now on.
  static func add(_ watch: DecoderWatch) {
    state.withLock { $0.watches[watch.address] = WeakWatch(watch: watch) }
  }

  static func remove(_ address: UInt) {
    state.withLock { $0.watches[address] = nil }
  }

  @unsafe private static func note(
    _ object: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>
  ) {
    let codec = unsafe apus_codec_of(object)
    let address = unsafe UInt(bitPattern: codec?.pointee.opaque)
    let thread = apus_thread()
    let (watch, isHeard) = state.withLock {
      ($0.watches[address]?.watch, $0.listeners[thread] != nil)
    }
    guard watch != nil || isHeard else { return }
    let line = unsafe text(message)
    guard !line.isEmpty else { return }
    watch?.note(line, by: UInt(bitPattern: codec))
    guard isHeard else { return }
    state.withLock { state in
      guard let lines = state.listeners[thread], lines.count < 4, !lines.contains(line) else {
        return
      }
      state.listeners[thread]?.append(line)
    }
  }

  @unsafe private static func text(_ message: UnsafePointer<CChar>) -> String {
    var line = unsafe Substring(String(cString: message))
    while let last = line.last, last.isWhitespace || last == "." { line.removeLast() }
    return String(line)
  }
}
