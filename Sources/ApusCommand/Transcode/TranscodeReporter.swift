// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusMedia
import ApusTranscode

/// Reports the progress of a transcode, as text or JSON.
///
/// May cross threads: only the thread that encodes calls it.
final class TranscodeReporter: @unchecked Sendable {
  private let console: Console
  private let isJSON: Bool
  private let line: StatusLine
  private let started = SuspendingClock.now
  private var lastShown: SuspendingClock.Instant?

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
    line = StatusLine(console, isWanted: !isJSON)
  }

  func tick(_ progress: TranscodeProgress) {
    let now = SuspendingClock.now
    if let lastShown, now - lastShown < .nanoseconds(line.interval) { return }
    lastShown = now
    let pace = Pace(progress, seconds: (now - started) / .seconds(1))
    guard isJSON else { return line.show(pace.line) }
    // If the reader is gone, the command fails at the end.
    do throws(FileError) {
      try console.print(pace.json)
      try console.output.flush()
    } catch {}
  }

  func warn(_ message: String) {
    line.clear()
    console.warn(message)
  }

  func end() { line.clear() }

  var seconds: Double { max((SuspendingClock.now - started) / .seconds(1), 1e-3) }
}

/// The speed of a job.
struct Pace {
  let progress: TranscodeProgress
  let seconds: Double

  init(_ progress: TranscodeProgress, seconds: Double) {
    self.progress = progress
    self.seconds = max(seconds, 1e-3)
  }

  private var media: Double { Double(progress.time.rounded(to: 1000) ?? 0) / 1000 }
  private var total: Double? {
    progress.duration.flatMap { $0.rounded(to: 1000) }.map { Double($0) / 1000 }
  }
  /// The pictures per second that this run encoded, without kept ones.
  private var rate: Double { Double(progress.frames - progress.keptFrames) / seconds }
  private var speed: Double {
    max(0, media - Double(progress.kept.rounded(to: 1000) ?? 0) / 1000) / seconds
  }
  private var bitRate: Int {
    let own = speed * seconds
    return own > 0 ? Int(Double(progress.bytes) * 8 / own) : 0
  }
  /// The seconds left in this pass.
  private var left: Double? {
    guard let total, speed > 0, total >= media else { return nil }
    return (total - media) / speed
  }

  var line: String {
    var facts = [
      "\(progress.frames) frames", "\(rate.decimal(places: 1...1)) fps",
      "\(speed.decimal(places: 1...1))x",
      StreamText.rate(bitRate),
    ]
    if progress.passes > 1 { facts.insert("pass \(progress.pass)/\(progress.passes)", at: 0) }
    if let left { facts.append("\(StreamText.time(.seconds(left))) left") }
    let text = facts.joined(separator: "  ")
    guard let total, total > 0 else { return text }
    let filled = min(max(Int(media / total * 20), 0), 20)
    return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
      + "] " + text
  }
}

extension Pace: Described {
  private enum Event: String, CaseIterable, FactValue { case progress }

  static let title = "progress"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Pace {
    v.required("event", "The progress, about once a second.") { _ in Event.progress }
    v.required("pass", "The current pass, from 1.") { $0.progress.pass }
    v.required("passes", "The number of passes.") { $0.progress.passes }
    v.required("frames", "The number of pictures from the encoder in this pass.") {
      $0.progress.frames
    }
    v.required("bytes", "The size of all tracks.") { $0.progress.bytes }
    v.required("time_ms", "The time in the output at which the last picture is shown.") {
      $0.progress.time.rounded(to: 1000) ?? 0
    }
    v.required("fps", "Pictures per second.") { ($0.rate * 10).rounded() / 10 }
    v.required("speed", "Seconds of the output per second.") { ($0.speed * 100).rounded() / 100 }
    v.required("bit_rate", "Bits per second of the output.") { $0.bitRate }
    v.optional("left_ms", "The time left in this pass, if known.") {
      $0.left.map { Int($0 * 1000) }
    }
  }
}
