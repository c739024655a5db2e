// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
public import ApusMedia
internal import CApusFFmpeg

/// libavcodec as a decoder of moving pictures. Belongs to one thread at a time.
///
/// Samples are passed to `send` in decoding order; after each, `next` is called until it returns no more pictures. They
/// come in presentation order, cropped according to the stream.
///
/// Unless damage is tolerated, the decoder throws, with the time, for samples that libavcodec refuses, and for pictures
/// that it invents or predicts from missing ones. Leading pictures of a random access point that cannot be decoded
/// (RASL) are not damage at the beginning of the stream; they are left out, as the standard requires.
@safe public final class VideoDecoder {
  /// The decoder, its library and version: `hevc (libavcodec 59.37.100)`.
  public var name: String { decoder.name }
  /// The number of damaged pictures and samples, if damage is tolerated.
  public private(set) var damageCount = 0

  private let stream: CodedStream
  private let traits: PictureTraits
  private let isSalvaging: Bool
  private let watch: DecoderWatch
  private let decoder: DecoderContext
  private let framing: UnitFraming?
  private var times = SentTimes()
  private var hasBegun = false

  /// - Parameter traits: the container's description of the pictures.
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
      // The crop window may begin at any sample, whatever its alignment.
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

  /// Adds one access unit.
  ///
  /// - Parameters:
  ///   - bytes: NAL units in the framing of the configuration: with lengths, or as a byte stream if there is none.
  ///   - presentationTime: the time in units of the stream's timescale, as is `duration`, 0 if unknown.
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

  /// Marks the end of the samples: pictures that were held back for reordering can be taken with `next`.
  public func finish() throws(MediaError) { try look(at: decoder.finish()) }

  /// Returns the next picture; `nil` if another sample is needed first, or after the last.
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

  /// Discards what was sent, to continue at a key frame elsewhere.
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

  /// Throws an error about samples, or counts it.
  private func look(at refusal: String?) throws(MediaError) {
    if let refusal {
      let words = watch.takeWords()
      // Threads of the decoder only report to the watch.
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

  /// Returns the picture with the properties from the container.
  private func finished(_ picture: VideoFrame) throws(MediaError) -> VideoFrame {
    try unsafe decoder.library.stamp(traits, on: picture.frame)
    return picture
  }
}

extension CodedStream {
  /// The codec, if slices cover each sample of its pictures once; `nil` for others.
  var pictureCodec: PictureCodec? {
    switch codec {
    case "hevc": .hevc
    case "h264": .avc
    default: nil
    }
  }
}
