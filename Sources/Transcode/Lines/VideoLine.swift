// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import Flow
internal import ISOBMFF
internal import Media

/// A track of pictures that are decoded, filtered and encoded.
final class VideoLine: TrackLine {
  private(set) var track: CodedTrack?
  var ready = EventQueue()
  private(set) var isDone = false
  var holdsBack: Bool { !isFinished }
  private(set) var facts = TranscodedTrack()

  private let source: CodedTrack
  private let options: LineOptions
  private let frameRate: Fraction
  private var decoder: VideoDecoder
  private var toneMapping: ToneMapping?
  private var filter: VideoFilter?
  private var chain: FilterChain?
  /// The form of the first picture that came to the filters.
  private var decoded: PictureFormat?
  /// Brings pictures to the size and form of the first.
  private var fitting: VideoFilter?
  private var encoder: (any PictureCoding)?
  private var shape: Shape?
  private var repair = RisingTimes()
  private var damage = 0
  private var lastDuration: RationalTime?
  private var isFinished = false
  private var cut: TrackCut?
  /// The last decoding time, in units of the output's track.
  private var lastDecodeTime: Int64?

  init(_ source: CodedTrack, _ options: LineOptions, frameRate: Fraction) throws {
    self.source = source
    self.options = options
    self.frameRate = frameRate
    decoder = try Self.decoder(of: source, options)
    let video = options.settings.video
    if video.isToneMapped {
      toneMapping = ToneMapping(
        bitDepth: video.bitDepth, depths: try video.coder().bitDepths, frameRate: frameRate)
    }
    facts.name = source.name
  }

  // MARK: - In

  func resume(after cut: TrackCut) { self.cut = cut }

