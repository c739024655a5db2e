// SPDX-License-Identifier: MIT

import ApusJSON
import Bytes
import Files
import Glibc
import HTTP
import Synchronization

/// Answers that are kept in a folder, up to so many bytes; those that were not asked for longest make room.
///
/// A file has a line of JSON with the headers of the answer and a tag of its body, and then the body. One that is not what it
/// says, after a power cut for example, is no answer.
final class ServeCache: Sendable {
  private struct Entry {
    var bytes: Int
    /// When it was last asked for, as the number of that request.
    var use: Int
    /// Whether the file is there; until then only its room is taken.
    var isWhole: Bool
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var bytes = 0
    var uses = 0
    var counts = Counts()
  }

  struct Counts {
    var hits = 0
    var misses = 0
    /// Answers to one request that others waited for.
    var shared = 0
    /// Answers that could not be kept, because the disk is full for example.
    var failures = 0
    var entries = 0
    var bytes = 0
  }

  private let folder: String
  private let most: Int
  /// What keys are made with, so that no client can send a file that has the key of another.
  private let secret: [UInt8]
  private let state = Mutex(State())
  private static let digits = 32
  private static let longestHead = 1 << 16
  /// The longest body that is held in memory while it is sent.
  private static let longestInMemory = 1 << 18

  init(_ folder: String, mostBytes most: Int) throws {
    self.folder = folder
    self.most = most
    try OutputFolder.makePrivate(folder)
    secret = try Self.secret(folder + "/secret")
    var state = State()
    var found: [(name: String, bytes: Int, time: Int)] = []
    for name in try FileWalk.names(in: folder) where Self.isKey(name) {
      guard let status = FileSystem.status("\(folder)/\(name)") else { continue }
      found.append((name, Int(status.st_size), status.st_mtim.tv_sec))
    }
    for file in found.sorted(by: { $0.time < $1.time }) {
      state.uses += 1
      state.bytes += file.bytes
      state.entries[file.name] = Entry(bytes: file.bytes, use: state.uses, isWhole: true)
    }
    self.state.withLock { $0 = state }
    makeRoom(for: 0, key: nil)
  }

