// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// A walk through a foreign container, from its first sample to its last.
///
/// Not safe to use from two threads at once: `ForeignSource` uses it only while it holds the only reference.
final class ForeignCursor: @unchecked Sendable {
  private(set) var tracks: [CodedTrack] = []
  private(set) var warnings: [String] = []
  private(set) var attachments: [Attachment] = []
  let media: ForeignMedia
  private var streams: [ForeignStream]
  /// The duration of a frame of a bare stream whose rate was given, in the stream's unit.
  private var frameDuration: Int64?
  private var parts: [ForeignTrack] = []
  /// The index of each track, by that of its stream.
  private var places: [Int: Int] = [:]
  private var jumps = TimeJumps()
  private var queue = ForeignQueue(leading: [])
  private var format: (track: Int, CodedTrack.Format)?
  private var pending: CodedSample?
  private var isOver = false
  /// The time that is subtracted from all times.
  private var origin: RationalTime?
  /// The number of packets of streams that were not announced.
  private var strangers = 0
  private var end: RationalTime?
  /// The watch for damage in the bytes that are read.
  private let watch: Watched?

  /// - Parameter frameRate: the frame rate of a bare stream, which overrides its own.
  convenience init(_ source: any ByteSource, frameRate: FrameRate?, limits: Limits) throws {
    let watch = Watched(source)
    try self.init(
      ForeignMedia(source, watch), frameRate: frameRate, limits: limits, watch: watch)
  }

  /// - Parameter isLive: whether it is read as it comes, so that what begins late cannot be waited for.
  init(
    _ media: ForeignMedia, frameRate: FrameRate?, limits: Limits, watch: Watched? = nil,
    isLive: Bool = false
  ) throws {
    self.media = media
    self.watch = watch
    streams = media.streams
    if media.format == "h264", let frameRate, let units = Int(exactly: frameRate.numerator),
      let frame = Int64(exactly: frameRate.denominator), UInt32(exactly: units) != nil, frame > 0
    {
      streams[0].unit = Fraction(1, units)
      streams[0].frameRate = Fraction(units, Int(frame))
      frameDuration = frame
    }
    var wanted: [Int] = []
    for (index, stream) in streams.enumerated() {
      if let reason = stream.refusal {
        let warning = "\(ForeignCodec.name(of: stream)) \(reason) and is left out"
        warnings.append(warning)
        if var attachment = Attachment(stream) {
          attachment.warning = warning
          attachments.append(attachment)
        }
        media.skip(index)
      } else {
        wanted.append(index)
      }
    }
    var survey = try first(of: wanted, isLive: isLive)
    if media.isLocated {
      ForeignSurvey.date(&survey, of: wanted.filter { streams[$0].kind == .video })
    }
    try begin(wanted, survey, limits)
    warnings += media.complaintsOfOpening.map(Self.words)
    media.endOpening()
  }

  private static func words(of complaint: String) -> String {
    "libavformat says: \(complaint.printable)"
  }

  // MARK: - The beginning

  private static let surveyed = 32
  private static let mostSurveyed = 4000
  private static let mostBytes = 24 << 20
  /// The seconds for which a live stream is surveyed: a camera may announce sound and send none.
  private static let mostSeconds: Int64 = 5

  /// Returns enough packets to determine the coding and the times of each stream.
  private func first(of wanted: [Int], isLive: Bool) throws -> [ForeignPacket] {
    var starts: [Int: Int64] = [:]
    var packets: [ForeignPacket] = []
    var counts = Array(repeating: 0, count: streams.count)
    var bytes = 0
    let leading = wanted.filter { streams[$0].kind != .subtitle }
    while packets.count < Self.mostSurveyed, bytes < Self.mostBytes,
      leading.contains(where: { counts[$0] < Self.surveyed })
    {
      guard let packet = try pull() else {
        isOver = true
        break
      }
      guard counts.indices.contains(packet.stream) else { continue }
      counts[packet.stream] += 1
      bytes += packet.bytes.count
      packets.append(packet)
      guard isLive, let time = packet.decodeTime ?? packet.presentationTime else { continue }
      let start = starts[packet.stream] ?? time
      starts[packet.stream] = start
      let units = ForeignUnits(streams[packet.stream])
      if (time &- start) / Int64(units.line) * units.scale > Self.mostSeconds { break }
    }
    return packets
  }

  private func pull() throws -> ForeignPacket? {
    do throws(MediaError) {
      var packet = try media.next()
      if let frameDuration { packet?.duration = frameDuration }
      return packet
    } catch {
      throw error.place == nil && error.kind != .io && !media.isLocated
        ? MediaError(error.kind, of: .part("container"), error.message) : error
    }
  }

