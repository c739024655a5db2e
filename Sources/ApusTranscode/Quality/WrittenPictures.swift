// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// The pictures of a written video, decoded one after the other.
struct WrittenPictures {
  let track: CodedTrack
  private let index: Int
  private var source: any SampleSource & Sendable
  private var decoder: VideoDecoder
  private var isEnded = false
  /// The next decoder, used once the previous one has returned its pictures.
  private var following: VideoDecoder?

  init(_ source: any SampleSource & Sendable, track index: Int) throws {
    self.source = source
    self.index = index
    track = source.tracks[index]
    decoder = try Self.decoder(of: track)
  }

  private static func decoder(of track: CodedTrack) throws -> VideoDecoder {
    guard let stream = CodedStream(track) else {
      throw MediaError(.unsupported, of: .part(track.name), "has an unknown coding")
    }
    return try VideoDecoder(stream, traits: track.picture)
  }

  /// Returns the next picture in presentation order; `nil` after the last.
  mutating func next() throws -> VideoFrame? {
    while true {
      if let frame = try decoder.next() { return frame }
      if let following {
        decoder = following
        self.following = nil
      } else if isEnded {
        return nil
      }
      try send()
    }
  }

  private mutating func send() throws {
    while let event = try source.next() {
      switch event {
      case .format(index, let format):
        var track = track
        track.format = format
        try decoder.finish()
        following = try Self.decoder(of: track)
        return
      case .sample(let sample) where sample.track == index:
        let bytes = try sample.payload.bytes()
        guard let decoded = sample.decodeTime.rounded(to: track.timescale),
          let shown = sample.presentationTime.rounded(to: track.timescale)
        else { throw MediaError(.limit, of: .part(track.name), "has times that are out of range") }
        try unsafe decoder.send(
          bytes.span.bytes, decodeTime: decoded, presentationTime: shown,
          duration: sample.duration.flatMap { $0.rounded(to: track.timescale) } ?? 0,
          isKey: sample.isSync)
        return
      default: continue
      }
    }
    isEnded = true
    try decoder.finish()
  }
}
