// SPDX-License-Identifier: MIT

internal import ApusFacts
public import ApusLive
import ApusThreads
import FLV
import RTMP

/// A line of `apus stream --json`.
struct StreamLine: Described {
  enum Event {
    /// An event other than the end.
    case publish(PublishEvent)
    case progress(BroadcastState, bitRate: Int)
    case ended(PublishStatistics, error: String?, isInterrupted: Bool)
    case added(String)
    case removed
    /// An event of an input, with the name of the file that begins.
    case input(InputEvent, name: String)
    /// The nanoseconds for which the stand-by has played in total.
    case standby(Standby, switches: Int, time: Int64)
    case finished(targets: Int, failed: Int, error: String?, isInterrupted: Bool)
  }

  enum Standby: String, CaseIterable, FactValue {
    case on, off, total
  }

  enum Input: String, CaseIterable, FactValue {
    case begins, connecting, lost, reopened
  }

  /// The number of the target; `nil` if there is only one.
  var target: Int?
  let event: Event

  static let title = "stream"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == StreamLine {
    describeTargets(&v)
    describeConnections(&v)
    describeLosses(&v)
    describeMessages(&v)
    describeInputs(&v)
  }

  private static var target: Fact<Int?> {
    Fact(
      "target", "The number of the target, counted from 1, if there are several.", isOptional: true)
  }
  private static var server: Fact<String> {
    Fact("server", "The address, without key and password.")
  }
  private static var wait: Fact<Double> {
    Fact("retry_after", "The time until the next attempt, in seconds.")
  }
  private static var interrupted: Fact<Bool> { Fact("interrupted", "Whether a signal ended it.") }

  private static func describeTargets<V: FactVisitor>(_ v: inout V) where V.Subject == StreamLine {
    v.event(
      "added", "A target was added.", target, Fact<String>("name", "The name of the target.")
    ) { if case .added(let name) = $0.event { ($0.target, name) } else { nil } }
    v.event("removed", "The target was removed from the file of targets.", target) {
      if case .removed = $0.event { $0.target } else { nil }
    }
    v.event(
      "finished", "All targets ended.", Fact<Int>("targets", "The number of targets."),
      Fact<Int>("failed", "The number of targets that were given up."), interrupted,
      Fact<String?>("error", "The reason why the input could not be read on.")
    ) {
      guard case .finished(let count, let failed, let error, let isInterrupted) = $0.event else {
        return nil
      }
      return (count, failed, isInterrupted, error)
    }
    v.event(
      "progress", "The state of a target, about once a second.", target,
      Fact<Int64>("time", "The time in the stream, in milliseconds."),
      Fact<Int>("samples", "The number of pictures and audio frames sent."),
      Fact<Int>("bytes", "The bytes sent over all connections."),
      Fact<Int>("bit_rate", "Bits per second, over the last seconds."),
      Fact<Int>("queue_bytes", "The bytes in the queue."),
      Fact<Int64>("queue_time", "The milliseconds of stream in the queue."),
      Fact<Int>("dropped", "The number of samples dropped so far."),
      Fact<Double?>("round_trip", "The round trip in milliseconds, as TCP measures it.")
    ) {
      guard case .progress(let state, let bitRate) = $0.event else { return nil }
      let sums = state.statistics
      return (
        $0.target, sums.time.milliseconds, sums.samples, state.bytesSent, bitRate, sums.queuedBytes,
        sums.queuedTime.milliseconds, sums.dropped,
        state.roundTrip.map { Double($0.microseconds) / 1000 }
      )
    }
    v.event(
      "ended", "The stream to a target ended.", target,
      Fact<Int64>("time", "The duration that was sent, in milliseconds."),
      Fact<Int>("samples", "The number of samples sent."),
      Fact<Int>("bytes", "Their size in bytes, without the protocol."),
      Fact<Int>("losses", "The number of lost connections."),
      Fact<FactCounts>("dropped", "The number of dropped samples by kind."),
      Fact<Int>("dropped_bytes", "Their size in bytes."), interrupted,
      Fact<String?>("error", "The reason, if it failed.")
    ) {
      guard case .ended(let sums, let error, let isInterrupted) = $0.event else { return nil }
      let drops = FactCounts(Drop.Kind.allCases.map { ($0.rawValue, sums.drops[$0] ?? 0) })
      return (
        $0.target, sums.time.milliseconds, sums.samples, sums.bytes, sums.losses, drops,
        sums.droppedBytes,
        isInterrupted, error
      )
    }
  }

