// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import ApusLive
import ApusPresentations
import ApusTransport
import Glibc
import Synchronization

/// Serves the folder of live presentations, and holds requests for the next segment or part until it exists.
final class LiveHLSServer: HTTPHandler {
  private let folder: String
  private let playlists = Mutex(LivePlaylists<HTTPExchange>())
  private let server = Mutex<HTTPServer?>(nil)

  private let address: ListenAddress
  /// The keys of players; `nil` if anyone may play.
  private let keyring: StreamKeyring?

  init(folder: String, at address: ListenAddress, _ keyring: StreamKeyring?) {
    self.folder = folder
    self.address = address
    self.keyring = keyring
  }

  /// Starts the server and prints its address. Signals must be watched by now: they would end the process on its thread.
  func start(_ console: Console) throws {
    guard case .network(let host, let port) = address.place else {
      throw UsageError("--hls-listen must be HOST:PORT")
    }
    let (descriptor, bound) = try ListeningSocket.descriptor(host, port)
    let started = try HTTPServer(descriptor, HTTPServer.Options(), handler: self)
    server.withLock { $0 = started }
    var address = self.address
    address.place = .network(host: host, port: bound)
    let name = keyring == nil ? "NAME" : "KEY"
    console.note("HLS at http://\(address.argument)/\(name)/index.m3u8")
  }

  func stop() {
    answer(playlists.withLock { $0.removeAll() })
    server.withLock { $0.take() }?.stop()
  }

  /// Answers requests that waited for this playlist.
  func published(_ playlist: PublishedPlaylist, of stream: String) {
    answer(playlists.withLock { $0.published(playlist, in: stream) })
  }

  /// Answers requests that have waited too long; called once a second.
  func tick() { answer(playlists.withLock { $0.late(at: .now) }) }

  private func answer(_ clients: [(HTTPExchange, LivePlaylists<HTTPExchange>.Reply)]) {
    for (exchange, reply) in clients { exchange.answer(answer(reply, to: exchange.head)) }
  }

