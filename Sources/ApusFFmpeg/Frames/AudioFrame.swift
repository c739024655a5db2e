// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// Decoded sound: a number of samples of each channel.
@safe public final class AudioFrame: @unchecked Sendable {
  // The library counts references atomically, and nothing writes to the samples.
  let library: LibAV
  let frame: UnsafeMutablePointer<AVFrame>
  /// The time at which its first sample is heard.
  public let time: RationalTime

  /// Takes ownership of the frame.
  init(owning frame: UnsafeMutablePointer<AVFrame>, time: RationalTime, library: LibAV) {
    unsafe self.frame = unsafe frame
    self.time = time
    self.library = library
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe library.call.av_frame_free(&frame)
  }

  /// The number of samples per second and channel.
  public var sampleRate: Int { unsafe Int(frame.pointee.sample_rate) }
  /// The number of channels.
  public var channels: Int { unsafe Int(frame.pointee.ch_layout.nb_channels) }
  /// The number of samples of each channel.
  public var sampleCount: Int { unsafe Int(frame.pointee.nb_samples) }
  /// The exact duration: the number of samples divided by their rate.
  public var duration: RationalTime {
    RationalTime(Int64(sampleCount), per: UInt32(clamping: sampleRate))
  }

  /// The library's name for the layout of samples: `fltp`, `s16`.
  public var sampleFormat: String {
    let name = unsafe library.call.av_get_sample_fmt_name(AVSampleFormat(frame.pointee.format))
    return unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
  }

  /// The library's name for the speakers: `stereo`, `5.1(side)`.
  public var channelLayout: String { unsafe library.name(of: &frame.pointee.ch_layout) }

  /// Returns the same sound at another time.
  public func moved(to time: RationalTime) throws(MediaError) -> AudioFrame {
    guard let frame = unsafe library.call.av_frame_clone(frame) else {
      throw .noMemory("sound")
    }
    return unsafe AudioFrame(owning: frame, time: time, library: library)
  }

  /// Calls `body` with the samples in memory: those of one channel for planar formats, those of all for the others,
  /// which have one plane.
  public func withSamples<Result, Failure: Error>(
    ofPlane plane: Int, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let format = unsafe AVSampleFormat(frame.pointee.format)
    let isPlanar = library.call.av_sample_fmt_is_planar(format) == 1
    guard plane >= 0, plane < (isPlanar ? channels : 1),
      let data = unsafe frame.pointee.extended_data?[plane]
    else { return nil }
    let size = Int(library.call.av_get_bytes_per_sample(format))
    let count = sampleCount * size * (isPlanar ? 1 : channels)
    return try body(unsafe RawSpan(_unsafeStart: UnsafeRawPointer(data), byteCount: count))
  }
}
