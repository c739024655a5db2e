// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusFiles

/// The file in the body of a submitted form: RFC 7578.
public struct FormBody {
  private let body: SpoolSource
  /// The delimiter before each part, after the end of the previous one.
  private let delimiter: [UInt8]

  /// Returns `nil` if the body is the file itself.
  ///
  /// - Parameter type: the content type of the request.
  public init?(_ body: SpoolSource, type: String?) {
    guard let type, type.lowercased().hasPrefix("multipart/form-data") else { return nil }
    let boundary = Self.parameters(of: type[...]).first { $0.name == "boundary" }
    guard let boundary else { return nil }
    self.body = body
    delimiter = Array("\r\n--\(boundary.value)".utf8)
  }

  /// Returns the content of the part with that name, or of the first that is a file; `nil` if there is none.
  public func file(named wanted: String?) throws -> SpoolSource? {
    guard var place = try firstPart() else { return nil }
    while let header = try header(at: place) {
      guard let end = try find(from: header.end) else { return nil }
      if wanted.map({ $0 == header.name }) ?? header.isFile {
        return try copy(header.end..<end)
      }
      place = end + delimiter.count
    }
    return nil
  }

  /// Returns the offset after the first delimiter, which has a line break before it only if other text precedes it.
  private func firstPart() throws -> Int? {
    let first = delimiter.dropFirst(2)
    let beginning = try body.bytes(in: 0..<min(first.count, body.count))
    return beginning.elementsEqual(first)
      ? first.count : try find(from: 0).map { $0 + delimiter.count }
  }

  private struct Header {
    var name: String?
    var isFile = false
    /// The offset at which the content begins.
    var end = 0
  }

  /// Returns the lines before the content of a part, of which there may be 8 KiB.
  private func header(at start: Int) throws -> Header? {
    let bytes = try body.bytes(in: min(start, body.count)..<min(start + 8192, body.count))
    let blank = Array("\r\n\r\n".utf8)
    guard bytes.starts(with: blank.prefix(2)), let end = Self.find(blank, in: bytes, from: 0) else {
      return nil
    }
    var header = Header()
    header.end = start + end + blank.count
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    for line in lines where line.lowercased().hasPrefix("content-disposition:") {
      for parameter in Self.parameters(of: line) {
        if parameter.name == "name" { header.name = parameter.value }
        if parameter.name.hasPrefix("filename") { header.isFile = true }
      }
    }
    return header
  }

  /// Returns the parameters of a header field, with their names in lower case: RFC 9110, 5.6.6. Quoted values may contain
  /// semicolons.
  private static func parameters(of field: Substring) -> [(name: String, value: String)] {
    var (isQuoted, isEscaped) = (false, false)
    let parts = field.split { character in
      defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      return character == ";" && !isQuoted
    }
    return parts.dropFirst().compactMap { part in
      let sides = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
      return sides.count == 2 ? (sides[0].lowercased(), unquoted(sides[1])) : nil
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 else { return text }
    var isEscaped = false
    return text.dropFirst().dropLast().filter { character in
      isEscaped = !isEscaped && character == "\\"
      return !isEscaped
    }
  }

  /// Returns the offset of the next delimiter.
  private func find(from start: Int) throws -> Int? {
    var place = start
    let step = 1 << 20
    while place < body.count {
      let bytes = try body.bytes(in: place..<min(place + step, body.count))
      if let found = Self.find(delimiter, in: bytes, from: 0) { return place + found }
      guard bytes.count == step else { return nil }
      place += step - delimiter.count
    }
    return nil
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + wanted.count <= bytes.count {
      guard let next = bytes[place...].firstIndex(of: wanted[0]), next + wanted.count <= bytes.count
      else { return nil }
      if bytes[next..<next + wanted.count].elementsEqual(wanted) { return next }
      place = next + 1
    }
    return nil
  }

  private func copy(_ range: Range<Int>) throws -> SpoolSource {
    let file = try SpoolSource()
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = try body.bytes(in: place..<min(place + 1 << 20, range.upperBound))
      _ = try file.append(bytes.span)
      place += bytes.count
    }
    return file
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
