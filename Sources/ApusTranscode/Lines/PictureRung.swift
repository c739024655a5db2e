// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The pictures of one size and form that go through one encoder. A line has one, or one for each rung of a ladder.
final class PictureRung: LineOutput {
  private(set) var track: CodedTrack?
  var ready = Queue<SourceEvent>()
  var holdsBack: Bool { !isFinished }
  var isCodedVideo: Bool { true }
  private(set) var facts = TranscodedTrack()
  /// Whether it accepts no more, because everything that was requested has come.
  private(set) var isDone = false
  let video: VideoSettings
  let choice: EncoderChoice

  private let source: CodedTrack
  private let options: LineOptions
  private let rung: Ladder.Rung?
  private let comparison: PictureComparison?
  private let frameRate: Fraction
  /// The forms of samples that the encoder may get.
  private var pixelFormats: [String] = []
  /// The form of the first picture that reached the filters.
  private var decoded: PictureFormat?
  private var hadAlpha = false
  /// Converts pictures to the size and form of the first.
  private var fitting: VideoFilter?
  private var encoder: (any PictureCoding)?
  private var shape: PictureShape?
  private var clock: KeyFrameClock?
  private var repair = RisingTimes()
  private var captions = CaptionQueue()
  private var messages: PictureMessages?
  private var companions = KeptCompanions()
  private var lastDuration: RationalTime?
  private var isFinished = false
  private var cut: TrackCut?
  /// The last decoding time, in units of the output's track.
  private var lastDecodeTime: Int64?

  /// The properties shared by all pictures that go to an encoder.
  private struct PictureShape: Hashable {
    var width: Int
    var height: Int
    var timescale: UInt32

    init(_ frame: VideoFrame) {
      (width, height) = (frame.width, frame.height)
      timescale = frame.time.timescale
    }
  }

  /// - Parameters:
  ///   - rung: the rung of a ladder to which the video settings belong.
  ///   - comparison: the replacement for the encoder.
  init(
    _ source: CodedTrack, _ options: LineOptions, _ video: VideoSettings,
    rung: Ladder.Rung?, frameRate: Fraction, comparison: PictureComparison?
  ) {
    self.source = source
    self.options = options
    self.video = video
    choice = EncoderChoice(video)
    self.rung = rung
    self.comparison = comparison
    self.frameRate = frameRate
    facts.name = source.name
    facts.rung = rung
  }

  func resume(after cut: TrackCut) { self.cut = cut }

  /// Returns what Dolby Vision says of the encoded pictures; `nil` if they are no longer those that it was made for.
  func keptDolbyVision(_ frameRate: Fraction) -> DolbyVision? {
    guard options.step == nil, choice.codec == VideoSettings.Codec.hevc.rawValue else {
      return nil
    }
    return video.keptDolbyVision(of: source, frameRate)
  }

  // MARK: - In

  /// Examines the first picture before filters get it.
  func expect(_ frame: VideoFrame) throws(MediaError) {
    pixelFormats = FilterChain.pixelFormats(video, frame, try choice.bitDepths())
    (decoded, hadAlpha) = (frame.fullestFormat, frame.hasAlpha)
  }

  /// Takes from a decoded picture what goes around filters.
  func note(_ decoded: VideoFrame) {
    guard !isFinished else { return }
    captions.add(decoded.captions, at: decoded.time)
    companions.note(decoded)
  }

  /// Adds a picture and converts it to the form that is encoded.
  ///
  /// - Parameter rate: the number of pictures per second that come out of filters, if known.
  func push(_ frame: VideoFrame, rate: Fraction?) throws(MediaError) {
    guard !isFinished else { return }
    var isRight = pixelFormats.contains(frame.pixelFormat)
    if let shape {
      isRight = isRight && frame.width == shape.width && frame.height == shape.height
    } else {
      isRight = isRight && FilterChain.fit(video, frame) == nil
    }
    if isRight, fitting == nil { return try encode(frame, rate) }
    let fitting: VideoFilter
    if let known = self.fitting {
      fitting = known
    } else {
      let size = shape.map { "scale=\($0.width):\($0.height):flags=bicubic" }
      fitting = try VideoFilter(
        size ?? FilterChain.fit(video, frame) ?? "", pixelFormats: pixelFormats,
        frameRate: frameRate)
      self.fitting = fitting
    }
    try fitting.push(frame)
    while let frame = try fitting.next() { try encode(frame, rate) }
  }

  /// Marks the end of the pictures.
  func finish() throws(MediaError) {
    guard !isFinished else { return }
    if let fitting {
      try fitting.finish()
      while let frame = try fitting.next() { try encode(frame, nil) }
    }
    try drain()
  }

  // MARK: - Through

