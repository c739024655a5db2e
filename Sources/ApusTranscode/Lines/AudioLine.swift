// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A track of sound that is decoded and encoded as AAC.
final class AudioLine: TrackLine, LineOutput {
  private(set) var track: CodedTrack?
  var ready = Queue<SourceEvent>()
  private(set) var isDone = false
  var holdsBack: Bool { !isFinished }
  var facts: [TranscodedTrack] { [coded] }
  private var coded = TranscodedTrack()

  private let source: CodedTrack
  private let options: LineOptions
  private var decoder: AudioDecoder
  private var filter: AudioFilter?
  private var encoder: AudioEncoder?
  private var isFinished = false
  private var cut: TrackCut?

  init(_ source: CodedTrack, _ options: LineOptions) throws {
    self.source = source
    self.options = options
    decoder = try Self.decoder(of: source, options)
    coded.name = source.name
  }

  private static func decoder(of track: CodedTrack, _ options: LineOptions) throws
    -> AudioDecoder
  {
    guard let stream = CodedStream(track) else {
      throw MediaError(.unsupported, of: .part(track.name), "has an unknown coding")
    }
    var decoding = DecoderOptions()
    decoding.isSalvaging = options.settings.isSalvaging
    do throws(MediaError) {
      return try AudioDecoder(stream, options: decoding)
    } catch {
      throw error.inside(track: track.name)
    }
  }

  /// Sets the point of continuation. Everything is encoded again, because a frame of AAC depends on those before it.
  func resume(after cut: TrackCut) { self.cut = cut }

  func push(_ sample: CodedSample) throws {
    guard !isDone else { return }
    if options.window.ends(by: sample.presentationTime) { return try finish() }
    if let start = options.window.start, let duration = sample.duration,
      let length = duration.rounded(to: sample.presentationTime.timescale)
    {
      let end = RationalTime(
        sample.presentationTime.value &+ length, per: sample.presentationTime.timescale)
      if end.isBefore(start) { return }
    }
    let bytes = try sample.payload.bytes()
    coded.samples += 1
    do throws(MediaError) {
      guard let time = sample.presentationTime.rounded(to: source.timescale) else {
        throw MediaError(.limit, "a time is out of range")
      }
      try unsafe decoder.send(bytes.span.bytes, presentationTime: time)
      try decode()
    } catch {
      throw error.inside(track: source.name)
    }
  }

  func change(to format: CodedTrack.Format) throws {
    var track = source
    track.format = format
    do throws(MediaError) {
      try decoder.finish()
      try decode()
    } catch {
      throw error.inside(track: source.name)
    }
    coded.damaged += decoder.damageCount
    decoder = try Self.decoder(of: track, options)
  }

  func finish() throws {
    guard !isFinished else { return }
    isDone = true
    do throws(MediaError) {
      try decoder.finish()
      try decode()
      if let filter {
        try filter.finish()
        try encode(from: filter)
      }
      isFinished = true
      coded.damaged += decoder.damageCount
      guard let encoder else { return }
      try encoder.finish()
      try collect(from: encoder)
    } catch {
      throw error.inside(track: source.name)
    }
  }

  private func decode() throws(MediaError) {
    while let frame = try decoder.next() {
      let filter = try opened(for: frame)
      try filter.push(frame)
      try encode(from: filter)
    }
  }

  private func encode(from filter: AudioFilter) throws(MediaError) {
    guard let encoder else { return }
    while let frame = try filter.next() {
      coded.frames += 1
      try encoder.send(frame)
      try collect(from: encoder)
    }
  }

  private func opened(for frame: AudioFrame) throws(MediaError) -> AudioFilter {
    if let filter { return filter }
    var settings = AudioEncoderSettings(
      "aac", sampleRate: frame.sampleRate, channelLayout: frame.channelLayout)
    settings.bitRate = options.settings.audio.bitRate
    let encoder = try AudioEncoder(settings)
    let filter = try AudioFilter(output: encoder.input)
    (self.encoder, self.filter) = (encoder, filter)
    coded.encoder = encoder.name
    var track = source
    track.format = .aac(encoder.configuration)
    track.timescale = UInt32(clamping: encoder.settings.sampleRate)
    track.sampleRate = encoder.settings.sampleRate
    track.channels = frame.channels
    track.details.sampleEntries = []
    track.details.movie = nil
    track.details.codec = ""
    self.track = track
    return filter
  }

  private func collect(from encoder: AudioEncoder) throws(MediaError) {
    while let packet = try encoder.next() {
      coded.bytes += packet.bytes.count
      let sample = CodedSample(
        track: 0, decodeTime: try options.window.moved(packet.decodeTime),
        presentationTime: try options.window.moved(packet.presentationTime),
        duration: packet.duration > 0
          ? RationalTime(packet.duration, per: packet.decodeTime.timescale) : nil,
        isSync: true, payload: Extent(packet.bytes))
      if let last = cut?.last, !last.isBefore(sample.decodeTime) { continue }
      ready.append(.sample(sample))
    }
  }
}
