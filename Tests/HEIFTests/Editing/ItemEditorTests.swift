// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF
import TestSupport
import Testing

struct ItemEditorTests {
  private func file(_ bytes: [UInt8]) throws -> PhotoFile {
    PhotoFile(try BoxTree(reading: MemorySource(bytes)))
  }

  /// The data of each item.
  private func contents(_ file: PhotoFile) throws -> [UInt32: [UInt8]] {
    var contents: [UInt32: [UInt8]] = [:]
    for item in file.graph.items {
      contents[item.id] = try file.graph.data(of: item.id, in: file.tree.source).flatMap {
        try $0.bytes()
      }
    }
    return contents
  }

  /// The file after a change, with the bytes that its list of differences gives as well, if there is one.
  private func edited(
    _ bytes: [UInt8], _ change: (inout ItemEditor) throws -> Void
  ) throws -> (file: PhotoFile, bytes: [UInt8]) {
    var editor = try ItemEditor(try file(bytes))
    try change(&editor)
    let edited = try editor.finished()
    let written = try edited.tree.bytes()
    #expect(written.count == edited.count)
    if let splices = edited.splices {
      var patched = bytes
      for splice in splices { patched.replaceSubrange(splice.range, with: splice.bytes) }
      #expect(patched == written)
    }
    #expect(try EditedSource(edited).bytes(in: 0..<edited.count) == written)
    return (try file(written), written)
  }

  /// The types of the properties that turn nothing.
  private func others(_ item: Item) -> [FourCC] {
    let turns: Set<FourCC> = ["irot", "imir"]
    return item.properties.map(\.type).filter { !turns.contains($0) }
  }

  @Test(arguments: 1...8, 1...8)
  func `it turns a picture from any orientation into any other`(before: Int, change: Int) throws {
    let bytes = try Fixture.bytes("orientation-\(before).heic")
    let turn = try #require(Orientation(exif: change))
    let old = try file(bytes)
    let expected = try #require(old.graph.primaryItem?.orientation.then(turn))
    var told: Orientation?
    let new = try edited(bytes) { told = try $0.turn(turn) }.file
    #expect(told == expected)
    #expect(new.graph.primaryItem?.orientation == expected)
    #expect(try contents(new) == contents(old))
    // The order of MIAF: ISO/IEC 23000-22, 7.3.6.7.
    let item = try #require(new.graph.primaryItem)
    let turns = item.properties.map(\.type.description).filter { $0 == "irot" || $0 == "imir" }
    #expect(turns == turns.sorted().reversed())
  }

  @Test(
    arguments: [
      "gain-map-tmap.heic", "gain-map-colour.heic", "gain-map-samsung.heic", "depth.heic",
      "portrait.heic", "alpha.heic", "grid-odd.heic", "pair.heic", "burst.heic", "overlay.heic",
      "aperture-3.heic",
    ])
  func `what belongs to a picture turns with it, and its data stays`(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let old = try file(bytes)
    let new = try edited(bytes) { _ = try $0.turn(Orientation(quarterTurns: 1)) }.file
    #expect(try contents(new) == contents(old))
    #expect(new.graph.items.map(\.id) == old.graph.items.map(\.id))
    let primary = try #require(old.graph.primaryID)
    let related =
      [primary] + old.graph.referrers(to: primary, by: "auxl")
      + old.graph.referrers(to: primary, by: "thmb")
    for item in old.graph.items {
      // An auxiliary picture without its own orientation follows that of the picture.
      let follows = item.orientation == .upright && !item.targets("auxl").isEmpty
      let isTurned = (related.contains(item.id) && !follows) || item.type == "tmap"
      let after = try #require(new.graph.item(item.id)).orientation
      if isTurned {
        #expect(after == item.orientation.then(Orientation(quarterTurns: 1)), "item \(item.id)")
      }
      // Other properties keep their order.
      let changed = try #require(new.graph.item(item.id))
      #expect(others(changed) == others(item))
    }
    let plan = try new.plan(try new.primaryPicture())
    let before = try old.plan(try old.primaryPicture())
    #expect((plan.width, plan.height) == (before.height, before.width))
  }

