// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension ItemGraph {
  /// Returns the extents of an item's bytes in order: in the file itself, in `idat` or in other items (`iloc`): ISO/IEC
  /// 14496-12, 8.11.3. The list is empty for an item without a location. Throws if extents exceed their container, or
  /// an item claims more bytes than the file has.
  public func data(of id: UInt32, in source: any ByteSource) throws(SyntaxError) -> [Extent] {
    var search = ItemDataSearch(self, source, extents: PlanLimits().extents)
    return try search.data(of: id)
  }
}

/// Finds the extents of items, including items made from others; each is looked up once.
struct ItemDataSearch {
  private let graph: ItemGraph
  private let source: any ByteSource
  /// The number of extents that may still be found.
  private var extentsLeft: Int
  private let limit: Int
  /// Whether truncated data is used as far as it goes.
  var salvaging = false
  private var found: [UInt32: ExtentList] = [:]
  /// The items being looked up, outermost first.
  private var open: [UInt32] = []

  /// The maximum depth of items made from items.
  private static let depth = 8

  init(_ graph: ItemGraph, _ source: any ByteSource, extents: Int) {
    self.graph = graph
    self.source = source
    limit = extents
    extentsLeft = extents
  }

  mutating func data(of id: UInt32) throws(SyntaxError) -> [Extent] { try list(of: id).extents }

  private mutating func list(of id: UInt32) throws(SyntaxError) -> ExtentList {
    if let known = found[id] { return known }
    guard let location = graph.locations[id] else { return ExtentList() }
    guard location.dataReferenceIndex == 0 else {
      throw failure(
        .unsupported, id,
        "is in another file (data reference \(location.dataReferenceIndex)), which is not supported"
      )
    }
    guard !open.contains(id) else {
      throw failure(.invalid, id, "refers to its own data")
    }
    guard open.count <= Self.depth else {
      throw failure(.limit, id, "refers to items of items, deeper than the limit of \(Self.depth)")
    }
    open.append(id)
    defer { open.removeLast() }
    let list = try assemble(id, location)
    found[id] = list
    return list
  }

  private mutating func assemble(_ id: UInt32, _ location: ItemLocation.Item) throws(SyntaxError)
    -> ExtentList
  {
    var list = ExtentList()
    let isOfItems = location.constructionMethod == 2
    let targets = isOfItems ? graph.item(id)?.targets("iloc") ?? [] : []
    for extent in location.extents {
      let whole = try whole(of: id, location, extent, targets)
      let (start, overflow) = location.baseOffset.addingReportingOverflow(extent.offset)
      // A length of 0 means all data, which in the file itself only makes sense for a single extent.
      let isAll = extent.length == 0 && (isOfItems || location.extents.count == 1)
      var length =
        isAll ? UInt64(whole.count).subtractingReportingOverflow(start).partialValue : extent.length
      if salvaging, !overflow, start <= UInt64(whole.count) {
        length = min(length, UInt64(whole.count) - start)
      } else if salvaging {
        continue
      }
      guard !overflow, start <= UInt64(whole.count), length <= UInt64(whole.count) - start else {
        throw failure(
          .truncated, id,
          "has \(extent.length) bytes at \(start), but the enclosing data end at \(whole.count)")
      }
      let count = list.extents.count
      guard list.append(whole, Int(start)..<Int(start) + Int(length), atMost: extentsLeft) else {
        throw failure(.limit, id, "has too many extents, the limit extents is \(limit)")
      }
      extentsLeft -= list.extents.count - count
      guard list.count <= max(source.count, graph.itemData?.count ?? 0) else {
        throw failure(
          .invalid, id, "has more bytes in its extents than the \(source.count) of the file")
      }
    }
    return list
  }

  /// Returns the data that the offsets of an extent are relative to.
  private mutating func whole(
    of id: UInt32, _ location: ItemLocation.Item, _ extent: ItemLocation.ItemExtent,
    _ targets: [UInt32]
  ) throws(SyntaxError) -> ExtentList {
    switch location.constructionMethod {
    case 0: return ExtentList(Extent(source, 0..<source.count))
    case 1:
      guard let itemData = graph.itemData else {
        throw failure(.invalid, id, "is in idat, which is missing")
      }
      return ExtentList(itemData)
    case 2:
      // An iloc without index fields means the first reference.
      let index = extent.index == 0 ? 1 : extent.index
      guard index <= UInt64(targets.count) else {
        throw failure(
          .invalid, id,
          "refers to its iloc reference \(index), but has \(targets.count)")
      }
      let target = targets[Int(index) - 1]
      guard graph.locations[target] != nil else {
        throw failure(.invalid, id, "refers to item \(target), which has no data")
      }
      return try list(of: target)
    default:
      throw failure(
        .unsupported, id,
        "has the unknown construction_method \(location.constructionMethod)")
    }
  }

  private func failure(_ kind: SyntaxError.Kind, _ id: UInt32, _ detail: String) -> SyntaxError {
    SyntaxError(
      kind, field: "item \(id)", path: graph.locationBox?.path ?? "",
      offset: graph.locationBox?.node.start ?? 0, detail: detail)
  }
}

/// A list of consecutive extents in which a range can be found without visiting all of them.
private struct ExtentList {
  private(set) var extents: [Extent] = []
  /// The ends of the extents, counted from the start of the list.
  private var ends: [Int] = []

  init() {}
  init(_ extent: Extent) { append(extent) }

  var count: Int { ends.last ?? 0 }

  private mutating func append(_ extent: Extent) {
    guard !extent.isEmpty else { return }
    extents.append(extent)
    ends.append(count + extent.count)
  }

  /// Appends a range of another list, which must be within it; returns `false` if there would be too many extents.
  mutating func append(_ other: ExtentList, _ range: Range<Int>, atMost limit: Int) -> Bool {
    var index = other.firstIndex(endingAfter: range.lowerBound)
    var start = range.lowerBound
    let full = extents.count + limit
    while start < range.upperBound {
      guard extents.count < full else { return false }
      let extent = other.extents[index]
      let base = other.ends[index] - extent.count
      let end = min(range.upperBound, other.ends[index])
      let lower = extent.range.lowerBound + (start - base)
      append(Extent(extent.source, lower..<lower + (end - start)))
      (start, index) = (end, index + 1)
    }
    return true
  }

  private func firstIndex(endingAfter offset: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
