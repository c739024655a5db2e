// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport
import Testing

/// Properties are named by their places in `ipco`, which a change of boxes moves.
struct PropertyEditTests {
  enum Change: Sendable {
    case remove, replace, insertBefore, insertAfter, append
  }

  private static let added = Extent([0, 0, 0, 12] + Array("zzzz1234".utf8))

  private func properties(_ tree: BoxTree) -> [UInt32: [String]] {
    Dictionary(
      uniqueKeysWithValues: ItemGraph(tree).items.map { item in
        (
          item.id,
          item.properties.map { "\($0.type) \($0.isEssential) \($0.located.node.origin ?? 0..<0)" }
        )
      })
  }

  private func edited(_ file: String, _ changes: [(Change, String)]) throws -> (
    before: BoxTree, after: BoxTree
  ) {
    let bytes = try Fixture.bytes(file)
    let source = MemorySource(bytes)
    let tree = try BoxTree(reading: source)
    var editor = BoxEditor(tree, of: source)
    for (change, path) in changes {
      let path = try #require(BoxPath(path))
      switch change {
      case .remove: try editor.remove(path)
      case .replace: try editor.replace(path, with: Self.added)
      case .insertBefore: try editor.insert(Self.added, at: .before(path))
      case .insertAfter: try editor.insert(Self.added, at: .after(path))
      case .append: try editor.insert(Self.added, at: .into(path))
      }
    }
    return (tree, try editor.finished().tree)
  }

  /// Changes, and a property that is gone.
  @Test(
    arguments: [
      ("photo.heic", [(.remove, "meta/iprp/ipco/colr")], "colr"),
      ("photo.heic", [(.remove, "meta/iprp/ipco/hvcC")], "hvcC"),
      ("photo.heic", [(.insertBefore, "meta/iprp/ipco/hvcC")], ""),
      ("photo.heic", [(.insertAfter, "meta/iprp/ipco/ispe[0]")], ""),
      ("photo.heic", [(.append, "meta/iprp/ipco")], ""),
      (
        "grid.heic", [(.remove, "meta/iprp/ipco/irot"), (.insertBefore, "meta/iprp/ipco/imir")],
        "irot"
      ),
      ("alpha.heic", [(.remove, "meta/iprp/ipco/auxC")], "auxC"),
    ] as [(String, [(Change, String)], String)])
  func `it leaves items with the properties that they had`(
    _ file: String, _ changes: [(Change, String)], _ gone: String
  ) throws {
    let (before, after) = try edited(file, changes)
    let expected = properties(before).mapValues { names in
      names.filter { gone.isEmpty || !$0.hasPrefix(gone) }
    }
    #expect(expected != properties(before) || gone.isEmpty)
    #expect(properties(after) == expected)
    // The file says the same when it is read again.
    let again = try BoxTree(reading: MemorySource(after.bytes()))
    let types = expected.mapValues { $0.map { $0.prefix(4) } }
    #expect(properties(again).mapValues { $0.map { $0.prefix(4) } } == types)
    #expect(again.findings.isEmpty)
  }

  @Test
  func `it gives a property that takes the place of another the number of that`() throws {
    let (before, after) = try edited("photo.heic", [(.replace, "meta/iprp/ipco/pixi")])
    let types = properties(after).mapValues { $0.map { $0.prefix(4) } }
    let old = properties(before).mapValues { $0.map { $0.prefix(4) } }
    #expect(types == old.mapValues { $0.map { $0 == "pixi" ? "zzzz" : $0 } })
  }

  /// 130 properties before one need numbers of 15 bits.
  @Test
  func `it widens numbers`() throws {
    let path = "meta/iprp/ipco/hvcC"
    let changes = Array(repeating: (Change.insertBefore, path), count: 130)
    let (before, after) = try edited("photo.heic", changes)
    let again = try BoxTree(reading: MemorySource(after.bytes()))
    #expect(
      properties(again).mapValues { $0.map { $0.prefix(4) } }
        == properties(before).mapValues { $0.map { $0.prefix(4) } })
  }

  @Test(arguments: [
    ("hvc1.mp4", Change.insertBefore, "moov/trak[0]/mdia/minf/stbl/stsd/hvc1", true),
    ("hvc1.mp4", .insertBefore, "moov/trak[0]/mdia/minf/dinf/dref/url ", true),
    ("hvc1.mp4", .append, "moov/trak[0]/mdia/minf/stbl/stsd", false),
  ])
  func `it refuses to renumber what others name by numbers`(
    _ file: String, _ change: Change, _ path: String, _ isRefused: Bool
  ) throws {
    do {
      _ = try edited(file, [(change, path)])
      #expect(!isRefused)
    } catch let error as EditError {
      #expect(isRefused && "\(error)".contains("by their numbers"), "\(error)")
    }
  }
}
