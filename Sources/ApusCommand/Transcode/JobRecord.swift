// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusJSON
import ApusMedia
import ApusSamples
import ApusTranscode

/// The record next to a part (`OUT.part.job`), by which another run knows whether it can continue the part: the input, the
/// format, the settings, and the start time of the part.
struct JobRecord {
  let origin: RationalTime
  private let value: JSONValue
  private let text: String

  private static let version = 1

  /// - Returns: `nil` if the input is not a regular file, which could be found again.
  init?(_ input: String, _ settings: TranscodeSettings, _ target: RemuxTarget, origin: RationalTime)
    throws(JSONError)
  {
    guard let identity = FileIdentity(input), identity.isRegular else { return nil }
    // The part is the same with and without this setting.
    var settings = settings
    settings.isSalvaging = false
    var json = JSONWriter("")
    json.object { json in
      json.field("version", Self.version)
      json.field("origin", origin.value)
      json.field("timescale", Int(origin.timescale))
      json.field("format", target.rawValue)
      json.key("input")
      json.object { json in
        json.field("bytes", identity.size)
        json.field("modified_ns", identity.times.modificationNanoseconds)
      }
      json.key("settings")
      SettingsJSON.write(settings, to: &json)
    }
    text = json.output
    value = try JSONReader.value(of: Array(text.utf8))
    self.origin = origin
  }

  /// Reads the record of a part; `nil` if it has none.
  init?(of part: String) throws {
    let path = Self.path(of: part)
    guard FileIdentity.exists(path) else { return nil }
    guard FileIdentity.isOwn(path) else {
      throw FileError("use", path, reason: "it is not a plain file of this user")
    }
    let source = try openInput(path)
    guard source.count <= 1 << 20 else {
      throw FileError("use", path, reason: "it is too large for a job record")
    }
    let bytes = try source.bytes(in: 0..<source.count)
    do throws(JSONError) {
      value = try JSONReader.value(of: bytes)
    } catch {
      throw FileError("use", path, reason: "it is not JSON: \(error)")
    }
    guard value["version"]?.integer == Self.version, let time = value["origin"]?.integer,
      let timescale = value["timescale"]?.integer.flatMap({ UInt32(exactly: $0) }), timescale > 0
    else {
      throw FileError("use", path, reason: "it is not a job record of this version of Apus")
    }
    text = String(decoding: bytes, as: UTF8.self)
    origin = RationalTime(Int64(time), per: timescale)
  }

  static func path(of part: String) -> String { part + ".job" }

  /// Writes the record next to a part, and returns whether it did. An existing file that is not such a record is kept.
  func write(beside part: String) throws(FileError) -> Bool {
    let path = Self.path(of: part)
    let isThere = FileIdentity.exists(path)
    guard !isThere || Self.isRecord(part) else { return false }
    guard let file = try FileOutput(path, onExists: isThere ? .replace : .skip) else {
      return false
    }
    try file.writer.write(text + "\n")
    try file.commit()
    return true
  }

  private static func isRecord(_ part: String) -> Bool {
    do { return try JobRecord(of: part) != nil } catch { return false }
  }

  /// Describes the first difference from another job, such as one in `settings.video.crf`.
  func difference(from other: JobRecord) -> String? {
    for name in ["format", "input", "settings"] {
      if let words = Self.difference(value[name], other.value[name], name) { return words }
    }
    return nil
  }

  private static func difference(_ before: JSONValue?, _ now: JSONValue?, _ path: String) -> String?
  {
    guard before != now else { return nil }
    guard case .object(let old)? = before, case .object(let new)? = now else {
      return "\(path) was \(words(before)) and is \(words(now))"
    }
    let added = new.map(\.name).filter { name in !old.contains { $0.name == name } }
    for name in old.map(\.name) + added {
      if let words = difference(before?[name], now?[name], "\(path).\(name)") { return words }
    }
    return nil
  }

  private static func words(_ value: JSONValue?) -> String {
    switch value {
    case nil: "not set"
    case .number(let digits): digits
    case .text(let text): text.isEmpty ? "empty" : text
    case .truth(let truth): truth ? "true" : "false"
    case .array(let values): values.map { words($0) }.joined(separator: ",")
    case .object?, .null?: "something else"
    }
  }
}
