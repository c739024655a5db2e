// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// A file of items to be written: `ftyp`, `meta`, `mdat`, with the layout that Apple uses (ISO/IEC 23008-12, 6 and 10).
///
/// Properties with equal bytes are written once, even for several items.
public struct NewItemFile: Sendable {
  /// The brands; `nil` for those of the photos that were added (ISO/IEC 23008-12, 10.2).
  public var type: FileType?
  /// The photos that were added, which the brands depend on.
  private var photos: [NewPhoto] = []
  /// The ID of the primary item; `nil` for that of the first photo.
  public var primaryID: UInt32?
  /// The items in the order of their IDs, which begin at 1.
  public internal(set) var items: [NewItem] = []
  /// The entity groups, with their types and items.
  public var groups: [(type: FourCC, items: [UInt32])] = []
  /// A track in addition to the items, whose first picture is the primary one.
  public var sequence: NewSequence?

  public init() {}

  /// Adds an item, and returns its ID.
  @discardableResult
  public mutating func add(_ item: NewItem) -> UInt32 {
    items.append(item)
    return UInt32(clamping: items.count)
  }

  /// Adds a reference from an item to others; does nothing if there is no item with the ID `id`.
  public mutating func refer(from id: UInt32, _ type: FourCC, to: [UInt32]) {
    guard items.indices.contains(Int(id) - 1) else { return }
    items[Int(id) - 1].references.append(NewItem.Reference(type: type, to: to))
  }

  mutating func note(_ photo: NewPhoto) { photos.append(photo) }

  /// The `ftyp` that is written.
  var brands: FileType {
    if let type { return type }
    guard photos.isEmpty else { return FileType(of: photos, isSequence: sequence != nil) }
    var type = FileType()
    type.majorBrand = "mif1"
    type.compatibleBrands = ["mif1"]
    return type
  }

  /// Hides an item, so that it is not shown separately.
  mutating func hide(_ id: UInt32) {
    guard items.indices.contains(Int(id) - 1) else { return }
    items[Int(id) - 1].isHidden = true
  }

  /// Writes the file.
  public func write<Sink: ByteSink>(to sink: inout Sink) throws(SyntaxError) {
    try check()
    let description = try ItemFileLayout(self)
    var writer = SyntaxWriter(sink)
    for node in description.head { try node.write(to: &writer) }
    sink = writer.sink
    try sink.append(description.dataHeader.span)
    for item in items {
      if case .media(let extent) = item.data { try sink.append(extent) }
    }
    for extent in sequence?.further ?? [] { try sink.append(extent) }
  }

  /// Returns the bytes of the file; throws if it has no items, or more than 65,535.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    var sink = ArraySink()
    try write(to: &sink)
    return sink.bytes
  }

  /// Throws if there are more items than a 16-bit reference can express, because that would need other forms of six
  /// boxes.
  private func check() throws(SyntaxError) {
    guard (1...Int(UInt16.max)).contains(items.count) else {
      throw SyntaxError(
        .limit, field: "item_count", path: "meta/iinf",
        detail: "is \(items.count) instead of 1 to \(UInt16.max)")
    }
  }
}
