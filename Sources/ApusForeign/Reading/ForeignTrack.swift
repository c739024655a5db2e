// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A stream of a foreign container that is converted to samples, with payloads and times in their final form.
struct ForeignTrack: Sendable {
  /// A sample that is ready, and the format that begins with it.
  struct Ready: Sendable {
    var sample: CodedSample
    var format: CodedTrack.Format?
  }

  let stream: ForeignStream
  let index: Int
  private(set) var payload: ForeignPayload
  private let timescale: UInt32
  private var line: TimeLine
  private var pictures: PictureTimes
  private var sound: SoundTimes
  private var last: Int64?
  /// The number of samples whose decoding time did not increase, or was later than presentation.
  private(set) var held = 0

  /// - Parameters:
  ///   - index: the index of the track among those of the source.
  ///   - survey: its first packets.
  init(
    _ stream: ForeignStream, index: Int, survey: [ForeignPacket], closesGaps: Bool, limits: Limits
  ) {
    self.stream = stream
    self.index = index
    let units = ForeignUnits(stream)
    timescale = units.timescale
    line = TimeLine(
      timescale: units.line, scale: units.scale, timeBits: stream.timeBits,
      closesGaps: closesGaps)
    lineScale = units.line
    payload = ForeignPayload(stream, limits: limits)
    let missing = ForeignSurvey(stream, survey).missing
    repeats = RepeatedTimes(frame: units.frame / units.scale)
    if case .presentation = missing {
      infersTimes = true
      payload.readOrder()
    }
    pictures = PictureTimes(missing, frame: units.frame)
    sound = SoundTimes(
      frame: stream.kind == .audio ? Int64(stream.frameSize) : 0,
      sampleRate: Int64(units.timescale))
  }

  /// Whether missing times are derived from the order of the pictures.
  private var infersTimes = false
  private var repeats: RepeatedTimes

  /// The units per second in which `line` counts, which for sound differ from those of the track.
  private let lineScale: UInt32

  mutating func add(_ packet: ForeignPacket, _ jumps: inout TimeJumps) throws
    -> [Ready]
  {
    var result: [Ready] = []
    for sample in try payload.samples(of: packet) {
      guard infersTimes else {
        result += try timed(sample, &jumps)
        continue
      }
      if let ready = repeats.add(sample) { result += try timed(ready, &jumps) }
    }
    return result
  }

  private mutating func timed(_ sample: ForeignSample, _ jumps: inout TimeJumps) throws -> [Ready] {
    guard
      let times = line.moved(
        sample.decodeTime, sample.presentationTime, duration: sample.duration, &jumps)
    else { throw beyond() }
    if stream.kind == .audio { return [try heard(sample, times.decode ?? times.shown)] }
    let timed = PictureTimes.Timed(sample: sample, decode: times.decode, shown: times.shown)
    return try pictures.add(timed).map { ready in try settled(ready) }
  }

  mutating func finish(_ jumps: inout TimeJumps) throws -> [Ready] {
    var result: [Ready] = []
    if let last = repeats.finish() { result += try timed(last, &jumps) }
    for timed in pictures.flush() { result.append(try settled(timed)) }
    return result
  }

  private func beyond() -> MediaError {
    MediaError(
      .invalid, of: .part("time"), "is out of range", at: .byte(nil, in: "track \(index + 1)"))
  }

  private mutating func heard(_ sample: ForeignSample, _ time: Int64?) throws -> Ready {
    let units = time.flatMap { RationalTime($0, per: lineScale).rounded(to: timescale) }
    let length = line.scaled(sample.duration)
    let duration = length.flatMap { RationalTime($0, per: lineScale).rounded(to: timescale) }
    guard time == nil || units != nil else { throw beyond() }
    let (begin, lasts) = sound.time(units, duration: duration ?? 0)
    return ready(sample, rising(begin), nil, lasts)
  }

  private mutating func settled(_ timed: PictureTimes.Timed) throws -> Ready {
    guard let decode = timed.decode, let shown = timed.shown else { throw beyond() }
    let duration = line.scaled(timed.sample.duration)
    let time = rising(decode)
    if shown < time { held += 1 }
    return ready(timed.sample, time, max(shown, time), duration)
  }

  private mutating func rising(_ time: Int64) -> Int64 {
    guard let last, time <= last else {
      last = time
      return time
    }
    held += 1
    self.last = last + 1
    return last + 1
  }

  private func ready(_ sample: ForeignSample, _ time: Int64, _ shown: Int64?, _ duration: Int64?)
    -> Ready
  {
    Ready(
      sample: CodedSample(
        track: index, decodeTime: RationalTime(time, per: timescale),
        presentationTime: shown.map { RationalTime($0, per: timescale) },
        duration: duration.flatMap { $0 > 0 ? RationalTime($0, per: timescale) : nil },
        isSync: sample.isSync, payload: sample.payload),
      format: sample.format)
  }

  /// Returns the faults that were repaired, as text.
  ///
  /// - Parameter hasTimes: whether its container has times at all.
  func repairs(hasTimes: Bool) -> [String] {
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number > 0 ? "\(number) \(number == 1 ? one : many)" : nil
    }
    let found = [
      count(
        hasTimes ? pictures.repairedDecoding : 0, "decoding time was missing or wrong",
        "decoding times were missing or wrong"),
      count(
        hasTimes ? pictures.repairedPresentation : 0, "presentation time was missing",
        "presentation times were missing"),
      count(held, "time did not rise", "times did not rise"),
      count(sound.gaps, "gap between its frames", "gaps between its frames"),
      count(line.wraps, "wrap of its clock", "wraps of its clock"),
      count(
        payload.passedOver, "packet holds nothing to begin with or to decode",
        "packets hold nothing to begin with or to decode"),
      count(payload.damaged, "packet is damaged", "packets are damaged"),
      count(
        payload.unreadable, "picture has a header that cannot be read",
        "pictures have headers that cannot be read"),
    ].compactMap(\.self)
    let words = (found.isEmpty ? [] : [found.joined(separator: ", ")]) + payload.doubts
    return words.map { "\(ForeignCodec.name(of: stream)) (track \(index + 1)): \($0)" }
  }
}