  private func begin(_ wanted: [Int], _ survey: [ForeignPacket], _ limits: Limits)
    throws
  {
    let trial = try ForeignTrial(
      of: wanted, in: streams, survey, isWhole: isOver, limits: limits)
    warnings += trial.warnings
    for index in trial.refused { media.skip(index) }
    for (place, index) in trial.kept.enumerated() {
      places[index] = place
      parts.append(
        ForeignTrack(
          streams[index], index: place, survey: survey.filter { $0.stream == index },
          closesGaps: media.isDiscontinuous, limits: limits))
    }
    queue = ForeignQueue(leading: trial.kept.map { streams[$0].kind != .subtitle })
    for packet in survey { try distribute(packet) }
    try readFormats()
    if isOver { try finish() }
    for part in parts {
      tracks.append(try track(of: part, trial.firsts[trial.kept[part.index]]))
    }
    guard !tracks.isEmpty else {
      throw MediaError(
        .unsupported, of: .input,
        "is \(media.name), and has nothing that can be copied"
          + (warnings.isEmpty ? "" : ": " + warnings.joined(separator: "; ")))
    }
    // The clock of a broadcast may begin anywhere.
    if media.isDiscontinuous { origin = queue.start }
  }

  /// Reads packets until the format of every track is known, or the limit is reached.
  private func readFormats() throws {
    // A stream that was cut anywhere may begin long before its first key frame.
    var read = 0
    while parts.contains(where: { $0.payload.format == nil }), !isOver, read < Self.mostBytes * 4 {
      guard let packet = try pull() else {
        isOver = true
        break
      }
      read += packet.bytes.count
      try distribute(packet)
    }
  }

  private func track(of part: ForeignTrack, _ first: ForeignSample?) throws -> CodedTrack {
    // The packets that were read ahead may continue in another format.
    guard let format = part.payload.opening else {
      throw MediaError(
        .invalid, of: .part(ForeignCodec.name(of: part.stream)),
        "has no key frame with parameter sets that decoding could begin with")
    }
    var track = ForeignDescription.track(part.stream, format)
    if let first { try complete(&track, part.stream, first) }
    return track
  }

  /// Adds the facts that only the first picture shows if the container does not declare them.
  private func complete(
    _ track: inout CodedTrack, _ stream: ForeignStream, _ first: ForeignSample
  ) throws {
    guard case .hevc(let record) = track.format, track.picture.dolbyVision == nil else { return }
    let units: [[UInt8]]
    do {
      units = try LengthPrefixed.nalUnits(
        in: try first.payload.bytes(), lengthSize: record.lengthSize)
    } catch {
      // A damaged sample is for the decoder to judge.
      return
    }
    let headers = StreamHeaders(record)
    let rate =
      headers.pictureRate?.framesPerSecond
      ?? stream.frameRate.map { Double($0.numerator) / Double($0.denominator) }
    if let doubt = track.picture.completeDolbyVision(units, headers, rate: rate) {
      warnings.append("\(track.name): \(doubt)")
    }
  }

  // MARK: - Samples

  private func distribute(_ packet: ForeignPacket) throws {
    guard let place = places[packet.stream] else {
      if !streams.indices.contains(packet.stream) { strangers += 1 }
      return
    }
    for ready in try parts[place].add(packet, &jumps) { queue.add(ready) }
  }

  private func finish() throws {
    for index in parts.indices {
      for ready in try parts[index].finish(&jumps) { queue.add(ready) }
    }
  }

  func next() throws -> SourceEvent? {
    if let sample = pending {
      pending = nil
      return .sample(sample)
    }
    while true {
      if let ready = queue.next(isOver: isOver) {
        let sample = moved(ready.sample)
        end = sample.decodeTime
        guard let format = ready.format else { return .sample(sample) }
        pending = sample
        return .format(track: sample.track, format)
      }
      guard !isOver else {
        try watch?.finish()
        return nil
      }
      if let packet = try pull() {
        try distribute(packet)
      } else {
        isOver = true
        try finish()
      }
    }
  }

  private func moved(_ sample: CodedSample) -> CodedSample {
    guard let units = origin?.rounded(to: sample.decodeTime.timescale) else { return sample }
    var result = sample
    result.decodeTime.value &-= units
    result.presentationTime.value &-= units
    return result
  }

  /// The bytes so far that belong to no part of the container.
  var unread: [Range<Int>] { watch?.unread ?? [] }

  /// Returns a number of times as text.
  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// The faults that were repaired while reading, as text.
  var repairs: [String] {
    var result = parts.flatMap { $0.repairs(hasTimes: media.hasTimes) }
    result += (watch?.words ?? []) + media.complaints.map(Self.words)
    if jumps.restarts > 0 {
      result.append("timestamps restarted \(Self.times(jumps.restarts)); they continue")
    }
    if jumps.gaps > 0 {
      result.append("timestamps jumped ahead \(Self.times(jumps.gaps)); the gaps are closed")
    }
    if strangers > 0 {
      result.append("\(strangers) packets of streams that begin later are left out")
    }
    // The header declares a longer duration.
    if isOver, let said = media.duration, let end, said.value > 5_000_000,
      end.isBefore(RationalTime(said.value / 10 * 9, per: said.timescale))
    {
      let seconds = (end.floored(to: 1) ?? 0, said.floored(to: 1) ?? 0)
      result.append("it ends after \(seconds.0) s of \(seconds.1) s that its header announces")
    }
    return result
  }
}
