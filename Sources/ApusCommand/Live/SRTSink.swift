// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusLive
import ApusMedia
import ApusSamples

/// Sends a stream over SRT, as an MPEG transport stream.
final class SRTSink: StreamSink {
  let name: String
  private let link: SRTLink

  init(_ address: SRTAddress) throws(MediaError) {
    name = "\(address)"
    link = try SRTLink(address)
  }

  func losses(of tracks: [CodedTrack]) throws(MediaError) -> [String] {
    do {
      let plan = try Self.job(BareTracks(tracks: tracks)).plan
      return plan.leftOut.map { "\($0.name) \($0.reason) and is left out" } + plan.warnings
    } catch {
      throw MediaError(error)
    }
  }

  func open() throws { try link.open(writes: true) }

  func send(_ source: any SampleSource & Sendable) throws {
    let job = try Self.job(source)
    var bytes = LinkBytes(link)
    do {
      _ = try job.writeAndWait(to: &bytes)
    } catch {
      link.close()
      throw bytes.failure.error ?? error
    }
    try link.finish()
  }

  func cancel() { link.cancel() }

  private static func job(_ source: any SampleSource & Sendable) throws -> RemuxJob {
    var options = RemuxJob.Options(.ts)
    options.muxers = ForeignMuxerMaker()
    return try RemuxJob(MediaInput(coded: source, kind: .mpegTS), options: options)
  }
}

/// Tracks without samples.
private struct BareTracks: SampleSource {
  let tracks: [CodedTrack]

  func next() -> SourceEvent? { nil }
}

/// Writes the bytes of a transport stream to a connection, and flushes them after each sample.
private struct LinkBytes: ByteSink {
  /// Keeps the error, since a sink can only throw a `SyntaxError`.
  final class Failure {
    var error: MediaError?
  }

  private(set) var count = 0
  let failure = Failure()
  private let link: SRTLink

  init(_ link: SRTLink) { self.link = link }

  mutating func append(_ byte: UInt8) throws(SyntaxError) { try append([byte].span) }

  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    do throws(MediaError) {
      try link.write(bytes)
    } catch {
      throw noted(error)
    }
    count += bytes.count
  }

  mutating func passOn() throws(SyntaxError) {
    do throws(MediaError) {
      try link.flush()
    } catch {
      throw noted(error)
    }
  }

  private func noted(_ error: MediaError) -> SyntaxError {
    failure.error = error
    return SyntaxError(.io, field: "connection", detail: error.detail)
  }
}