  @Test(
    arguments: [
      ("gain-map-tmap.heic", "gain map"), ("gain-map-colour.heic", "gain map"),
      ("gain-map-samsung.heic", "gain map"), ("depth.heic", "depth"),
      ("portrait.heic", "portrait matte"),
    ])
  func `a removed picture leaves neither bytes nor mention`(name: String, kind: String) throws {
    let bytes = try Fixture.bytes(name)
    let old = try file(bytes)
    let maps = old.graph.items.filter { $0.type == "tmap" }.flatMap {
      $0.targets("dimg").dropFirst()
    }
    let gone =
      old.graph.items.filter { $0.auxiliaryKind?.name == kind }.map(\.id)
      + (kind == "gain map" ? maps : [])
    #expect(!gone.isEmpty)
    var removals: Set<UInt32> = []
    let (new, written) = try edited(bytes) {
      $0.remove(Set(gone))
      removals = $0.removals
    }
    let data = try contents(old)
    #expect(try contents(new) == data.filter { !removals.contains($0.key) })
    for id in removals {
      let piece = try #require(data[id])
      let isElsewhere = try contents(new).values.contains(piece)
      #expect(piece.count < 16 || isElsewhere || !written.contains(piece))
    }
    #expect(new.findings.filter { $0.severity == .error }.isEmpty)
    #expect(
      !new.graph.references.contains {
        removals.contains($0.from) || !removals.isDisjoint(with: $0.to)
      })
    #expect(!new.graph.groups.contains { !removals.isDisjoint(with: $0.entities) })
    #expect(new.graph.items.allSatisfy { $0.type != "tmap" })
    let brands = new.tree.located.first?.box(FileType.self)?.compatibleBrands ?? []
    #expect(!brands.contains("tmap"))
    // No property is left that nothing uses, if there was none before.
    let used = Set(new.graph.items.flatMap { $0.properties.map(\.index) })
    let usedBefore = Set(old.graph.items.flatMap { $0.properties.map(\.index) })
    if usedBefore.count == old.graph.properties.count {
      #expect(used.count == new.graph.properties.count)
    }
    // Everything else is painted as before.
    let plan = try new.plan(try new.primaryPicture())
    let before = try old.plan(try old.primaryPicture())
    #expect((plan.width, plan.height) == (before.width, before.height))
  }

  @Test(
    arguments: ["exif-xmp.heic", "gain-map-tmap.heic", "photo.heic", "grid-in-idat.heic"],
    [-1, 0, 1])
  func `metadata of another size takes the place of the old`(name: String, growth: Int) throws {
    let bytes = try Fixture.bytes(name)
    let old = try file(bytes)
    for item in try ItemEditor(old).metadataItems() {
      let data = try #require(item.data)
      let text = Array(repeating: UInt8(ascii: "x"), count: max(data.count + growth * 100, 1))
      let (new, written) = try edited(bytes) { $0.set(item, to: text) }
      let after = try contents(new)
      #expect(after[item.id]?.suffix(text.count) == text[...])
      #expect(
        after.filter { $0.key != item.id } == (try contents(old)).filter { $0.key != item.id })
      #expect(data.count < 16 || !written.contains(data))
      #expect(written.count == bytes.count + text.count - data.count)
    }
  }

  @Test(
    arguments: [MetadataKind.exif, .xmp, .iptc],
    ["photo.heic", "grid-old-iloc.heic", "still-64x48.heic"])
  func `metadata is added, and removed again`(kind: MetadataKind, name: String) throws {
    let bytes = try Fixture.bytes(name)
    let old = try file(bytes)
    guard try !ItemEditor(old).metadataItems().contains(where: { $0.kind == kind }) else { return }
    let data = Array("MM\0*\0\0\0\u{8}\0\0\0\0\0\0".utf8)
    let (new, written) = try edited(bytes) { try $0.add(kind, data) }
    let items = try ItemEditor(new).metadataItems()
    let item = try #require(items.first { $0.kind == kind })
    #expect(item.data == data && item.isPrimary)
    #expect(try contents(new).filter { $0.key != item.id } == contents(old))
    let again = try edited(written) { $0.set(item, to: nil) }
    #expect(try contents(again.file) == contents(old))
    #expect(!again.bytes.contains(data))
    // What is left are boxes that had no part in the file before: an empty list of references.
    #expect(again.bytes.count - bytes.count <= 12)
  }

  @Test func `data in the item data box becomes zeros where it was`() throws {
    var builder = PhotoBuilder()
    try builder.addCoded(1)
    let secret = Array("48.8584 degrees north".utf8)
    builder.add(7, "Exif", data: [0, 0, 0, 0] + Array("II*\0".utf8) + secret)
    builder.references.append(("cdsc", 7, [1]))
    let bytes = try builder.bytes()
    let old = try file(bytes)
    let item = try #require(try ItemEditor(old).metadataItems().first)
    let (new, written) = try edited(bytes) { $0.set(item, to: Array("II*\0".utf8)) }
    #expect(!written.contains(secret))
    #expect(try contents(new)[1] == contents(old)[1])
    #expect(try ItemEditor(new).metadataItems().first?.data == Array("II*\0".utf8))
  }

  @Test func `bytes that another item uses as well stay`() throws {
    var builder = PhotoBuilder()
    try builder.addCoded(1)
    let shared = Array("MM\0*shared between two items".utf8)
    builder.add(7, "Exif", data: [0, 0, 0, 0] + shared)
    builder.references.append(("cdsc", 7, [1]))
    let start = builder.entries.dropLast().map(\.data.count).reduce(0, +)
    var same = ItemLocation.Item()
    (same.id, same.constructionMethod) = (8, 1)
    var extent = ItemLocation.ItemExtent()
    (extent.offset, extent.length) = (UInt64(start), UInt64(4 + shared.count))
    same.extents = [extent]
    builder.add(8, "uri ")
    builder.entries[builder.entries.count - 1].location = same
    let bytes = try builder.bytes()
    let old = try file(bytes)
    let new = try edited(bytes) { $0.remove([7]) }.file
    #expect(try contents(new)[8] == contents(old)[8])
    #expect(new.graph.item(7) == nil)
  }

  @Test func `an added item takes no ID of a location without an item`() throws {
    let bytes = try Fixture.bytes("crashes/edit-location-without-item")
    let old = try file(bytes)
    let new = try edited(bytes) { try $0.add(.xmp, Array("new".utf8)) }.file
    let data = try [old, new].map { file in
      try file.graph.data(of: 3, in: file.tree.source).flatMap { try $0.bytes() }
    }
    #expect(data[0] == data[1])
  }

  @Test func `an item whose data are the whole file cannot stay as it is`() throws {
    let file = try file(Fixture.bytes("crashes/items-whole-file"))
    var editor = try ItemEditor(file)
    _ = try editor.turn(Orientation(quarterTurns: 1))
    #expect(throws: SyntaxError.self) { try editor.finished() }
  }

  @Test func `data across the header of a box that changes cannot stay as they are`() throws {
    var bytes = try Fixture.bytes("still-96x72.heic")
    let photo = try file(bytes)
    let id = try #require(photo.graph.primaryID)
    let data = try #require(photo.graph.data(of: id, in: photo.tree.source).first).range
    let box = try #require(photo.tree.boxes.last?.extent)
    // Within the data begins a box that reaches to the end, and gets a size once something follows it.
    let place = data.lowerBound + 4
    bytes.replaceSubrange(place..<place + 8, with: [0, 0, 0, 0] + Array("\0abc".utf8))
    bytes[box.lowerBound + 3] = UInt8(place - box.lowerBound)
    bytes.replaceSubrange(box.lowerBound..<box.lowerBound + 3, with: [0, 0, 0])
    #expect(try contents(file(bytes))[id]?.count == data.count)
    #expect(throws: SyntaxError.self) {
      _ = try edited(bytes) { try $0.add(.xmp, Array("new".utf8)) }
    }
  }

  @Test func `metadata that another program has emptied can be set, and never takes in other data`()
    throws
  {
    var builder = PhotoBuilder()
    try builder.addCoded(1)
    for (id, type) in [(7, "Exif"), (8, "iptc")] as [(UInt32, FourCC)] {
      builder.add(id, type)
      builder.references.append(("cdsc", id, [1]))
    }
    // Without data, at the end of the file.
    var end = 0
    for _ in 0..<2 {
      for index in 1...2 {
        var extent = ItemLocation.ItemExtent()
        extent.offset = UInt64(end)
        var place = ItemLocation.Item()
        (place.id, place.extents) = (builder.entries[index].id, [extent])
        builder.entries[index].location = place
      }
      end = try builder.bytes().count
    }
    let bytes = try builder.bytes()
    let items = try ItemEditor(try file(bytes)).metadataItems()
    #expect(items.map(\.isEmpty) == [true, true])
    let tiff = Array("II*\0 new".utf8)
    let new = try edited(bytes) { $0.set(items[0], to: tiff) }.file
    #expect(try ItemEditor(new).metadataItems().map(\.data) == [tiff])
    #expect(try contents(new)[1] == contents(try file(bytes))[1])
  }

  @Test func `the primary picture and what it is made of are never removed`() throws {
    let bytes = try Fixture.bytes("grid.heic")
    let old = try file(bytes)
    let new = try edited(bytes) { $0.remove(Set(old.graph.items.map(\.id))) }.file
    let kept = try #require(old.graph.primaryItem)
    #expect(new.graph.primaryItem?.targets("dimg") == kept.targets("dimg"))
    #expect(try new.plan(try new.primaryPicture()).pieces.count == kept.targets("dimg").count)
  }

  @Test func `what is turned and then removed is gone`() throws {
    let bytes = try Fixture.bytes("gain-map-tmap.heic")
    var turned: Orientation?
    let (new, _) = try edited(bytes) { editor in
      turned = try editor.turn(Orientation(quarterTurns: 1))
      editor.remove(Set(editor.file.graph.items.filter { $0.type == "tmap" }.map(\.id)))
    }
    #expect(new.graph.items.allSatisfy { $0.type != "tmap" })
    #expect(new.graph.primaryItem?.orientation == turned)
  }

  @Test(arguments: [("iden", true), ("hvc1", false)] as [(FourCC, Bool)])
  func `an item without a length protects no bytes, or is refused`(type: FourCC, isEdited: Bool)
    throws
  {
    var builder = PhotoBuilder()
    try builder.addCoded(1)
    let secret = Array("48.8584 degrees north".utf8)
    builder.add(7, "Exif", data: [0, 0, 0, 0] + Array("II*\0".utf8) + secret)
    builder.references.append(("cdsc", 7, [1]))
    var open = ItemLocation.Item()
    open.id = 8
    open.extents = [ItemLocation.ItemExtent()]
    builder.add(8, type, from: [1])
    builder.entries[builder.entries.count - 1].location = open
    let bytes = try builder.bytes()
    guard isEdited else {
      #expect(throws: SyntaxError.self) { _ = try edited(bytes) { $0.remove([7]) } }
      return
    }
    #expect(!(try edited(bytes) { $0.remove([7]) }.bytes.contains(secret)))
  }

  @Test func `a picture that is cropped after it is turned is refused`() throws {
    var turn = ImageRotation()
    turn.angle = 1
    var builder = PhotoBuilder()
    try builder.addCoded(1, [Node("irot", turn), PhotoBuilder.aperture(40, 40, x: 0, y: 0)])
    let file = try builder.file()
    #expect(throws: SyntaxError.self) {
      var editor = try ItemEditor(file)
      _ = try editor.turn(Orientation(quarterTurns: 1))
    }
  }
}

extension [UInt8] {
  /// Returns whether bytes occur in these.
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, other.count <= count else { return false }
    return (0...count - other.count).contains {
      self[$0] == first && self[$0..<$0 + other.count].elementsEqual(other)
    }
  }
}