  func take(_ sample: CodedSample) throws {
    guard !isDone else { return }
    if let entrance = cut?.entrance, sample.decodeTime.isBefore(entrance) { return }
    let bytes = try sample.payload.bytes()
    facts.samples += 1
    do throws(MediaError) {
      try unsafe decoder.send(
        bytes.span.bytes, decodeTime: try units(sample.decodeTime),
        presentationTime: try units(sample.presentationTime),
        duration: sample.duration.flatMap { $0.rounded(to: source.timescale) } ?? 0,
        isKey: sample.isSync)
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
    damage += decoder.damageCount
    decoder = try Self.decoder(of: track, options)
  }

  func finish() throws {
    guard !isFinished else { return }
    do throws(MediaError) {
      if !isDone {
        try decoder.finish()
        try decode()
      }
      try close()
    } catch {
      throw error.inside(track: source.name)
    }
  }

  private func units(_ time: RationalTime) throws(MediaError) -> Int64 {
    guard let value = time.rounded(to: source.timescale) else {
      throw MediaError(.limit, "a time of \(time.value)/\(time.timescale) s is beyond any stream")
    }
    return value
  }

  // MARK: - Through

  private func decode() throws(MediaError) {
    while !isDone, let frame = try decoder.next() {
      if options.window.ends(by: frame.time) {
        isDone = true
        return try close()
      }
      if options.window.begins(after: frame.time) { continue }
      try pass(frame)
    }
    facts.damaged = damage + decoder.damageCount
  }

  private func pass(_ decoded: VideoFrame) throws(MediaError) {
    let frame = try toneMapping?.mapped(decoded) ?? decoded
    if chain == nil {
      let chain = try FilterChain(
        options.settings.video, for: frame, matrix: source.matrix,
        depths: options.settings.video.coder().bitDepths)
      self.chain = chain
      self.decoded = frame.format
      if !chain.description.isEmpty {
        filter = try VideoFilter(chain.description, frameRate: frameRate)
      }
    }
    guard let filter else { return try fit(frame) }
    try filter.push(frame)
    while let frame = try filter.next() { try fit(frame) }
  }

  /// Brings pictures into the form that is coded.
  private func fit(_ frame: VideoFrame) throws(MediaError) {
    guard let chain else { return }
    var isRight = chain.pixelFormats.contains(frame.pixelFormat)
    if let shape {
      isRight =
        isRight && frame.width == shape.width && frame.height == shape.height
    } else {
      isRight = isRight && FilterChain.fit(options.settings.video, frame) == nil
    }
    if isRight, fitting == nil { return try encode(frame) }
    let fitting: VideoFilter
    if let known = self.fitting {
      fitting = known
    } else {
      let size = shape.map { "scale=\($0.width):\($0.height):flags=bicubic" }
      fitting = try VideoFilter(
        size ?? FilterChain.fit(options.settings.video, frame) ?? "",
        pixelFormats: chain.pixelFormats, frameRate: frameRate)
      self.fitting = fitting
    }
    try fitting.push(frame)
    while let frame = try fitting.next() { try encode(frame) }
  }

  private func encode(_ frame: VideoFrame) throws(MediaError) {
    guard !isFinished else { return }
    var frame = frame
    if let step = options.step {
      guard let changed = try step(frame) else { return }
      frame = changed
    }
    let encoder = try opened(for: frame)
    guard let shape, frame.width == shape.width, frame.height == shape.height else {
      throw MediaError(
        .unsupported,
        "a picture becomes \(frame.width)x\(frame.height), which the encoder was not opened for",
        at: frame.time)
    }
    guard let time = frame.time.rounded(to: shape.timescale) else {
      throw MediaError(.limit, "a time is beyond any stream", at: frame.time)
    }
    let repaired = repair.repaired(time)
    if repaired != frame.time.value || frame.time.timescale != shape.timescale {
      frame = try frame.moved(
        to: RationalTime(repaired, per: shape.timescale), duration: frame.duration)
    }
    if frame.duration > 0 { lastDuration = RationalTime(frame.duration, per: shape.timescale) }
    facts.repairedTimes = repair.count
    if try isKept(frame) { return }
    facts.frames += 1
    try add(try encoder.encode(frame))
    if facts.frames + (cut?.count ?? 0) == options.settings.video.mostPictures {
      isDone = true
      try drain()
    }
  }

  /// Whether the run before coded it already.
  private func isKept(_ frame: VideoFrame) throws(MediaError) -> Bool {
    guard let cut else { return false }
    return try options.window.moved(frame.time).isBefore(cut.shown)
  }

  private func opened(for frame: VideoFrame) throws(MediaError) -> any PictureCoding {
    if let encoder { return encoder }
    guard let format = frame.format else {
      throw MediaError(.unsupported, "no encoder takes \(frame.pixelFormat)", at: frame.time)
    }
    var traits = frame.traits
    if options.settings.video.isDeinterlaced { traits.fields = .progressive }
    if traits.colour?.transfer == 1 {
      traits.masteringDisplay = nil
      traits.contentLight = nil
    }
    let rate = filter?.frameRate ?? frameRate
    let request = CodingRequest(
      settings: options.settings.video, format: format, pixelFormat: frame.pixelFormat,
      traits: traits, timescale: frame.time.timescale, frameRate: rate, pass: options.pass)
    let encoder = try options.settings.video.encoder(request)
    self.encoder = encoder
    shape = Shape(frame)
    lastDecodeTime = cut?.last?.rounded(to: frame.time.timescale)
    facts.encoder = encoder.name
    facts.losses = decoded.map(format.losses(from:)) ?? []
    var track = source
    track.format = encoder.format
    track.timescale = frame.time.timescale
    track.picture = traits
    // What describes the old samples.
    track.details.sampleEntries = []
    track.details.boxes = []
    track.details.movie = nil
    track.details.codec = ""
    if options.settings.video.rotation == .baked {
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

  private func close() throws(MediaError) {
    guard !isFinished else { return }
    if let filter {
      try filter.finish()
      while let frame = try filter.next() { try fit(frame) }
    }
    if let fitting {
      try fitting.finish()
      while let frame = try fitting.next() { try encode(frame) }
    }
    facts.damaged = damage + decoder.damageCount
    try drain()
  }

  /// Takes out what the encoder still holds.
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
    for unit in units {
      facts.bytes += unit.payload.count
      var decodeTime = try options.window.moved(
        RationalTime(unit.decodeTime, per: shape.timescale))
      // An encoder that was started again may let decoding begin earlier than the one before ended.
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

extension PictureFormat {
  /// What it has less of than another, in words, size aside but for what makes sides even.
  fileprivate func losses(from source: PictureFormat) -> [String] {
    var losses: [String] = []
    // Turned pictures change their sides.
    let sides = [(source.width, source.height), (source.height, source.width)]
    let isCut = sides.contains { side in
      let (columns, rows) = (side.0 - width, side.1 - height)
      return (columns, rows) != (0, 0) && (0...1).contains(columns) && (0...1).contains(rows)
    }
    if isCut {
      losses.append(
        "pictures of \(source.width)x\(source.height) are cut to \(width)x\(height), since coded "
          + "sides are even")
    }
    if chroma.rawValue < source.chroma.rawValue {
      losses.append(
        "colours are coded with fewer samples, \(chroma.ratio) of \(source.chroma.ratio)")
    }
    if bitDepth < source.bitDepth {
      losses.append("samples of \(source.bitDepth) bits are coded with \(bitDepth)")
    }
    return losses
  }
}

extension Chroma {
  fileprivate var ratio: String { name.map(String.init).joined(separator: ":") }
}

/// What lines are made with.
struct LineOptions: Sendable {
  var settings: TranscodeSettings
  var window: TimeWindow
  var pass: CodingRequest.Pass?
  var step: PictureStep?
}
