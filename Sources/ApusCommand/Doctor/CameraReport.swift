// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusMedia
import ApusSamples
import ApusThreads
import FLV

/// The output of `apus doctor --json` for the address of an input: what it sends, and what RTMP can carry of it.
struct CameraReport: Described {
  /// A track, and what came of it.
  struct Track: Described {
    let track: CodedTrack
    var samples = 0
    var bytes = 0
    /// The times of the first and the latest sample, in seconds.
    var times: (first: Double, last: Double)?
    /// The longest time between two key frames.
    var keyFrameInterval: Double?
    var lastKeyFrame: Double?
    /// The reason why RTMP cannot carry it; `nil` if it can.
    var refusal: String?

    static let title = "camera track"

    static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Track {
      v.required("kind", "The kind of the track.") { "\($0.track.kind)" }
      v.required("codec", "The codec.") { $0.track.format.codec.description }
      v.optional("width", "The width of the pictures.") { $0.size?.width }
      v.optional("height", "The height of the pictures.") { $0.size?.height }
      v.optional("frames_per_second", "The pictures for each second.") { $0.rate }
      v.optional("sample_rate", "Samples of sound for each second.") {
        $0.isSound ? $0.track.sampleRate : nil
      }
      v.optional("channels", "The channels of sound.") { $0.isSound ? $0.track.channels : nil }
      v.required("samples", "The pictures or frames of sound that came.") { $0.samples }
      v.optional("bits_per_second", "The bit rate.") { $0.bitRate }
      v.optional("key_frame_interval", "The longest time between two key frames, in seconds.") {
        $0.keyFrameInterval.map { ($0 * 100).rounded() / 100 }
      }
      v.optional("refusal", "The reason why RTMP cannot carry it.") { $0.refusal }
    }

    private var isSound: Bool { track.kind == .audio }
    private var size: (width: Int, height: Int)? {
      track.kind == .video ? (track.width, track.height) : nil
    }
    private var span: Double? {
      times.flatMap { $0.last > $0.first ? $0.last - $0.first : nil }
    }
    var rate: Double? {
      track.kind == .video ? span.map { (Double(samples - 1) / $0 * 100).rounded() / 100 } : nil
    }
    var bitRate: Int? { span.map { Int(Double(bytes * 8) / $0) } }

    mutating func add(_ sample: CodedSample) {
      samples += 1
      bytes += sample.payload.count
      let time = Double(sample.decodeTime.value) / Double(sample.decodeTime.timescale)
      times = (times?.first ?? time, time)
      guard sample.isSync, track.kind == .video else { return }
      if let lastKeyFrame { keyFrameInterval = max(keyFrameInterval ?? 0, time - lastKeyFrame) }
      lastKeyFrame = time
    }
  }

  let address: String
  var tracks: [Track]
  /// The faults of what came, and the tracks that cannot be read.
  var warnings: [String]

  static let title = "camera"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CameraReport {
    v.required("address", "The address without user and password.") { $0.address }
    v.required("tracks", "What the camera sends.") { $0.tracks }
    v.required("warnings", "What cannot be read, or is wrong.") { $0.warnings }
  }

  /// The time for which a camera is watched, in seconds of its clock.
  static let watched = 10.0

  /// Watches an input.
  init(_ input: NetworkInput) throws {
    let media = try input.open(OpeningOptions())
    address = "\(input.address)"
    tracks = media.source.tracks.map { Track(track: $0) }
    warnings = media.warnings
    var options = RemuxJob.Options(.flv)
    options.dialect = .enhanced
    for (index, reason) in RemuxJob.refusals(of: media.source.tracks, options).enumerated() {
      tracks[index].refusal = reason
    }
    var source = media.source
    // The clock of a camera may stand still.
    let end = MonotonicTime.now + Int64(3 * Self.watched) * 1_000_000_000
    while MonotonicTime.now < end,
      tracks.allSatisfy({ ($0.times.map { $0.last - $0.first } ?? 0) < Self.watched }),
      let event = try source.next()
    {
      if case .sample(let sample) = event { tracks[sample.track].add(sample) }
    }
    warnings += source.repairs
  }

  /// Whether RTMP can carry its video.
  var isUsable: Bool { tracks.contains { $0.track.kind == .video && $0.refusal == nil } }

  func lines(_ palette: Palette) -> [String] {
    var lines = [address.printable]
    for track in tracks {
      var words = [track.track.name]
      if track.track.width > 0 { words.append("\(track.track.width) × \(track.track.height)") }
      if let rate = track.rate { words.append("\(rate.decimal()) fps") }
      if track.track.sampleRate > 0 { words.append("\(track.track.sampleRate) Hz") }
      if let rate = track.bitRate {
        words.append("\((Double(rate) / 1000).decimal(places: 0...0)) kbit/s")
      }
      if let interval = track.keyFrameInterval {
        words.append("a key frame every \(interval.decimal()) s")
      }
      let verdict =
        track.refusal.map { palette.paint("RTMP: \($0)", .yellow) }
        ?? palette.paint("RTMP: yes", .green)
      lines.append("  \(words.joined(separator: ", ")); \(verdict)")
    }
    return lines + warnings.map { "  " + palette.paint($0.printable, .yellow) }
  }
}
