// SPDX-License-Identifier: MIT

package import Media
internal import Synchronization

/// A place outside this process where C libraries decode pictures for one thread at a time.
package protocol DecodingHost: AnyObject {
  func decoder(
    _ library: LoadedDecoder, salvaging: Bool, threads: Int
  ) throws(MediaError) -> any SalvagingDecoder
}

/// The choice of a program whether C libraries may decode in its own process. They do unless it says otherwise.
package enum DecodingHosts {
  private static let hosts = Mutex<(@Sendable () -> (any DecodingHost)?)?>(nil)

  /// Sets what makes a host for a thread; `nil` where this process decodes itself, as one that is confined.
  package static func use(_ make: (@Sendable () -> (any DecodingHost)?)?) {
    hosts.withLock { $0 = make }
  }

  fileprivate static func make() -> (any DecodingHost)? { hosts.withLock { $0 }?() }
}

/// Opens C libraries as the decoders of one worker, where the program wants them to decode.
final class LibraryDecoders {
  private lazy var host = DecodingHosts.make()

  func decoder(
    _ library: LoadedDecoder, salvaging: Bool, threads: Int
  ) throws(MediaError) -> any SalvagingDecoder {
    if let host { return try host.decoder(library, salvaging: salvaging, threads: threads) }
    return try library.load(salvaging: salvaging, threads: threads)
  }
}
