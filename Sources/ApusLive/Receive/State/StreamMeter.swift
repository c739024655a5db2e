// SPDX-License-Identifier: MIT

internal import FLV

/// Measures a live stream while it comes: its amount, its regularity, and whether sound and pictures stay together.
struct StreamMeter {
  /// Milliseconds between the last two key frames, by the clock of the stream; `nil` before the second.
  private(set) var keyFrameDistance: Int64?
  /// The irregularity of the arrival of frames, in milliseconds (RFC 3550, 6.4.1): of pictures, or of sound where there
  /// are none.
  private(set) var jitter = 0.0
  private var seconds: [Second] = []
  /// The number of the first whole second.
  private var began: Int64?
  private var lastKey: Int64?
  /// The time of arrival of the last frame of the leading medium, and its time in the stream, both in milliseconds.
  private var last: (arrival: Double, time: Int64)?
  private var times: (video: Int64?, audio: Int64?) = (nil, nil)
  /// The lead of the stream's clock over ours when each medium arrived, smoothed, in milliseconds.
  private var leads: (video: Double?, audio: Double?) = (nil, nil)
  /// The lead of pictures over sound when both had settled, in milliseconds.
  private var settled: Double?
  private var frames = (video: 0, audio: 0)

  /// The data received within one second of our clock.
  private struct Second {
    var number: Int64
    var bytes = 0
    var pictures = 0
  }

  /// The number of whole seconds over which a rate is measured.
  private static let span: Int64 = 5
  private static let second: Int64 = 1_000_000_000
  /// The smallest jump of the stream's clock that does not count as jitter, in milliseconds.
  private static let jump: Int64 = 10_000
  /// The milliseconds of the stream over which the lead of a medium is smoothed.
  private static let memory = 5000.0
  /// The number of frames of each medium after which the distance of sound and pictures has settled.
  private static let settling = 100

  /// - Parameters:
  ///   - isFrame: whether it is neither a configuration nor metadata.
  ///   - now: nanoseconds of our clock.
  mutating func add(
    _ type: TagType, bytes: Int, time: Int64, isFrame: Bool, isKey: Bool, at now: Int64
  ) {
    count(bytes, isPicture: type == .video && isFrame, at: now)
    guard isFrame else { return }
    if type == .video, isKey {
      if let lastKey, time > lastKey { keyFrameDistance = time - lastKey }
      lastKey = time
    }
    let arrival = Double(now) / 1e6
    measureJitter(type, time, arrival)
    measureLead(type, time, arrival)
  }

  private mutating func count(_ bytes: Int, isPicture: Bool, at now: Int64) {
    let number = now / Self.second
    // The second in which it began is incomplete.
    if began == nil { began = number + 1 }
    if seconds.last?.number != number {
      seconds.append(Second(number: number))
      if seconds.count > Int(Self.span) + 1 { seconds.removeFirst() }
    }
    seconds[seconds.count - 1].bytes += bytes
    if isPicture { seconds[seconds.count - 1].pictures += 1 }
  }

  private mutating func measureJitter(_ type: TagType, _ time: Int64, _ arrival: Double) {
    guard type == .video || times.video == nil else { return }
    defer { last = (arrival, time) }
    guard let last, (time - last.time).magnitude < Self.jump else { return }
    let difference = (arrival - last.arrival) - Double(time - last.time)
    jitter += (difference.magnitude - jitter) / 16
  }

  private mutating func measureLead(_ type: TagType, _ time: Int64, _ arrival: Double) {
    let lead = Double(time) - arrival
    // By time, not by frames, of which each medium has its own number: what delays both must not seem to part them.
    func smoothed(_ before: Double?, since last: Int64?) -> Double {
      guard let before, let last, (time - last).magnitude <= Self.jump else { return lead }
      return before + (lead - before) * min(max(Double(time - last) / Self.memory, 0), 1)
    }
    if type == .video {
      leads.video = smoothed(leads.video, since: times.video)
      times.video = time
      frames.video += 1
    } else {
      leads.audio = smoothed(leads.audio, since: times.audio)
      times.audio = time
      frames.audio += 1
    }
    if settled == nil, frames.video >= Self.settling, frames.audio >= Self.settling {
      settled = distance
    }
  }

  /// Milliseconds by which pictures are ahead of the sound that arrives with them; `nil` if one of the two is missing.
  var distance: Double? {
    guard let video = leads.video, let audio = leads.audio else { return nil }
    return video - audio
  }

  /// The change of that distance since the stream began; `nil` in its first seconds.
  var drift: Double? {
    guard let settled, let distance else { return nil }
    return distance - settled
  }

  /// Returns bits and pictures per second, over the last whole seconds; 0 before the first has passed.
  func rates(at now: Int64) -> (bits: Int, pictures: Double) {
    guard let began else { return (0, 0) }
    let current = now / Self.second
    let first = max(current - Self.span, began)
    guard first < current else { return (0, 0) }
    let counted = seconds.filter { (first..<current).contains($0.number) }
    let length = Double(current - first)
    return (
      Int(Double(counted.reduce(0) { $0 + $1.bytes }) * 8 / length),
      Double(counted.reduce(0) { $0 + $1.pictures }) / length
    )
  }
}
