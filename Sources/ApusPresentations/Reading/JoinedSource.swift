// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Parts of files, concatenated, as one input.
final class JoinedSource: ByteSource {
  private struct Part {
    var name: String
    var range: Range<Int>
    /// The offset in the joined input at which it begins.
    var start: Int
  }

  typealias Opener = OpenFiles.Opener

  let count: Int
  /// The names of files that are empty, without repetitions.
  let empty: [String]
  private let parts: [Part]
  private let opener: Opener

  /// - Parameters:
  ///   - places: names, and ranges or `nil` for whole files.
  ///   - opener: called for each piece that is read, so that files are not kept open here.
  init(_ places: [(name: String, range: Range<Int>?)], _ opener: @escaping Opener)
    throws
  {
    var parts: [Part] = []
    var count = 0
    var empty: [String] = []
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
      if range.isEmpty, !empty.contains(place.name) { empty.append(place.name) }
      guard range.upperBound <= source.count else {
        throw SyntaxError(
          .truncated, field: place.name, offset: source.count,
          detail: "ends at byte \(source.count), the playlist names bytes up to \(range.upperBound)"
        )
      }
      let (sum, overflow) = count.addingReportingOverflow(range.count)
      guard !overflow else {
        throw MediaError(.limit, of: .part(place.name), "makes all beyond 2^63 bytes")
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
    self.empty = empty
    self.opener = opener
  }

  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let part = parts[index(at: position)]
      let first = part.range.lowerBound + (position - part.start)
      let step = min(range.upperBound - position, part.range.upperBound - first)
      let source: any ByteSource
      do {
        source = try opener(part.name)
      } catch {
        throw SyntaxError(.io, field: "", offset: position, detail: "\(error)")
      }
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

  /// Returns the index of the part that holds a byte.
  private func index(at position: Int) -> Int {
    var (low, high) = (0, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if parts[middle].start <= position { low = middle } else { high = middle }
    }
    return low
  }
}