  private static func describeConnections<V: FactVisitor>(_ v: inout V)
  where V.Subject == StreamLine {
    v.event(
      "connecting", "A connection is being opened.", target, server,
      Fact<Int>("attempt", "1 for the first attempt since one that succeeded.")
    ) {
      switch $0.event {
      case .publish(.connecting(let address, let attempt)): ($0.target, "\(address)", attempt)
      case .publish(.opening(let name, let attempt)): ($0.target, name, attempt)
      default: nil
      }
    }
    v.event(
      "publishing", "The server accepts the stream.", target, server,
      Fact<HEVCDialect?>("dialect", "The form in which HEVC is sent; null if there is none."),
      Fact<Int64>("time", "The time in the stream at which this connection begins.")
    ) {
      switch $0.event {
      case .publish(.publishing(let address, let dialect, let time)):
        ($0.target, "\(address)", dialect, time.milliseconds)
      case .publish(.sending(let name, let time)): ($0.target, name, nil, time.milliseconds)
      default: nil
      }
    }
  }

  private static func describeLosses<V: FactVisitor>(_ v: inout V) where V.Subject == StreamLine {
    v.event(
      "dropped", "Samples were dropped.", target,
      Fact<Drop.Kind>(
        "kind",
        """
        leading: RASL and RADL pictures. dependent: refers to a picture that was dropped. outage: its time passed \
        while there was no connection; only here sound is dropped, too.
        """), Fact<Int>("samples", "The number of samples."),
      Fact<Int>("bytes", "Their size in bytes."),
      Fact<Int64>("first", "The decoding time of the first."),
      Fact<Int64>("last", "The decoding time of the last.")
    ) {
      guard case .publish(.dropped(let drop)) = $0.event else { return nil }
      let (first, last) = (drop.times.lowerBound, drop.times.upperBound)
      return (
        $0.target, drop.kind, drop.samples, drop.bytes, first.milliseconds, last.milliseconds
      )
    }
    v.event(
      "lost", "A connection was lost.", target, Fact<String>("reason", "The reason."), wait
    ) {
      guard case .publish(.lost(let reason, let wait)) = $0.event else { return nil }
      return ($0.target, reason, seconds(wait))
    }
  }

  /// Describes the messages of the server, and changes of the stream.
  private static func describeMessages<V: FactVisitor>(_ v: inout V) where V.Subject == StreamLine {
    v.event("moving", "The server redirects the stream.", target, server) {
      guard case .publish(.moving(let address)) = $0.event else { return nil }
      return ($0.target, "\(address)")
    }
    v.event(
      "configuration", "Parameter sets or another configuration changed.", target,
      Fact<Int64>("time", "The time in the stream, in milliseconds.")
    ) {
      guard case .publish(.configuration(let time)) = $0.event else { return nil }
      return ($0.target, time.milliseconds)
    }
    v.event(
      "status", "A status message of the server.", target,
      Fact<String>("level", "The level."), Fact<String>("code", "The code."),
      Fact<String>("text", "The text.")
    ) {
      guard case .publish(.status(let status)) = $0.event else { return nil }
      return ($0.target, status.level, status.code, status.text)
    }
    v.event("warning", "A warning.", target, Fact<String>("message", "The message.")) {
      switch $0.event {
      case .publish(.warning(let words)), .input(.warning(let words), _): ($0.target, words)
      default: nil
      }
    }
  }

  private static func describeInputs<V: FactVisitor>(_ v: inout V) where V.Subject == StreamLine {
    v.event(
      "input",
      """
      An event of the input: the next of several files begins; a server is asked for the stream; the connection \
      to it is lost; a named pipe ended and is opened again.
      """, Fact<Input>("state", "The event."),
      Fact<String?>("name", "The file, or the address without its key.", isOptional: true),
      Fact<Int?>("attempt", "1 for the first attempt since one that succeeded.", isOptional: true),
      Fact<String?>("reason", "The reason.", isOptional: true),
      Fact<Double?>("retry_after", wait.meaning, isOptional: true)
    ) {
      guard case .input(let event, let name) = $0.event else { return nil }
      switch event {
      case .began: return (.begins, name, nil, nil, nil)
      case .reopened(let error): return (.reopened, nil, nil, error?.text ?? "it ended", nil)
      case .connecting(let address, let attempt):
        return (.connecting, "\(address)", attempt, nil, nil)
      case .lost(let reason, let wait): return (.lost, nil, nil, reason, seconds(wait))
      case .stalled, .resumed, .warning: return nil
      }
    }
    v.event(
      "standby",
      """
      The stand-by replaces an input that sends nothing (on), the input is back (off), or the stream ended (total).
      """, Fact<Standby>("state", "The event."),
      Fact<Int>("switches", "The number of times that the stand-by took over so far."),
      Fact<Double>("seconds", "The seconds that it has played, without the current time.")
    ) {
      guard case .standby(let state, let switches, let time) = $0.event else { return nil }
      return (state, switches, seconds(.nanoseconds(time)))
    }
  }

  /// Returns nanoseconds as seconds, to the millisecond.
  private static func seconds(_ time: Duration) -> Double { Double(time.milliseconds) / 1000 }
}

extension Drop.Kind: FactValue {}
