// SPDX-License-Identifier: MIT

import Live

/// The events of an ingest server as JSON, one object per line.
struct ReceiveJSON {
  func write<Output: TextOutputStream>(
    _ event: IngestEvent, to json: inout JSONWriter<Output>
  ) {
    switch event {
    case .listening(let host, let port):
      line("listening", nil, &json) { json in
        json.field("host", host)
        json.field("port", Int(port))
      }
    case .connected(let client, let peer):
      line("connected", client, &json) { $0.field("peer", peer) }
    case .publishing(let client, let name, let path, let software):
      line("publishing", client, &json) { json in
        json.field("name", name)
        json.field("path", path)
        json.field("software", software)
      }
    case .format(let client, let words):
      line("format", client, &json) { $0.field("codecs", words) }
    case .playing(let client, let name):
      line("playing", client, &json) { $0.field("name", name) }
    case .warning(let client, let words):
      line("warning", client, &json) { $0.field("message", words) }
    case .failed(let client, let name, let reason):
      line("failed", client, &json) { json in
        json.field("name", name)
        json.field("reason", reason)
      }
    case .ended(let client, let name, let statistics, let error):
      line("ended", client, &json) { json in
        json.field("name", name)
        json.field("duration", statistics.duration)
        json.field("tags", statistics.tags)
        json.field("bytes", statistics.bytes)
        json.key("error")
        if let error { json.value(error) } else { json.null() }
      }
    case .part(let client, let name, let path):
      line("part", client, &json) { json in
        json.field("name", name)
        json.field("path", path)
      }
    case .removed(let name, let path):
      line("removed", nil, &json) { json in
        json.field("name", name)
        json.field("path", path)
      }
    case .written(let name, let path, let bytes):
      line("written", nil, &json) { json in
        json.field("name", name)
        json.field("path", path)
        json.field("bytes", bytes)
      }
    case .unfinished(let name, let path, let reason):
      line("unfinished", nil, &json) { json in
        json.field("name", name)
        json.field("path", path)
        json.field("reason", reason)
      }
    case .empty(let name, let path, let isOldThere):
      line("unfinished", nil, &json) { json in
        json.field("name", name)
        json.field("path", path)
        json.field("reason", ReceiveText.empty(isOldThere: isOldThere))
      }
    case .forward(let name, let target, let event):
      guard let text = ForwardText(event) else { return }
      line("forward", nil, &json) { json in
        json.field("name", name)
        json.field("target", target)
        json.field("state", text.state)
        json.field("message", text.words)
      }
    case .forwardFailed(let name, let target, let reason):
      line("forward", nil, &json) { json in
        json.field("name", name)
        json.field("target", target)
        json.field("state", "failed")
        json.field("message", reason)
      }
    case .presentationFailed(let name, let reason):
      line("unpresented", nil, &json) { json in
        json.field("name", name)
        json.field("reason", reason)
      }
    case .presentationResumed(let name):
      line("presented", nil, &json) { $0.field("name", name) }
    case .refused(let client, let reason):
      line("refused", client, &json) { $0.field("reason", reason) }
    }
  }

  private func line<Output: TextOutputStream>(
    _ name: String, _ client: Int?, _ json: inout JSONWriter<Output>,
    _ body: (inout JSONWriter<Output>) -> Void
  ) {
    json.object { json in
      json.field("event", name)
      json.field("at", WallClock.now)
      if let client { json.field("client", client) }
      body(&json)
    }
    json.endDocument()
  }
}
