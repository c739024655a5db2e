// SPDX-License-Identifier: MIT

import Bytes
import Files
import Glibc
import HTTP
import Live
import Presentations
import Synchronization
import Transport

/// Serves the folder of live presentations, and holds requests for what comes next until it is there.
final class LiveHLSServer: HTTPHandler {
  private let folder: String
  private let playlists = Mutex(LivePlaylists<HTTPExchange>())
  private let server = Mutex<HTTPServer?>(nil)

  private let address: ListenAddress
  /// Who may play what; `nil` where everybody may.
  private let keyring: StreamKeyring?

  init(folder: String, at address: ListenAddress, _ keyring: StreamKeyring?) {
    self.folder = folder
    self.address = address
    self.keyring = keyring
  }

  /// Begins to answer, and says where. Signals are watched by now: they would end the process on the server's thread.
  func start(_ console: Console) throws {
    guard case .network(let host, let port) = address.place else {
      throw UsageError("--hls-listen is HOST:PORT")
    }
    let (descriptor, bound) = try ListeningSocket.descriptor(host, port)
    let started = try HTTPServer(descriptor, HTTPServer.Options(), handler: self)
    server.withLock { $0 = started }
    var address = self.address
    address.place = .network(host: host, port: bound)
    let name = keyring == nil ? "NAME" : "KEY"
    console.note("presented at http://\(address.argument)/\(name)/index.m3u8")
  }

  func stop() {
    answer(playlists.withLock { $0.removeAll() })
    server.withLock { $0.take() }?.stop()
  }

  /// A playlist was written.
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
      // Other values ask for more than playlists here have, and get the whole.
      let isUpdate = head.parameter("_HLS_skip") == "YES"
      guard segment != nil || part != nil || isUpdate else {
        return exchange.answer(file(path, head))
      }
      let number = Self.number(segment)
      guard (number == nil) == (segment == nil), part == nil || Self.number(part) != nil,
        part == nil || number != nil
      else {
        return exchange.answer(text(400, "_HLS_msn and _HLS_part are numbers"))
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
    case .impossible: text(400, "it will be long until the playlist has that")
    case .late: text(503, "it has not come")
    case .text(let playlist): update(playlist, head)
    case .file, .missing, .wait:
      path(head).map { file($0, head) } ?? text(404, "no such file")
    }
  }

  /// A playlist that does not grow now, where someone asks for what comes next: at its end there is nothing, and without an
  /// end it may be long until something comes.
  private func ended(_ path: String, _ head: HTTPHead) -> HTTPAnswer {
    guard let source = try? FileSource(path, below: folder), source.count < 1 << 24,
      let bytes = try? source.bytes(in: 0..<source.count)
    else { return text(404, "no such file") }
    let isEnded = String(decoding: bytes, as: UTF8.self).holds("\n#EXT-X-ENDLIST")
    return isEnded ? file(path, head) : text(503, "the stream does not come now")
  }

  /// A file whole, or the stretch of it that is asked for.
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
      answer = text(416, "there is nothing")
      answer.headers.append(("Content-Range", "bytes */\(file.count)"))
    }
    // Headers of live streams have names that none has again.
    let stays = path.hasSuffix(".m4s") || path.holds("/init-")
    answer.headers += [
      ("Access-Control-Allow-Origin", "*"), ("Accept-Ranges", "bytes"),
      ("Cache-Control", stays ? "max-age=3600" : "no-cache"),
    ]
    return answer
  }

  /// A playlist from memory.
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

  /// The path below the folder; `nil` for what is no file of a presentation, or none that the client may play. With keys the
  /// first folder of an address is a key, as in the address of a player over RTMP, which the names in playlists inherit.
  private func path(_ head: HTTPHead) -> String? {
    guard let path = Self.path(head.path), let keyring else { return Self.path(head.path) }
    let key = path.prefix { $0 != "/" }
    return keyring.stream(playedBy: String(key)).map { "\($0)\(path.dropFirst(key.count))" }
  }

  /// The same by its form alone.
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
    // What a player asks for is near what there is; the sum with a small number is one, too.
    return Int(text).flatMap { $0 < 1 << 53 ? $0 : nil }
  }
}
