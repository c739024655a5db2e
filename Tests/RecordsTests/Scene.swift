// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC
import ISOBMFF
import Testing

/// A fixture with something changed, to be held against the rules.
struct Scene {
  private var tree: BoxTree
  private var bytes: [UInt8]

  init(_ fixture: String) throws {
    let source = try Fixture.source(fixture)
    bytes = try source.bytes(in: 0..<source.count)
    tree = try BoxTree(reading: MemorySource(bytes))
  }

  var context: RecordContext {
    get throws {
      let found = try #require(RecordFinder.records(in: tree).records.first)
      return RecordContext(found, in: MemorySource(bytes))
    }
  }

  /// Changes the body of every box at a way.
  mutating func box<B: Box>(_ path: String, _ change: (inout B) throws -> Void) throws {
    let steps = try #require(BoxPath(path)).steps.map(\.type)
    var count = 0
    func walk(_ nodes: inout [Node], _ steps: ArraySlice<FourCC>) throws {
      guard let step = steps.first else { return }
      for index in nodes.indices where nodes[index].type == step {
        if steps.count == 1, var box = nodes[index].box as? B {
          try change(&box)
          nodes[index].box = box
          count += 1
        } else {
          var children = nodes[index].children
          try walk(&children, steps.dropFirst())
          nodes[index].children = children
        }
      }
    }
    try walk(&tree.boxes, steps[...])
    #expect(count > 0, "there is no \(path)")
  }

  private static let entry = "moov/trak/mdia/minf/stbl/stsd"

  mutating func entry(_ change: (inout VisualSampleEntry) throws -> Void) throws {
    let type = tree.nodes(at: try #require(BoxPath(Self.entry)))[0].node.children[0].type
    try box("\(Self.entry)/\(type)", change)
  }

  mutating func add(_ type: FourCC, _ box: any Box) throws {
    try entry { $0.boxes.append(Node(type, box)) }
  }

  mutating func record(_ change: (inout DecoderConfigurationRecord) throws -> Void) throws {
    try entry { entry in
      for index in entry.boxes.indices {
        guard var box = entry.boxes[index].box as? HEVCConfiguration else { continue }
        try change(&box.record)
        entry.boxes[index].box = box
      }
    }
  }

  /// Changes the first parameter set of a kind in the record.
  mutating func set<Payload: NALUnitPayload>(_ change: (inout Payload) -> Void) throws {
    try record { record in
      let type = Payload.types[0].rawValue
      let index = try #require(record.arrays.firstIndex { $0.nalUnitType == type })
      record.arrays[index].nalUnits[0] = try changed(record.arrays[index].nalUnits[0], change)
    }
  }

  /// Writes another type into the header of the first picture of a sample, counted from 0.
  mutating func picture(_ number: Int, _ type: NALUnitType) throws {
    let unit = try picture(number)
    bytes[unit.lowerBound] = type.rawValue << 1
  }

  /// Puts a NAL unit before the first picture of a sample, which loses as many bytes.
  mutating func insert(_ new: [UInt8], beforePicture number: Int) throws {
    let unit = try picture(number)
    let rest = unit.count - new.count - 4
    let picture = bytes[unit].prefix(rest)
    bytes.replaceSubrange(
      unit.lowerBound - 4..<unit.upperBound,
      with: try LengthPrefixed.bytes(of: [new, Array(picture)]))
  }

  /// Where the first picture of a sample lies.
  private func picture(_ number: Int) throws -> Range<Int> {
    var cursor = Movie(tree).tracks[0].samples()
    while let sample = try cursor.next() {
      guard sample.index == number else { continue }
      for unit in try LengthPrefixed.units(in: bytes[sample.range].span, lengthSize: 4) {
        let offset = sample.offset + unit.lowerBound
        guard NALUnitHeader(bytes[offset], bytes[offset + 1]).nalUnitType.isVCL else { continue }
        return offset..<offset + unit.count
      }
    }
    Issue.record("there is no picture in sample \(number)")
    return 0..<0
  }
}

/// A parameter set with something changed.
func changed<Payload: NALUnitPayload>(_ bytes: [UInt8], _ change: (inout Payload) -> Void) throws
  -> [UInt8]
{
  let unit = NALUnit<Payload>(bytes)
  var payload = try #require(unit.payload)
  change(&payload)
  return try NALUnit(unit.header, payload).bytes()
}

/// A parameter set moved to layer 1.
func raised(_ bytes: [UInt8]) -> [UInt8] {
  var copy = bytes
  copy[1] |= 1 << 3
  return copy
}
