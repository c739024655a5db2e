// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ISOBMFF
import TestSupport

@testable import ApusCommand

extension Fixture {
  /// Names that end in one of these.
  static func names(_ endings: String...) -> [String] {
    guard let list = try? bash("ls \(folder.shellQuoted)").output else { return [] }
    return list.split(separator: "\n").map(String.init).filter { name in
      endings.contains { name.hasSuffix($0) }
    }
  }

  /// The hash of every packet of every stream and its times, by ffmpeg.
  static func packets(_ path: String) throws -> String {
    try bash(
      """
      ffmpeg -nostdin -v error -i \(path.shellQuoted) -map 0 -c copy -f framehash - 2>/dev/null |
        grep -v '^#'
      ((PIPESTATUS[0] == 0)) || echo failed
      """
    ).output
  }

  /// The hash of every decoded picture and sound, by ffmpeg.
  static func frames(_ path: String) throws -> String {
    try bash(
      """
      ffmpeg -nostdin -v error -i \(path.shellQuoted) -map 0:v -map 0:a? -f framehash - 2>/dev/null |
        grep -v '^#'
      ((PIPESTATUS[0] == 0)) || echo failed
      """
    ).output
  }

  /// What a segment index or a table of random access points says that is not so.
  static func brokenIndexes(_ path: String) throws -> [String] {
    let source = try FileSource(path)
    let boxes = try BoxTree(reading: source).boxes
    let starts = Set(boxes.map { $0.start } + [source.count])
    let fragments = Set(boxes.filter { $0.type == "moof" }.map { $0.start })
    var broken: [String] = []
    for box in boxes {
      if let index = box.box as? SegmentIndex, let extent = box.extent {
        var next = extent.upperBound + Int(index.firstOffset)
        try index.references.scan { row in
          if !starts.contains(next) { broken.append("sidx refers to \(next)") }
          next += Int(row[1])
        }
        if !starts.contains(next) { broken.append("sidx ends at \(next)") }
      }
      for child in box.children {
        if let table = child.box as? TrackFragmentRandomAccess {
          try table.entries.scan { row in
            if !fragments.contains(Int(row[1])) { broken.append("tfra refers to \(row[1])") }
          }
        }
        if let offset = child.box as? FragmentRandomAccessOffset,
          Int(offset.parentSize) != box.extent?.count
        {
          broken.append("mfro says \(offset.parentSize)")
        }
      }
    }
    return broken
  }

  /// The bytes of every item of a photo that `iloc` places in the file.
  static func items(_ path: String) throws -> [[UInt8]] {
    let source = try FileSource(path)
    let tree = try BoxTree(reading: source)
    guard let path = BoxPath("meta/iloc"),
      let box = tree.nodes(at: path).first?.node.box as? ItemLocation
    else { return [] }
    return try box.items.map { item in
      guard item.constructionMethod == 0 else { return [] }
      return try item.extents.flatMap { extent in
        let start = Int(item.baseOffset + extent.offset)
        return try source.bytes(in: start..<start + Int(extent.length))
      }
    }
  }
}
