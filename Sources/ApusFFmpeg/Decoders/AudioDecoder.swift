// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// libavcodec as a decoder of sound. Belongs to one thread at a time, and is used like `VideoDecoder`.
///
/// Times are those that were sent. Samples that the encoder added before the first (priming) are returned like others:
/// the container decides which of them are heard.
@safe public final class AudioDecoder {
  /// The decoder, its library and version: `aac (libavcodec 59.37.100)`.
  public var name: String { decoder.name }
  /// The number of damaged samples, if damage is tolerated.
  public private(set) var damageCount = 0

  private let stream: CodedStream
  private let isSalvaging: Bool
  private let decoder: DecoderContext
  private var times = SentTimes()
  /// The end time of the last sound that was returned, for sound without a time.
  private var end: Int64?

  /// Opens a decoder for a stream; throws if libavcodec has none or refuses the configuration.
  public init(
    _ stream: CodedStream, options: DecoderOptions = DecoderOptions()
  ) throws(MediaError) {
    self.stream = stream
    isSalvaging = options.isSalvaging
    decoder = try unsafe DecoderContext(stream, options: options, library: LibAV.load()) {
      unsafe $0.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    }
  }

  /// Adds a coded frame that is heard from `presentationTime` on, in units of the stream's timescale.
  public func send(_ bytes: RawSpan, presentationTime: Int64) throws(MediaError) {
    times.add(presentationTime)
    let refusal = try decoder.send(
      bytes, decodeTime: presentationTime, presentationTime: presentationTime, duration: 0,
      isKey: true)
    try look(at: refusal)
  }

  /// Marks the end of the input.
  public func finish() throws(MediaError) { try look(at: decoder.finish()) }

  /// Returns the next sound; `nil` if another sample is needed first, or after the last.
  public func next() throws(MediaError) -> AudioFrame? {
    while true {
      let (frame, refusal) = try unsafe decoder.next()
      if let frame = unsafe frame {
        let time = unsafe time(of: frame)
        let sound = unsafe AudioFrame(
          owning: frame, time: RationalTime(time, per: stream.timescale),
          library: decoder.library)
        end = sound.duration.rounded(to: stream.timescale).map { time &+ $0 }
        if unsafe decoder.library.damage(of: frame) != nil {
          try damage("is marked as damaged by the decoder", at: time)
        }
        return sound
      }
      try look(at: refusal)
      if refusal == nil { return nil }
    }
  }

  /// Discards what was sent, to continue elsewhere.
  public func restart() {
    decoder.restart()
    times = SentTimes()
    end = nil
  }

  private func time(of frame: UnsafeMutablePointer<AVFrame>) -> Int64 {
    let time = unsafe frame.pointee.pts == apus_no_time ? end ?? times.next : frame.pointee.pts
    times.remove(upTo: time)
    return time
  }

  private func look(at refusal: String?) throws(MediaError) {
    guard let refusal else { return }
    try damage("cannot be decoded: \(refusal)", at: times.next)
  }

  private func damage(_ message: String, at time: Int64) throws(MediaError) {
    guard isSalvaging else {
      throw MediaError(
        .corrupt, message, at: .time(RationalTime(time, per: stream.timescale)), remedy: .salvage)
    }
    damageCount += 1
  }
}
