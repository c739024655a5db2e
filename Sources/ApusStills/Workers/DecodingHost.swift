// SPDX-License-Identifier: MIT

package import ApusMedia
internal import Synchronization

/// A place outside this process in which C libraries decode pictures for one thread at a time.
package protocol DecodingHost: AnyObject {
  func decoder(
    _ library: LoadedDecoder, salvaging: Bool, threads: Int
  ) throws(MediaError) -> any SalvagingDecoder
}

/// The program's choice where C libraries decode: in its own process, unless it sets a host.
package enum DecodingHosts {
  private static let hosts = Mutex<(@Sendable () -> (any DecodingHost)?)?>(nil)

  /// Sets the function that creates a host for a thread; `nil` if this process decodes itself, as a confined one does.
  package static func use(_ make: (@Sendable () -> (any DecodingHost)?)?) {
    hosts.withLock { $0 = make }
  }

  fileprivate static func make() -> (any DecodingHost)? { hosts.withLock { $0 }?() }
}

/// Loads C libraries as the decoders of one worker, in the place that the program has chosen.
final class LibraryDecoders {
  private lazy var host = DecodingHosts.make()

  func decoder(
    _ library: LoadedDecoder, salvaging: Bool, threads: Int
  ) throws(MediaError) -> any SalvagingDecoder {
    if let host { return try host.decoder(library, salvaging: salvaging, threads: threads) }
    return try library.load(salvaging: salvaging, threads: threads)
  }
}