  private func encode(_ frame: VideoFrame, _ rate: Fraction?) throws(MediaError) {
    guard !isFinished else { return }
    var frame = frame
    let own = PictureCompanions(frame.companion)
    if let step = options.step {
      guard let changed = try step(frame) else { return }
      frame = changed
    }
    let due = captions.next(at: frame.time)
    let encoder = try opened(for: frame, rate, own)
    guard let shape, frame.width == shape.width, frame.height == shape.height else {
      throw MediaError(
        .unsupported,
        "a picture becomes \(frame.width)x\(frame.height), which the encoder was not opened for",
        at: frame.time)
    }
    guard let time = frame.time.rounded(to: shape.timescale) else {
      throw MediaError(.limit, "a time is out of range", at: frame.time)
    }
    let repaired = repair.repaired(time)
    if repaired != frame.time.value || frame.time.timescale != shape.timescale {
      frame = try frame.moved(
        to: RationalTime(repaired, per: shape.timescale), duration: frame.duration)
    }
    if frame.duration > 0 { lastDuration = RationalTime(frame.duration, per: shape.timescale) }
    facts.repairedTimes = repair.count
    let shown = try options.window.moved(frame.time)
    if let cut, shown.isBefore(cut.shown) { return }
    facts.frames += 1
    let isKey = clock?.isDue(at: shown) ?? false
    messages?.add(
      due, try companions.kept(own, at: frame.time), at: frame.time.value)
    for loss in companions.losses where !facts.losses.contains(loss) { facts.losses.append(loss) }
    try add(try encoder.encode(frame, forcesKey: isKey))
    if facts.frames + (cut?.count ?? 0) == video.mostPictures { try drain() }
  }

  private func opened(
    for frame: VideoFrame, _ rate: Fraction?, _ first: PictureCompanions
  ) throws(MediaError) -> any PictureCoding {
    if let encoder { return encoder }
    guard let format = frame.format else {
      throw MediaError(.unsupported, "no encoder accepts \(frame.pixelFormat)", at: frame.time)
    }
    var traits = frame.traits
    if video.isDeinterlaced { traits.fields = .progressive }
    if traits.colour?.transfer == 1 {
      traits.masteringDisplay = nil
      traits.contentLight = nil
    }
    let isHDR = traits.colour?.isHDR ?? false
    let request = CodingRequest(
      settings: rung?.rated(video, width: format.width, height: format.height, isHDR: isHDR)
        ?? video,
      format: format, pixelFormat: frame.pixelFormat, traits: traits,
      timescale: frame.time.timescale, frameRate: rate ?? frameRate, pass: options.pass,
      keyFramesAreForced: rung != nil)
    if rung != nil {
      clock = KeyFrameClock(Ladder.keyFramePeriod(video), frameRate: request.frameRate)
    }
    comparison?.describe(rung: rung, width: format.width, height: format.height)
    let encoder: any PictureCoding
    if let comparison {
      encoder = comparison
    } else {
      (encoder, facts.fallback) = try choice.open(request)
    }
    self.encoder = encoder
    messages = PictureMessages(encoder.format)
    if case .hevc = encoder.format {
      companions.begin(
        keptDolbyVision(request.frameRate),
        hasLayer: source.picture.dolbyVision?.hasEnhancementLayer ?? false, video, format,
        isPQ: traits.colour?.transfer == 16, first: first)
    }
    traits.dolbyVision = companions.dolbyVision
    shape = PictureShape(frame)
    lastDecodeTime = cut?.last?.rounded(to: frame.time.timescale)
    facts.encoder = encoder.name
    facts.size = (format.width, format.height)
    facts.losses = decoded.map(format.losses(from:)) ?? []
    if hadAlpha { facts.losses.append("transparency is lost") }
    var track = source
    track.format = encoder.format
    track.timescale = frame.time.timescale
    track.picture = traits
    // The old samples' descriptions no longer apply.
    track.details.sampleEntries = []
    track.details.boxes = []
    track.details.movie = nil
    track.details.codec = ""
    if video.bakes(source.matrix) {
      track.matrix = TransformationMatrix()
    } else {
      track.matrix.fit(
        from: (source.width, source.height), to: (format.width, format.height))
    }
    (track.width, track.height) = (format.width, format.height)
    self.track = track
    return encoder
  }

  // MARK: - Out

  /// Fetches the units that the encoder still holds.
  private func drain() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    isDone = true
    guard let encoder else { return }
    var units = try encoder.finish()
    let last = units.popLast()
    try add(units)
    if let last { try add([last], duration: lastDuration) }
  }

  private func add(_ units: [CodedUnit], duration: RationalTime? = nil) throws(MediaError) {
    guard let shape else { return }
    for var unit in units {
      try messages?.put(into: &unit)
      facts.bytes += unit.payload.count
      var decodeTime = try options.window.moved(
        RationalTime(unit.decodeTime, per: shape.timescale))
      // With an encoder that was restarted, decoding may begin earlier than it ended with the previous one.
      if let last = lastDecodeTime, decodeTime.value <= last { decodeTime.value = last + 1 }
      if cut != nil { lastDecodeTime = decodeTime.value }
      let sample = CodedSample(
        track: 0, decodeTime: decodeTime,
        presentationTime: try options.window.moved(
          RationalTime(unit.presentationTime, per: shape.timescale)),
        duration: duration, isSync: unit.isKey, payload: Extent(unit.payload))
      facts.time = sample.presentationTime
      ready.append(.sample(sample))
    }
  }
}
