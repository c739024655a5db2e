// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import ApusMedia
import ApusRecords
import ApusSamples
import HEIF
import ISOBMFF

/// The NAL units of the pictures of a file, one picture after the other, so that memory does not grow with the file.
struct InspectSamples {
  let range: SampleRange
  /// The only track that is shown; `nil` for all with NAL units.
  let track: UInt?
  let limits: Limits

  /// Passes each picture. Throws if nothing is found, or at the end if some could not be found.
  func forEach(in input: Input, _ body: (DataUnits) throws -> Void) throws {
    if try FileKind(of: input.source) == .annexB { return try forEach(inStream: input, body) }
    let tree = try input.boxTree(limits)
    let movie = Movie(tree)
    var count = 0
    var failure: SyntaxError?
    for track in movie.tracks {
      guard self.track.map({ $0 == UInt(track.id) }) ?? true else { continue }
      let units = TrackUnits(of: track, in: tree.source, limits: limits)
      guard units.isReadable || self.track != nil else { continue }
      failure = try walk(track, units, &count, body) ?? failure
    }
    if track == nil, range.isAll {
      let graph = ItemGraph(tree)
      for item in graph.items {
        guard let found = DataUnits(of: item, graph, in: tree.source, limits: limits) else {
          continue
        }
        count += 1
        try body(found)
      }
    }
    if let failure { throw failure }
    guard count > 0 else { throw NothingThere(Self.lack(in: movie)) }
  }

  private static func lack(in movie: Movie) -> String {
    let isEncrypted = movie.tracks.contains { $0.sampleEntries.contains(where: \.isProtected) }
    return "has no such samples of HEVC or H.264"
      + (isEncrypted ? "; those of encrypted tracks are not read" : "")
  }

  /// Returns the reason why the samples end early.
  private func walk(
    _ track: Track, _ reader: TrackUnits, _ count: inout Int, _ body: (DataUnits) throws -> Void
  ) throws -> SyntaxError? {
    var reader = reader
    var cursor = track.samples()
    while true {
      let sample: TrackSample
      do throws(SyntaxError) {
        guard let next = try cursor.next() else { return nil }
        sample = next
      } catch {
        return error
      }
      if let last = range.last, sample.index >= last { return nil }
      // A few bytes of tables can announce millions of samples without bytes.
      if sample.size == 0 { continue }
      let time = SampleTime(sample, of: track, from: reader.start)
      if range.contains(sample.index + 1, at: time.start, for: time.duration) {
        count += 1
        try body(reader.units(of: sample))
      } else {
        // A later sample may refer to its parameter sets; what cannot be read is missing there.
        try? reader.pass(sample)
      }
    }
  }

  private func forEach(inStream input: Input, _ body: (DataUnits) throws -> Void) throws {
    guard !range.isTimes else {
      throw NothingThere("is a bare stream, which has no times; select pictures by numbers")
    }
    guard track == nil else { throw NothingThere("is a bare stream, which has no tracks") }
    var stream = StreamUnits(
      in: input.source, isAVC: try BareStreamKind.isAVC(input.source), limits: limits)
    var (number, count) = (0, 0)
    while range.last.map({ number < $0 }) ?? true, let picture = try stream.next() {
      number += 1
      guard range.contains(number) else { continue }
      count += 1
      try body(picture)
    }
    guard count > 0 else { throw NothingThere("has no such pictures") }
  }
}

// MARK: - Output

extension InspectSamples {
  /// - Parameter title: text before the first sample.
  func write(
    _ input: Input, _ title: String, depth: Int, _ text: FieldText, to output: ResultStream
  ) throws {
    var (output, title) = (output, title)
    let palette = text.palette
    try forEach(in: input) { data in
      try output.check()
      output.write(title)
      title = ""
      output.write(
        palette.type(data.user.name)
          + palette.place(" @\(data.range.lowerBound) +\(data.range.count)")
          + data.user.remarks + "\n")
      for unit in data.units where depth > 1 {
        output.write("  " + unit.headline(palette) + "\n")
        if depth > 2 { try text.write(unit.fields, indent: "    ", to: &output) }
      }
      if let failure = data.failure { output.write("  (\(failure.message))\n") }
    }
  }

  func writeJSON(_ input: Input, depth: Int, to output: ResultStream) throws {
    var json = JSONWriter(output)
    var isEmpty = true
    var failure: (any Error)?
    try json.object { json throws in
      json.field("file", input.name)
      json.field("size", input.source.count)
      json.key("samples")
      try json.array { json throws in
        var inner = json
        do {
          try forEach(in: input) { data in
            try output.check()
            isEmpty = false
            try Self.write(data, depth: depth, to: &inner)
          }
        } catch {
          // Nothing was passed on without a sample; after one, the document is completed.
          if isEmpty { throw error }
          failure = error
        }
        json = inner
      }
    }
    json.endDocument()
    if let failure { throw failure }
  }

  private static func write<Output: TextOutputStream>(
    _ data: DataUnits, depth: Int, to json: inout JSONWriter<Output>
  ) throws {
    try json.object { json throws in
      data.user.write(to: &json)
      json.field("offset", data.range.lowerBound)
      json.field("size", data.range.count)
      if let failure = data.failure { json.field("failure", failure.message) }
      guard depth > 1 else { return }
      json.key("nal_units")
      try json.array { json throws in
        for unit in data.units {
          try json.object { json throws in
            unit.write(to: &json)
            guard depth > 2 else { return }
            json.key("fields")
            try json.array { json throws in
              for field in unit.fields { try InspectJSON(isFull: true).write(field, to: &json) }
            }
          }
        }
      }
    }
  }
}
