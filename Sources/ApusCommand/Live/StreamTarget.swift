// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusForeign
import ApusLive
import ApusMedia
import RTMP

/// One of several targets of a stream, from the command line or a line of a file.
struct StreamTarget {
  /// The name in reports.
  var name: String
  var addresses: [Address]
  /// The SRT address, instead of RTMP addresses.
  var srt: SRTAddress?
  var dialect: DialectChoice?
  var queue: MediaTime?
  var retries: UInt?
  /// The words of its line, which identify the target when the file is read again.
  var words: [String]

  init(_ addresses: [Address], words: [String]) {
    name = addresses.first.map { "\($0)" } ?? ""
    self.addresses = addresses
    self.words = words
  }

  /// Parses an address.
  init(url: String, words: [String], _ key: StreamKeyOptions, app: String?) throws {
    guard url.isSRTAddress else {
      self.init(try key.addresses([url], app: app), words: words)
      return
    }
    let address = try SRTAddress(argument: url)
    self.init([], words: words)
    (srt, name) = (address, "\(address)")
  }

  /// Parses a line: an address, and the options of this target.
  init(line: String, _ key: StreamKeyOptions, app: String?) throws {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let url = words.first else { throw UsageError("a target is missing") }
    try self.init(url: url, words: words, key, app: app)
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, try set(parts[0], parts[1], key) else {
        throw UsageError(
          "\(SecretRanges.masked(word)) is unknown; expected name=, dialect=, queue=, retry= or backup="
        )
      }
    }
  }

  private mutating func set(_ name: String, _ value: String, _ key: StreamKeyOptions) throws -> Bool
  {
    guard srt == nil || !["dialect", "backup"].contains(name) else {
      throw UsageError("\(name)= is only for rtmp:// and rtmps://")
    }
    switch name {
    case "name": self.name = value
    case "dialect": dialect = try Self.read(value, name)
    case "queue": queue = try Self.read(value, name)
    case "retry": retries = try Self.read(value, name)
    case "backup": addresses += try key.addresses([value], app: nil)
    default: return false
    }
    return true
  }

  private static func read<Value: ArgumentValue>(_ value: String, _ name: String) throws(UsageError)
    -> Value
  {
    guard let value = Value(argument: value) else {
      throw UsageError("\(name)= must be \(Value.expected), not \(value)")
    }
    return value
  }

  /// Whether its addresses contain `{key}`, for the name of a stream.
  var namesStream: Bool {
    // A listener waits at one port, which can get one stream.
    if let srt { return srt.mode == .caller && srt.streamID?.holds("{key}") == true }
    return addresses.allSatisfy { $0.app.holds("{key}") || $0.key.unmasked.holds("{key}") }
  }

  /// Returns the addresses for a stream of this name.
  func addresses(of stream: String) -> [Address] {
    addresses.map { address in
      var address = address
      address.app = address.app.with(stream, for: "{key}")
      address.key = StreamKey(address.key.unmasked.with(stream, for: "{key}"))
      return address
    }
  }

  /// Returns the SRT address for a stream of this name.
  func srt(of stream: String) -> SRTAddress? {
    guard var address = srt else { return nil }
    address.streamID = address.streamID?.with(stream, for: "{key}")
    return address
  }

  /// Returns the options of the command, with those of this target over them.
  func options(_ standard: PublishOptions) -> PublishOptions {
    var options = standard
    if let dialect { options.dialect = dialect }
    if let queue { options.queue.duration = .nanoseconds(queue.nanosecondsInHour) }
    if let retries { options.retries = Int(clamping: retries) }
    // Waiting for a server that is not running yet does not delay the others.
    options.waitsForServer = true
    return options
  }
}

extension SRTAddress {
  /// Parses an address on the command line.
  init(argument: String) throws(UsageError) {
    do throws(MediaError) {
      try self.init(argument)
    } catch {
      throw UsageError(error.message)
    }
  }
}

/// A file with one target per line; lines that begin with `#` are comments.
struct TargetFile {
  let path: String

  func targets(_ key: StreamKeyOptions, app: String?) throws -> [StreamTarget] {
    var targets: [StreamTarget] = []
    for (number, line) in try InputName(path: path).lines("a file of targets") {
      do {
        targets.append(try StreamTarget(line: line, key, app: app))
      } catch let error as UsageError {
        throw FileError("use", path, reason: "line \(number): \(error.message)")
      }
    }
    guard !targets.isEmpty else { throw FileError("use", path, reason: "it has no target") }
    guard Set(targets.map(\.words)).count == targets.count else {
      throw FileError("use", path, reason: "two lines are the same")
    }
    return targets
  }
}
