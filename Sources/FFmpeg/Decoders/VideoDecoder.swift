// SPDX-License-Identifier: MIT

internal import AVC
internal import Bytes
internal import CFFmpeg
public import Media

/// libavcodec as a decoder of moving pictures. Belongs to one thread at a time.
///
/// Samples go in by `send` in decoding order; after each, `next` is asked for pictures until it has none. They come in
/// the order in which they are shown, cropped as the stream says.
///
/// Strict unless it salvages: what the decoder refuses, makes up, or predicts from pictures that are not there throws,
/// with the time. Pictures that a random access point leads and that cannot be decoded for it (RASL) are no damage
/// where the stream begins; they are left out, as the standard says.
@safe public final class VideoDecoder {
  /// The decoder, its library and version: `hevc (libavcodec 59.37.100)`.
  public var name: String { decoder.name }
  /// Pictures and samples with damage, of one that salvages.
  public private(set) var damageCount = 0

  private let stream: CodedStream
  private let traits: PictureTraits
  private let isSalvaging: Bool
  private let watch: DecoderWatch
  private let decoder: DecoderContext
  private let framing: UnitFraming?
  private var times = SentTimes()
  private var hasBegun = false

  /// - Parameter traits: what the container says of the pictures.
  public init(
    _ stream: CodedStream, traits: PictureTraits = PictureTraits(),
    options: DecoderOptions = DecoderOptions()
  ) throws(MediaError) {
    let library = try LibAV.load()
    let codec = stream.pictureCodec
    let watch = DecoderWatch(library, codec: codec)
    LibraryLog.add(watch)
    self.stream = stream
    self.traits = traits
    self.watch = watch
    isSalvaging = options.isSalvaging
    framing = codec.flatMap { codec in
      stream.configuration.first == 1
        ? UnitFraming(CodedPicture(codec: codec, configuration: stream.configuration, samples: []))
        : nil
    }
    decoder = try unsafe DecoderContext(
      stream, options: options, library: library, watch: watch
    ) { context in
      unsafe context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
      // What lies left of the crop window moves the first sample to anywhere.
      unsafe context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
      if options.isSalvaging {
        unsafe context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
      }
      guard codec != nil else { return }
      unsafe context.pointee.get_buffer2 = { context, frame, flags in
        unsafe DecoderWatch.allocate(context, frame, flags)
      }
      unsafe apus_allow_parallel_allocation(context)
    }
  }

  /// Takes one access unit.
  ///
  /// - Parameters:
  ///   - bytes: NAL units framed as the configuration says: with lengths, or as a byte stream where there is none.
  ///   - presentationTime: in units of the stream's timescale; so is `duration`, 0 where unknown.
  public func send(
    _ bytes: RawSpan, decodeTime: Int64, presentationTime: Int64, duration: Int64 = 0,
    isKey: Bool = false
  ) throws(MediaError) {
    if !hasBegun {
      hasBegun = true
      watch.begin(at: presentationTime)
      if stream.pictureCodec == .avc {
        let bytes = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
        watch.allowGaps(AVCSequenceParameterSet.allowGaps(stream.configuration, sample: bytes))
      }
    }
    if let framing, let codec = stream.pictureCodec {
      let sample = CodedPicture(
        codec: codec, configuration: [],
        samples: [unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }])
      do throws(MediaError) {
        try framing.check(sample)
      } catch {
        try damage(error.at(moment(presentationTime)))
      }
    }
    times.add(presentationTime)
    let refusal = try decoder.send(
      bytes, decodeTime: decodeTime, presentationTime: presentationTime, duration: duration,
      isKey: isKey)
    try look(at: refusal)
  }

  /// Says that no sample follows: what is kept back for its order comes out of `next`.
  public func finish() throws(MediaError) { try look(at: decoder.finish()) }

  /// The next picture; `nil` where it takes another sample, or after the last.
  public func next() throws(MediaError) -> VideoFrame? {
    while true {
      let (frame, refusal) = try unsafe decoder.next()
      if let frame = unsafe frame {
        let picture = unsafe VideoFrame(
          owning: frame, time: moment(time(of: frame)), duration: apus_duration(frame),
          library: decoder.library)
        try look(at: nil)
        if let error = damage(of: picture) { try damage(error) }
        return try finished(picture)
      }
      try look(at: refusal)
      if refusal == nil { return nil }
    }
  }

  /// Forgets what was sent, to go on at a key frame somewhere else.
  public func restart() {
    decoder.restart()
    hasBegun = false
    times = SentTimes()
    _ = watch.takeComplaints()
  }

  private func moment(_ time: Int64) -> RationalTime { RationalTime(time, per: stream.timescale) }

  private func time(of frame: UnsafeMutablePointer<AVFrame>) -> Int64 {
    let known = unsafe [frame.pointee.pts, frame.pointee.best_effort_timestamp]
    let time = known.first { $0 != apus_no_time } ?? times.next
    times.remove(upTo: time)
    return time
  }

  /// Throws what was said of samples, or counts it.
  private func look(at refusal: String?) throws(MediaError) {
    if let refusal {
      let words = watch.takeWords()
      // Threads of the decoder say theirs to the watch alone.
      let isSaid = words.isEmpty || refusal.holds(words)
      let text = isSaid ? refusal : "\(refusal) (\(words))"
      try damage(MediaError(.corrupt, "cannot be decoded: \(text)", at: moment(times.next)))
    }
    for complaint in watch.takeComplaints() {
      let time = moment(complaint.time ?? times.next)
      try damage(
        MediaError(
          .incomplete, "is predicted from a missing picture (\(complaint.words))",
          at: time))
    }
  }

  private func damage(_ error: MediaError) throws(MediaError) {
    guard isSalvaging else {
      var error = error
      error.remedy = .salvage
      throw error
    }
    damageCount += 1
  }

  private func damage(of picture: VideoFrame) -> MediaError? {
    if let error = unsafe decoder.library.damage(of: picture.frame) {
      return error.at(picture.time)
    }
    guard let block = unsafe watch.uncovered(picture.frame) else { return nil }
    return MediaError(
      .incomplete,
      "lacks part of its picture: no slice covers the block at column \(block.x), row \(block.y)",
      at: picture.time)
  }

  /// The picture with what the container says of it.
  private func finished(_ picture: VideoFrame) throws(MediaError) -> VideoFrame {
    try unsafe decoder.library.stamp(traits, on: picture.frame)
    return picture
  }
}

extension CodedStream {
  /// The codec, where slices cover its pictures, each sample once; `nil` for others.
  var pictureCodec: PictureCodec? {
    switch codec {
    case "hevc": .hevc
    case "h264": .avc
    default: nil
    }
  }
}
