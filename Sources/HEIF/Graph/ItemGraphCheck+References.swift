// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension ItemGraphCheck {
  /// The references that relate pictures to their inputs and companions: if one is wrong, all pictures are affected.
  private static let relations: Set<FourCC> = ["dimg", "auxl", "prem", "cdsc", "thmb"]

  private static let known: Set<FourCC> = relations.union([
    "pred", "base", "iloc", "tbas", "exbl", "evir", "mask", "eroi", "text", "font", "fdel", "mint",
    "dpnd", "tier",
  ])

  /// Checks that references connect existing items.
  mutating func checkReferences() {
    for child in meta.child("iref")?.children ?? [] where !child.node.isJunk {
      // The tree reports the unreadable ones.
      guard let reference = ItemGraph.Reference(child) else { continue }
      let (type, from) = (reference.type, reference.from)
      if !Self.known.contains(type), !["free", "skip"].contains(type) {
        report(
          "reference-unknown", at: child,
          "item \(from) refers to others by \(type), which is unknown")
      }
      let isRelation = Self.relations.contains(type)
      if graph.item(from) == nil {
        report(
          "reference-dangling", at: child,
          "item \(from), which refers to others by \(type), is not in the file",
          reaches: isRelation ? .file : .items(reference.to))
      }
      if let missing = reference.to.first(where: { graph.item($0) == nil }) {
        report(
          "reference-dangling", at: child,
          "item \(from) refers by \(type) to item \(missing), which is not in the file",
          reaches: reach(of: type, from, toMissing: missing))
      }
      if reference.to.isEmpty {
        report(
          "reference-empty", at: child, "item \(from) refers to nothing by \(type)",
          reaches: .items([from]))
      }
      if isRelation, reference.to.contains(from) {
        report(
          "reference-circular", at: child, "item \(from) refers to itself by \(type)",
          reaches: .file)
      }
      check(reference, child)
    }
  }

  /// Checks that groups refer to existing items and groups; in files with tracks, they may also refer to those.
  mutating func checkGroups() {
    guard !tree.located.contains(where: { $0.node.type == "moov" }) else { return }
    let groups = Set(graph.groups.map(\.id))
    for child in meta.child("grpl")?.children ?? [] {
      guard let group = ItemGroup(child),
        let missing = group.entities.first(where: { graph.item($0) == nil && !groups.contains($0) })
      else { continue }
      report(
        "group-dangling", at: child,
        "group \(group.id) (\(group.type)) names item \(missing), which is not in the file")
    }
  }

  /// Writers of image sequences make an auxiliary picture of the track refer to item 0, which no item can be.
  private func reach(of type: FourCC, _ from: UInt32, toMissing id: UInt32) -> ItemDamage.Reach {
    if type == "auxl", id == 0 { return .nothing }
    return Self.relations.contains(type) ? .file : .items([from])
  }

  private mutating func check(_ reference: ItemGraph.Reference, _ child: LocatedNode) {
    guard let item = graph.item(reference.from) else { return }
    switch reference.type {
    case "dimg" where item.isCoded:
      report(
        "reference-odd", at: child, "\(item.title) is coded, but also derived from other items")
    case "prem":
      for id in reference.to where graph.item(id)?.targets("auxl").contains(item.id) == false {
        report(
          "reference-odd", at: child,
          "\(item.title) is multiplied with item \(id), which is not its auxiliary picture")
      }
    case "cdsc" where item.isOfUnknownKind:
      let content = item.contentType.isEmpty ? "" : " of type \(item.contentType)"
      report(
        "metadata-unknown", at: item, "describes other items with unknown data\(content)")
    case "auxl", "thmb":
      let master = reference.to.lazy.compactMap(graph.item).first { !$0.isPicture }
      if let master {
        report(
          "reference-odd", at: child,
          "\(item.title) belongs by \(reference.type) to \(master.title), which is not a picture")
      }
    default: break
    }
  }

  /// Checks that pictures which are not to be shown separately belong to another.
  mutating func checkHidden() {
    let grouped = Set(graph.groups.flatMap(\.entities))
    for item in graph.items where item.isHidden && item.isPicture && item.id != graph.primaryID {
      guard item.references.isEmpty, !graph.isReferred(item.id),
        !grouped.contains(item.id)
      else { continue }
      report("hidden-alone", at: item, "is hidden but belongs to no other picture")
    }
  }

  /// Checks that the purpose of auxiliary pictures is known.
  mutating func checkRoles() {
    for item in graph.items {
      let isAuxiliary = !item.targets("auxl").isEmpty
      guard let urn = item.auxiliaryURN else {
        if isAuxiliary {
          report(
            "role-unknown", at: item,
            "is an auxiliary picture of item \(item.targets("auxl")[0]), but has no type (auxC)"
          )
        }
        continue
      }
      if !isAuxiliary {
        report(
          "role-without-owner", at: item,
          "is an auxiliary picture (\(urn)) that refers to no picture")
      } else if item.auxiliaryKind == nil, !urn.hasPrefix("urn:com:") {
        report(
          "role-unknown", at: item,
          "is an auxiliary picture of unknown type (\(urn))")
      }
    }
  }
}

extension Item {
  /// Whether the kind of the item is unknown.
  fileprivate var isOfUnknownKind: Bool {
    switch type {
    case "Exif", "iptc", "uri ", "rgan": false
    case "mime":
      !["application/rdf+xml", "application/x-iptc", "image/jpeg"].contains(contentType)
    default: !isPicture
    }
  }

  /// Whether the item is coded in a supported form.
  fileprivate var isCoded: Bool {
    [
      "hvc1", "hev1", "lhv1", "lhe1", "avc1", "avc3", "av01", "vvc1", "evc1", "jpeg", "j2k1",
      "unci",
    ]
    .contains(type)
  }
}
