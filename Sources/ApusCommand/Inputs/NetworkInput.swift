// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusForeign
import ApusMedia
import ApusPresentations
import ApusSamples

/// An input at an address, which only its opener reads: as bytes it is empty.
final class NetworkInput: ByteSource {
  let address: NetworkAddress
  private let options: NetworkOptions
  private let stopping: NetworkStop

  init(_ address: NetworkAddress, _ options: NetworkOptions) {
    (self.address, self.options) = (address, options)
    stopping = NetworkStop(options)
  }

  var count: Int { 0 }
  var resident: [UInt8]? { [] }
  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {}

  /// Ends the input as if it were over, from any thread.
  func stop() { stopping.stop() }

  /// Connects, and waits for the beginning.
  func open(_ opening: OpeningOptions) throws -> MediaInput {
    switch address.scheme {
    case .rtsp, .rtsps, .rtp:
      let source = try ForeignLiveSource(address, options, stopping, limits: opening.limits)
      return MediaInput(coded: source, kind: .unknown, warnings: source.warnings)
    case .udp, .http, .https:
      return try opened(NetworkLink(address, options, stopping), opening)
    }
  }

  /// Returns the openers of what a server has, also of what its playlists name.
  ///
  /// - Parameters:
  ///   - limit: the most bytes that a file may have.
  ///   - following: the means to follow live playlists; `nil` refuses them.
  fileprivate func openers(_ limit: Int, _ following: HLSFollowing? = nil) -> [any MediaOpener] {
    let (options, stopping) = (options, stopping)
    return [
      ForeignOpener(),
      PlaylistOpener(mayLeaveFolder: true, following: following) {
        try WebSource($0, options, stopping, limit: limit)
      },
    ]
  }

  /// Downloads the file at the address; throws for what has no end.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  func downloaded(limit: Int) throws -> DownloadedInput {
    guard address.scheme == .http || address.scheme == .https else {
      throw MediaError(.unsupported, "has no end; apus doctor shows what comes from there")
    }
    return DownloadedInput(
      try WebSource(address.url, options, stopping, limit: limit), openers: openers(limit))
  }

  private func opened(_ link: NetworkLink, _ opening: OpeningOptions) throws -> MediaInput {
    var first: [UInt8] = []
    while first.count < FileKind.prefixLength, let more = try link.read() { first += more }
    var opening = opening
    let stopping = stopping
    let limit = opening.limits.pipe
    opening.openers = openers(
      limit, HLSFollowing(patience: options.patience) { try stopping.wait($0) })
    switch FileKind(prefix: first) {
    case .isoBMFF, .avi, .m3u8:
      // These are read in more than one place, or name other files.
      let file = try WebSource(
        link, after: first, location: link.location ?? address.url, limit: limit)
      return try MediaInput.open(file, options: opening)
    default:
      return try MediaInput.open(growing: { try link.read() }, after: first, options: opening)
    }
  }
}

/// A file that was downloaded as a whole.
final class DownloadedInput: LocatedSource {
  /// The openers of what it is, and of what it names.
  let openers: [any MediaOpener]
  private let file: WebSource

  init(_ file: WebSource, openers: [any MediaOpener]) {
    (self.file, self.openers) = (file, openers)
  }

  var location: String { file.location }
  var count: Int { file.count }
  var resident: [UInt8]? { file.resident }
  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    try file.read(range, into: &output)
  }
}

/// Opens inputs at addresses.
struct NetworkOpener: MediaOpener {
  func open(_ source: any ByteSource, of kind: FileKind, options: OpeningOptions) throws
    -> OpenedMedia?
  {
    guard let input = source as? NetworkInput else { return nil }
    let media = try input.open(options)
    var opened = OpenedMedia(StoppedSource(source: media.source), warnings: media.warnings)
    opened.isGrowing = media.isGrowing
    return opened
  }
}

/// A source that ends where it is stopped. The picture that was coming then is left out.
private struct StoppedSource: SampleSource, Sendable {
  var source: any SampleSource & Sendable

  var tracks: [CodedTrack] { source.tracks }
  var details: MediaDetails { source.details }
  var repairs: [String] { source.repairs }

  mutating func next() throws -> SourceEvent? {
    do {
      return try source.next()
    } catch let error as MediaError where error.kind == .cancelled {
      return nil
    }
  }
}