  var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      (counts.entries, counts.bytes) = (state.entries.count, state.bytes)
      return counts
    }
  }

  /// The key of an answer.
  ///
  /// - Parameter words: all that it depends on beside the file.
  func key(_ words: [String], _ body: any ByteSource) throws -> String {
    var tag = ContentTag()
    tag.add(secret)
    try tag.add(words, body)
    return tag.digits
  }

  // MARK: - Answers

  /// The answer that is kept under a key.
  func answer(for key: String) -> HTTPAnswer? {
    let isKnown = state.withLock { state in
      guard state.entries[key]?.isWhole == true else {
        state.counts.misses += 1
        return false
      }
      state.uses += 1
      state.entries[key]?.use = state.uses
      return true
    }
    guard isKnown else { return nil }
    let answer: HTTPAnswer? = {
      do { return try read(key) } catch { return nil }
    }()
    state.withLock { state in
      if answer == nil { state.counts.misses += 1 } else { state.counts.hits += 1 }
    }
    if answer == nil { remove(key) }
    return answer
  }

  private func read(_ key: String) throws -> HTTPAnswer? {
    let file = try FileSource("\(folder)/\(key)")
    let beginning = try file.bytes(in: 0..<min(file.count, Self.longestHead))
    guard let end = beginning.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let head = try JSONReader.value(of: Array(beginning[..<end]))
    let body = end + 1..<file.count
    guard head["bytes"]?.integer == body.count, let tag = head["tag"]?.text,
      case .array(let fields)? = head["headers"]
    else { return nil }
    let headers = fields.compactMap { field -> (name: String, value: String)? in
      guard let name = field["name"]?.text, let value = field["value"]?.text else { return nil }
      return (name, value)
    }
    guard headers.count == fields.count else { return nil }
    var answer = HTTPAnswer(200)
    answer.headers = headers
    var found = ContentTag()
    if body.count <= Self.longestInMemory {
      let bytes = try file.bytes(in: body)
      found.add(bytes)
      answer.body = .bytes(bytes)
    } else {
      let spool = try SpoolSource()
      for start in stride(from: body.lowerBound, to: body.upperBound, by: 1 << 20) {
        let part = try file.bytes(in: start..<min(start + 1 << 20, body.upperBound))
        found.add(part)
        _ = try spool.append(part.span)
      }
      answer.body = .file(spool)
    }
    return found.digits == tag ? answer : nil
  }

  /// Keeps an answer. Where that fails, it is made again the next time.
  func keep(_ answer: HTTPAnswer, for key: String) {
    do {
      let (head, tag) = (answer.count, try Self.tag(of: answer.body))
      var json = JSONWriter("")
      json.object { json in
        json.field("bytes", head)
        json.field("tag", tag)
        json.key("headers")
        json.array { json in
          for header in answer.headers {
            json.object { json in
              json.field("name", header.name)
              json.field("value", header.value)
            }
          }
        }
      }
      json.endDocument()
      let bytes = json.output.utf8.count + answer.count
      guard bytes <= most, json.output.utf8.count < Self.longestHead else { return }
      makeRoom(for: bytes, key: key)
      try write(json.output, answer.body, key)
      let isKept = state.withLock { state in
        state.entries[key]?.isWhole = true
        return state.entries[key] != nil
      }
      // Others have needed its room meanwhile.
      if !isKept { removeFile(key) }
    } catch {
      remove(key)
      state.withLock { $0.counts.failures += 1 }
    }
  }

  private func write(_ head: String, _ body: HTTPAnswer.Body, _ key: String) throws {
    guard let file = try FileOutput("\(folder)/\(key)", onExists: .replace) else { return }
    try file.writer.write(head)
    try body.forEachPiece { try file.writer.write($0.span) }
    try file.commit()
  }

  private static func tag(of body: HTTPAnswer.Body) throws -> String {
    var tag = ContentTag()
    try body.forEachPiece { tag.add($0) }
    return tag.digits
  }

  // MARK: - Room

  /// Removes what was not asked for longest, a tenth more than has to go, and takes the room for an answer.
  ///
  /// - Parameter key: of that answer.
  private func makeRoom(for bytes: Int, key: String?) {
    let removed = state.withLock { state -> [String] in
      if let key { state.bytes -= state.entries.removeValue(forKey: key)?.bytes ?? 0 }
      defer {
        state.uses += 1
        state.bytes += bytes
        if let key {
          state.entries[key] = Entry(bytes: bytes, use: state.uses, isWhole: false)
        }
      }
      guard state.bytes + bytes > most else { return [] }
      var removed: [String] = []
      for (key, entry) in state.entries.sorted(by: { $0.value.use < $1.value.use }) {
        guard state.bytes + bytes > most - most / 10 else { break }
        removed.append(key)
        state.bytes -= entry.bytes
        state.entries[key] = nil
      }
      return removed
    }
    for key in removed { removeFile(key) }
  }

  private func remove(_ key: String) {
    state.withLock { state in
      state.bytes -= state.entries.removeValue(forKey: key)?.bytes ?? 0
    }
    removeFile(key)
  }

  /// One that is gone already is no error.
  private func removeFile(_ key: String) {
    do throws(FileError) { try FileSystem.remove("\(folder)/\(key)") } catch {}
  }

  private static func isKey(_ name: String) -> Bool {
    name.utf8.count == digits
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The secret in a file, which is made where there is none.
  private static func secret(_ path: String) throws -> [UInt8] {
    if FileSystem.exists(path) {
      let file = try FileSource(path)
      let bytes = try file.bytes(in: 0..<min(file.count, 64))
      guard bytes.count == 32 else {
        throw FileError("use", path, reason: "it is no secret of a cache, which has 32 bytes")
      }
      return bytes
    }
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
    guard let file = try FileOutput(path) else { throw FileError("write", path, code: EEXIST) }
    try file.writer.write(bytes.span)
    try file.commit()
    return bytes
  }
}

extension ContentTag {
  /// Adds words, each with an end, and then the bytes of a file.
  mutating func add(_ words: [String], _ body: any ByteSource) throws {
    for word in words { add(Array(word.utf8) + [0]) }
    for start in stride(from: 0, to: body.count, by: 1 << 20) {
      add(try body.bytes(in: start..<min(start + 1 << 20, body.count)))
    }
  }
}
