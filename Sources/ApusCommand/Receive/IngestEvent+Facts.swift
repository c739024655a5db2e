// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusLive
import ApusThreads

extension IngestEvent: Described {
  public static let title = "receive"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == IngestEvent {
    describeClients(&v)
    describeEnds(&v)
    describeRecordings(&v)
    describeForwarding(&v)
    describePresentations(&v)
    v.event(
      "refused", "A client was turned away, or lost before it had a stream.", client, reason
    ) { if case .refused(let client, let reason) = $0 { (client, reason) } else { nil } }
  }

  private static var client: Fact<Int> {
    Fact("client", "The number of the client, counted from 1.")
  }
  private static var name: Fact<String> {
    Fact("name", "The app, or the key if any key is accepted.")
  }
  private static var path: Fact<String> { Fact("path", "The file.") }
  private static var reason: Fact<String> { Fact("reason", "The reason.") }

  private static func describeClients<V: FactVisitor>(_ v: inout V)
  where V.Subject == IngestEvent {
    v.event(
      "listening", "The first line.", Fact<String>("host", "The address of the server."),
      Fact<Int>("port", "The port.")
    ) { if case .listening(let host, let port) = $0 { (host, Int(port)) } else { nil } }
    v.event(
      "connected", "A client connected.", client, Fact<String>("peer", "Its address and port.")
    ) { if case .connected(let client, let peer) = $0 { (client, peer) } else { nil } }
    v.event(
      "publishing", "A stream begins.", client, name, path,
      Fact<String>("software", "The name that the client gives itself.")
    ) {
      guard case .publishing(let client, let name, let path, let software) = $0 else { return nil }
      return (client, name, path, software)
    }
    v.event(
      "format", "The codecs of a stream, at its begin and after changes.", client,
      Fact<String>("codecs", "Such as HEVC (enhanced), AAC.")
    ) { if case .format(let client, let codecs) = $0 { (client, codecs) } else { nil } }
    v.event("playing", "A player gets the stream.", client, name) {
      if case .playing(let client, let name) = $0 { (client, name) } else { nil }
    }
    v.event(
      "warning", "Something is left out, or a client was disconnected.", client,
      Fact<String>("message", "The message.")
    ) { if case .warning(let client, let words) = $0 { (client, words) } else { nil } }
  }

  private static func describeEnds<V: FactVisitor>(_ v: inout V)
  where V.Subject == IngestEvent {
    v.event(
      "failed",
      """
      A stream can no longer be recorded; the recorded part is kept. If others get the stream and the reason may \
      be temporary, another file is begun after a while.
      """, client, name, reason
    ) {
      if case .failed(let client, let name, let reason) = $0 { (client, name, reason) } else { nil }
    }
    v.event(
      "ended", "A stream ended.", client, name,
      Fact<Int>("duration", "The duration of the stream in milliseconds."),
      Fact<Int>("tags", "The number of tags."), Fact<Int>("bytes", "Their size in bytes."),
      Fact<String?>("error", "The reason; null if the publisher ended it in order.")
    ) {
      guard case .ended(let client, let name, let sums, let error) = $0 else { return nil }
      return (client, name, Int(sums.duration.milliseconds), sums.tags, sums.bytes, error)
    }
  }

  private static func describeRecordings<V: FactVisitor>(_ v: inout V)
  where V.Subject == IngestEvent {
    v.event("part", "The recording of a stream continues in another file.", client, name, path) {
      if case .part(let client, let name, let path) = $0 { (client, name, path) } else { nil }
    }
    v.event("removed", "A finished part was removed, because only so many are kept.", name, path) {
      if case .removed(let name, let path) = $0 { (name, path) } else { nil }
    }
    v.event(
      "written", "A recording has its final form.", name, path,
      Fact<Int>("bytes", "Its size in bytes.")
    ) {
      if case .written(let name, let path, let bytes) = $0 { (name, path, bytes) } else { nil }
    }
    v.event(
      "unfinished",
      "A recording is kept in the form in which it was made, or was removed because it is empty.",
      name, path, reason
    ) {
      switch $0 {
      case .unfinished(let name, let path, let reason): (name, path, reason)
      case .empty(let name, let path, let isOld):
        (name, path, ReceiveText.empty(isOldThere: isOld))
      default: nil
      }
    }
  }

  private static func describeForwarding<V: FactVisitor>(_ v: inout V)
  where V.Subject == IngestEvent {
    v.event(
      "forward", "The state of a stream that is sent on to another server.", name,
      Fact<Int>("target", "The number of the --forward, counted from 1; 0 for all of them."),
      Fact<ForwardText.State>("state", "The state."), Fact<String>("message", "The message.")
    ) {
      switch $0 {
      case .forward(let name, let target, let event):
        ForwardText(event).map { (name, target, $0.state, $0.words) }
      case .forwardFailed(let name, let target, let reason): (name, target, .failed, reason)
      default: nil
      }
    }
  }

  private static func describePresentations<V: FactVisitor>(_ v: inout V)
  where V.Subject == IngestEvent {
    v.event(
      "unpresented",
      "The HLS presentation of a stream stopped, or pauses; its recording continues.", name, reason
    ) { if case .presentationFailed(let name, let reason) = $0 { (name, reason) } else { nil } }
    v.event("presented", "The stream is presented again.", name) {
      if case .presentationResumed(let name) = $0 { name } else { nil }
    }
  }
}
