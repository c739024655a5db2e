// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A connection through one of libavformat's protocols, opened by an address.
///
/// One thread opens it, reads or writes, and closes it; others may only call `cancel`.
@safe public final class ForeignConnection: @unchecked Sendable {
  // The context is only used by the one thread that uses the connection.
  private let library: LibAVFormat
  private let name: String
  private var context: UnsafeMutablePointer<AVIOContext>?
  private let interruption: ForeignInterruption
  private let hasEnd: Bool

  private static let room = 1 << 15

  /// - Parameters:
  ///   - name: the name of the connection in messages.
  ///   - interruption: ends its calls, and limits their silences.
  ///   - hasEnd: whether the protocol signals the end; if not, a lost connection is one.
  public init(
    named name: String, _ interruption: ForeignInterruption = ForeignInterruption(),
    hasEnd: Bool = true
  ) throws(MediaError) {
    library = try LibAVFormat.load()
    self.name = name
    self.interruption = interruption
    self.hasEnd = hasEnd
  }

  deinit { close() }

  /// Returns whether the library supports the protocol of an address.
  public func knows(_ url: String) -> Bool {
    unsafe library.call.avio_find_protocol_name(url) != nil
  }

  /// Connects, or waits for a peer to connect.
  ///
  /// - Parameter options: options of the protocol, by name.
  public func open(_ url: String, writes: Bool, _ options: [ForeignTag]) throws(MediaError) {
    close()
    _ = library.call.avformat_network_init()
    var dictionary: OpaquePointer?
    defer { unsafe library.call.av_dict_free(&dictionary) }
    try unsafe set(options, in: &dictionary, library)
    var callback = unsafe interruption.callback
    interruption.wait()
    let flags = writes ? AVIO_FLAG_WRITE : AVIO_FLAG_READ
    let code =
      unsafe library.call.avio_open2(&context, url, flags, &callback, &dictionary)
    guard code >= 0, unsafe context != nil else {
      if interruption.isLate {
        throw MediaError(.io, of: .part(name), "does not answer in time")
      }
      let isRefused = [apus_error_unauthorized, apus_error_forbidden].contains(code)
      throw MediaError(
        isRefused ? .misuse : .io, "cannot connect to \(name) (\(library.codecs.text(code)))")
    }
  }

  /// Waits for the next bytes and returns them; returns `nil` when the other side has ended.
  public func read() throws(MediaError) -> [UInt8]? {
    guard let context = unsafe context else { return nil }
    interruption.wait()
    var bytes = [UInt8](repeating: 0, count: Self.room)
    let code = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe library.call.avio_read_partial(context, buffer.baseAddress, Int32(buffer.count))
    }
    if code == apus_error_eof || code == 0 || (!hasEnd && code == apus_error_io) { return nil }
    guard code > 0 else {
      if interruption.isLate { throw MediaError(.io, of: .part(name), "sends nothing") }
      throw MediaError(
        .io, of: .part(name), "cannot be read (\(library.codecs.text(code)))")
    }
    bytes.removeLast(bytes.count - Int(code))
    return bytes
  }

  /// The address to which the other side redirected; `nil` if it did not, or if its protocol has no redirections.
  public var location: String? {
    guard let context = unsafe context else { return nil }
    var text: UnsafeMutablePointer<UInt8>?
    guard
      unsafe library.call.av_opt_get(context, "location", AV_OPT_SEARCH_CHILDREN, &text) >= 0,
      let text = unsafe text
    else { return nil }
    defer { unsafe library.call.av_free(text) }
    let location = unsafe String(cString: text)
    return location.isEmpty ? nil : location
  }

  /// Sends bytes, waiting while there is no room.
  public func write(_ bytes: Span<UInt8>) throws(MediaError) {
    guard let context = unsafe context else {
      throw MediaError(.io, "there is no connection to \(name)")
    }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe library.call.avio_write(context, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    try unsafe check(context)
  }

  /// Sends buffered bytes.
  public func flush() throws(MediaError) {
    guard let context = unsafe context else { return }
    unsafe library.call.avio_flush(context)
    try unsafe check(context)
  }

  @unsafe private func check(_ context: UnsafeMutablePointer<AVIOContext>) throws(MediaError) {
    let code = unsafe context.pointee.error
    guard code < 0 else { return }
    throw MediaError(.io, "the connection to \(name) is lost (\(library.codecs.text(code)))")
  }

  /// Closes the connection; does nothing if it is not open.
  public func close() {
    guard let open = unsafe context else { return }
    unsafe context = nil
    _ = unsafe library.call.avio_close(open)
  }

  /// Makes the current call, and every later one, end with an error; callable from any thread.
  public func cancel() { interruption.interrupt() }
}