  // MARK: Requests

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    switch head.method {
    case "GET", "HEAD": return .body(atMost: 0)
    case "OPTIONS":
      var answer = HTTPAnswer(204)
      answer.headers = [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "GET, HEAD"),
        ("Access-Control-Allow-Headers", "Range"), ("Access-Control-Max-Age", "86400"),
      ]
      return .answer(answer)
    default:
      var answer = HTTPAnswer(405)
      answer.headers = [("Allow", "GET, HEAD, OPTIONS")]
      return .answer(answer)
    }
  }

  func serve(_ exchange: HTTPExchange) {
    let head = exchange.head
    guard let path = path(head) else { return exchange.answer(text(404, "no such file")) }
    let wish: LivePlaylists<HTTPExchange>.Wish
    if path.hasSuffix(".m3u8") {
      for name in ["_HLS_msn", "_HLS_part", "_HLS_skip"]
      where head.query.count(where: { $0.name == name }) > 1 {
        return exchange.answer(text(400, "\(name) is given twice"))
      }
      let (segment, part) = (head.parameter("_HLS_msn"), head.parameter("_HLS_part"))
      // Other values, such as v2, get the whole playlist.
      let isUpdate = head.parameter("_HLS_skip") == "YES"
      guard segment != nil || part != nil || isUpdate else {
        return exchange.answer(file(path, head))
      }
      let number = Self.number(segment)
      guard (number == nil) == (segment == nil), part == nil || Self.number(part) != nil,
        part == nil || number != nil
      else {
        return exchange.answer(text(400, "_HLS_msn and _HLS_part must be numbers"))
      }
      wish = .playlist(path, segment: number, part: Self.number(part), isUpdate: isUpdate)
    } else {
      wish = .part(path)
    }
    let reply = playlists.withLock { $0.ask(wish, exchange, at: .now) }
    switch (reply, wish) {
    case (.wait, _): break
    case (.missing, .part): exchange.answer(file(path, head))
    case (.missing, .playlist(_, nil, _, _)): exchange.answer(file(path, head))
    case (.missing, .playlist): exchange.answer(ended(path, head))
    default: exchange.answer(answer(reply, to: head))
    }
  }

  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer { HTTPAnswer(413) }
  func ended(_ exchange: HTTPExchange) {}

  // MARK: Answers

  private func answer(_ reply: LivePlaylists<HTTPExchange>.Reply, to head: HTTPHead) -> HTTPAnswer {
    switch reply {
    case .impossible: text(400, "too far ahead of the playlist")
    case .late: text(503, "not available in time")
    case .text(let playlist): update(playlist, head)
    case .file, .missing, .wait:
      path(head).map { file($0, head) } ?? text(404, "no such file")
    }
  }

  /// Answers a request for the next segment of a playlist that does not grow at the moment. If the playlist has ended, nothing
  /// follows; if not, it may take long until something does.
  private func ended(_ path: String, _ head: HTTPHead) -> HTTPAnswer {
    guard let source = try? FileSource(path, below: folder), source.count < 1 << 24,
      let bytes = try? source.bytes(in: 0..<source.count)
    else { return text(404, "no such file") }
    let isEnded = String(decoding: bytes, as: UTF8.self).holds("\n#EXT-X-ENDLIST")
    return isEnded ? file(path, head) : text(503, "the stream is offline")
  }

  /// Returns a file, or the requested range of it.
  private func file(_ path: String, _ head: HTTPHead) -> HTTPAnswer {
    guard let file = try? FileSource(path, below: folder) else { return text(404, "no such file") }
    let isPlaylist = path.hasSuffix(".m3u8")
    var answer: HTTPAnswer
    switch HTTPRange(isPlaylist ? nil : head.header("Range"), of: file.count) {
    case .all:
      answer = HTTPAnswer(200, Self.type(path), .stretch(FileStretch(file, 0..<file.count)))
    case .stretch(let range):
      answer = HTTPAnswer(206, Self.type(path), .stretch(FileStretch(file, range)))
      answer.headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)"))
    case .unsatisfiable:
      answer = text(416, "range not satisfiable")
      answer.headers.append(("Content-Range", "bytes */\(file.count)"))
    }
    // Names of headers of live streams are never used again.
    let stays = path.hasSuffix(".m4s") || path.holds("/init-")
    answer.headers += [
      ("Access-Control-Allow-Origin", "*"), ("Accept-Ranges", "bytes"),
      ("Cache-Control", stays ? "max-age=3600" : "no-cache"),
    ]
    return answer
  }

  /// Returns a playlist from memory.
  private func update(_ playlist: String, _ head: HTTPHead) -> HTTPAnswer {
    var answer = HTTPAnswer(200, Self.type(head.path), .bytes(Array(playlist.utf8)))
    answer.headers += [("Access-Control-Allow-Origin", "*"), ("Cache-Control", "no-cache")]
    return answer
  }

  private func text(_ status: Int, _ text: String) -> HTTPAnswer {
    var answer = HTTPAnswer(status, "text/plain", .bytes(Array("\(text)\n".utf8)))
    answer.headers += [("Access-Control-Allow-Origin", "*"), ("Cache-Control", "no-store")]
    return answer
  }

  /// Returns the path below the folder, or `nil` if it is not a file of a presentation or the client may not play it. With
  /// keys, the first component is a key, as in the address of an RTMP player; the relative names in playlists inherit it.
  private func path(_ head: HTTPHead) -> String? {
    guard let path = Self.path(head.path), let keyring else { return Self.path(head.path) }
    let key = path.prefix { $0 != "/" }
    return keyring.stream(playedBy: String(key)).map { "\($0)\(path.dropFirst(key.count))" }
  }

  /// Checks only the form of the path.
  private static func path(_ path: String) -> String? {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard path.first == "/", (2...3).contains(parts.count),
      [".m3u8", ".mp4", ".m4s"].contains(where: { path.hasSuffix($0) })
    else { return nil }
    let arePlain = parts.allSatisfy { part in
      part.first != "." && !part.isEmpty
        && part.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20)
            || [0x2d, 0x2e, 0x5f].contains($0) || $0 >= 0x80
        }
    }
    return arePlain ? String(path.dropFirst()) : nil
  }

  private static func type(_ path: String) -> String {
    if path.hasSuffix(".m3u8") { return "application/vnd.apple.mpegurl" }
    return path.holds("/audio-") ? "audio/mp4" : "video/mp4"
  }

  private static func number(_ text: String?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    // The limit leaves room for adding a small number.
    return Int(text).flatMap { $0 < 1 << 53 ? $0 : nil }
  }
}
