// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct BrokenTableTests {
  /// A change to a table of the first track of `hvc1.mp4`, which has ten samples in several chunks, and
  /// what the walk then says.
  struct Row: CustomTestStringConvertible, Sendable {
    var table: FourCC
    var rows: [[Int64]]
    /// How many samples come before the error.
    var samples: Int
    var message: String
    var testDescription: String { "\(table) \(rows)" }
  }

  @Test(arguments: [
    Row(table: "stts", rows: [[4, 512]], samples: 4, message: "entries for 4 samples"),
    Row(table: "stts", rows: [], samples: 0, message: "entries for 0 samples"),
    Row(table: "ctts", rows: [[9, 0]], samples: 9, message: "entries for 9 samples"),
    Row(table: "stco", rows: [[40]], samples: 2, message: "has 1 chunks"),
    Row(table: "stsc", rows: [], samples: 0, message: "says nothing of the chunk"),
    Row(table: "stsc", rows: [[2, 1, 1]], samples: 0, message: "first_chunk is 2 at first"),
    Row(
      table: "stsc", rows: [[1, 1, 1], [1, 2, 1]], samples: 0, message: "first_chunk is 1 after 1"),
    Row(table: "stss", rows: [[5], [1]], samples: 5, message: "sample_number is 1 after 5"),
  ])
  func `it names the table`(_ row: Row) throws {
    var tree = try Fixture.tree("hvc1.mp4")
    try change(
      row.table, in: &tree.boxes, at: ["moov", "trak", "mdia", "minf", "stbl"], to: row.rows)
    var cursor = try #require(Movie(tree).tracks.first).samples()
    var count = 0
    let error = #expect(throws: SyntaxError.self) {
      while try cursor.next() != nil { count += 1 }
    }
    #expect(error?.path == "moov/trak/mdia/minf/stbl/\(row.table)")
    #expect(error?.message.contains(row.message) == true, "\(String(describing: error))")
    #expect(count == row.samples)
    #expect(try cursor.next() == nil)
  }

  @Test(arguments: ["stsz", "stco", "stsc", "stts"] as [FourCC])
  func `it names the table that is missing`(_ type: FourCC) throws {
    var tree = try Fixture.tree("hvc1.mp4")
    try change(type, in: &tree.boxes, at: ["moov", "trak", "mdia", "minf", "stbl"], to: nil)
    var cursor = try #require(Movie(tree).tracks.first).samples()
    // Without sizes there are no samples.
    guard type != "stsz" else { return #expect(try cursor.next() == nil) }
    let error = #expect(throws: SyntaxError.self) { try cursor.next() }
    #expect(error?.message.contains("\(type) is missing") == true)
  }

  @Test(arguments: [
    ("malformed/stsz-count.mp4", "moov/trak/mdia/minf/stbl/stsz"),
    ("malformed/stts-count.mp4", "moov/trak/mdia/minf/stbl/stts"),
    ("malformed/trun-count.mp4", "moof/traf/trun"),
  ])
  func `it says why a table cannot be read`(_ file: String, _ path: String) throws {
    var cursor = try #require(Movie(try Fixture.tree(file)).tracks.first).samples()
    let error = #expect(throws: SyntaxError.self) { try cursor.next() }
    #expect(error?.path == path)
    #expect(error?.kind == .truncated)
  }

  /// Changes the rows of a table below the first boxes of these types, or removes it.
  private func change(
    _ type: FourCC, in nodes: inout [Node], at path: ArraySlice<FourCC>, to rows: [[Int64]]?
  ) throws {
    let step = path.first ?? type
    let index = try #require(nodes.firstIndex { $0.type == step })
    guard path.isEmpty else {
      return try change(type, in: &nodes[index].children, at: path.dropFirst(), to: rows)
    }
    guard let rows else {
      nodes.remove(at: index)
      return
    }
    switch nodes[index].box {
    case var box as DecodingTimeToSample:
      box.entries = try Table(columns: box.entries.columns, rows: rows)
      nodes[index].box = box
    case var box as CompositionTimeToSample:
      box.entries = try Table(columns: box.entries.columns, rows: rows)
      nodes[index].box = box
    case var box as ChunkOffsets:
      box.entries = try Table(columns: box.entries.columns, rows: rows)
      nodes[index].box = box
    case var box as SampleToChunk:
      box.entries = try Table(columns: box.entries.columns, rows: rows)
      nodes[index].box = box
    case var box as SyncSamples:
      box.entries = try Table(columns: box.entries.columns, rows: rows)
      nodes[index].box = box
    default: Issue.record("\(type) has no table")
    }
  }
}
