// SPDX-License-Identifier: MIT

internal import Bytes
internal import Synchronization

/// Parts of files, one behind the other, as one input. Few of the files are open at any time.
final class JoinedSource: ByteSource {
  private struct Part {
    var name: String
    var range: Range<Int>
    /// Where it begins here.
    var start: Int
  }

  /// The file of each name; asked again when one was closed meanwhile.
  typealias Opener = @Sendable (String) throws(SyntaxError) -> any ByteSource

  let count: Int
  private let parts: [Part]
  private let opener: Opener
  /// Files used last, the latest at the end.
  private let opened = Mutex<[(name: String, source: any ByteSource)]>([])
  private static let mostOpen = 4

  /// - Parameter places: names, and ranges or `nil` for whole files.
  init(_ places: [(name: String, range: Range<Int>?)], _ opener: @escaping Opener)
    throws(SyntaxError)
  {
    var parts: [Part] = []
    var count = 0
    var last: (name: String, source: any ByteSource)?
    for place in places {
      let source: any ByteSource
      if let last, last.name == place.name {
        source = last.source
      } else {
        source = try opener(place.name)
      }
      last = (place.name, source)
      let range = place.range ?? 0..<source.count
      guard range.upperBound <= source.count else {
        throw SyntaxError(
          .truncated, field: place.name, offset: source.count,
          detail: "ends at byte \(source.count), the playlist names bytes up to \(range.upperBound)"
        )
      }
      let (sum, overflow) = count.addingReportingOverflow(range.count)
      guard !overflow else {
        throw SyntaxError(
          .limit, field: place.name, offset: 0, detail: "makes all beyond 2^63 bytes")
      }
      if let before = parts.last, before.name == place.name,
        before.range.upperBound == range.lowerBound
      {
        parts[parts.count - 1].range = before.range.lowerBound..<range.upperBound
      } else if !range.isEmpty {
        parts.append(Part(name: place.name, range: range, start: count))
      }
      count = sum
    }
    self.parts = parts
    self.count = count
    self.opener = opener
  }

  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let part = parts[index(at: position)]
      let first = part.range.lowerBound + (position - part.start)
      let step = min(range.upperBound - position, part.range.upperBound - first)
      let source = try source(part.name)
      guard first + step <= source.count else {
        throw SyntaxError(
          .io, field: "", offset: first, detail: "\(part.name) became shorter while it was read")
      }
      if let resident = source.resident {
        for byte in resident[first..<first + step] { output.append(byte) }
      } else {
        try source.read(first..<first + step, into: &output)
      }
      position += step
    }
  }

  /// The part that holds a byte.
  private func index(at position: Int) -> Int {
    var (low, high) = (0, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if parts[middle].start <= position { low = middle } else { high = middle }
    }
    return low
  }

  private func source(_ name: String) throws(SyntaxError) -> any ByteSource {
    let held = opened.withLock { opened in opened.first { $0.name == name }?.source }
    if let held { return held }
    let source = try opener(name)
    opened.withLock { opened in
      if opened.count >= Self.mostOpen { opened.removeFirst() }
      opened.append((name, source))
    }
    return source
  }
}
