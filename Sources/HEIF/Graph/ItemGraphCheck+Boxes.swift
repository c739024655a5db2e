// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension ItemGraphCheck {
  // MARK: - Findings of the boxes alone

  /// Adopts the findings of the tree.
  mutating func checkFraming() {
    for finding in tree.findings where finding.severity != .note {
      var found = ItemDamage(finding: finding, reach: reach(of: finding))
      if case .nothing = found.reach {} else { found.finding.severity = .error }
      if finding.rule == "truncated" { found.kind = .truncated }
      if finding.rule == "unsupported" { found.kind = .unsupported }
      add(found)
    }
  }

  /// Rules about sizes: after a violation, the position of the next box is unknown.
  private static let framingRules: Set<String> = [
    "box-overruns-parent", "box-beyond-file", "size-below-header", "size-zero-inside", "junk",
    "count-beyond-boxes",
  ]

  /// The boxes in `meta` that list and describe the items.
  private static let describing: Set<Substring> = [
    "pitm", "iinf", "iref", "iprp", "iloc", "idat", "ipro",
  ]

  private func reach(of finding: Finding) -> ItemDamage.Reach {
    let steps = finding.path.split(separator: "/")
    guard steps.first == "meta" else { return .nothing }
    if let property = property(at: finding.offset), steps.count > 3 {
      return reach(of: finding, in: property)
    }
    if Self.framingRules.contains(finding.rule) {
      // A group or an address that is truncated within its own box ends there.
      let isBeside = steps.count > 2 && !Self.describing.contains(steps[1])
      return isBeside ? .nothing : .file
    }
    guard steps.count > 1 else { return finding.severity == .error ? .file : .nothing }
    guard Self.describing.contains(steps[1]) else { return .nothing }
    // More bytes than an item's references need are uncounted references.
    let isReference = steps[1] == "iref" && finding.rule == "trailing-bytes"
    return finding.severity == .error || isReference ? .file : .nothing
  }

  /// Returns the index of the box in `ipco` that contains a byte.
  private func property(at offset: Int) -> Int? {
    let properties = graph.properties
    var (low, high) = (0, properties.count)
    while low < high {
      let middle = (low + high) / 2
      if properties[middle].node.start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, properties[low - 1].node.extent?.contains(offset) == true else { return nil }
    return low - 1
  }

  private func reach(of finding: Finding, in index: Int) -> ItemDamage.Reach {
    let property = graph.properties[index]
    if Self.framingRules.contains(finding.rule), finding.path == property.path { return .file }
    if finding.rule == "trailing-bytes" {
      // A size that is too large swallows the next property, which shifts all following indices.
      guard case .typed(_, let trailing) = property.node.content else { return .nothing }
      return trailing.count >= 8 ? .file : .nothing
    }
    guard finding.severity == .error else { return .nothing }
    let users = users[index + 1] ?? []
    let isNeeded = Self.decisive.contains(property.node.type)
    let needing = users.filter { item in
      isNeeded || item.properties.contains { $0.index == index + 1 && $0.isEssential }
    }
    // The purpose of an auxiliary picture matters to the picture that it belongs to.
    let owners = property.node.type == "auxC" ? needing.flatMap { $0.targets("auxl") } : []
    return .items(needing.map(\.id) + owners)
  }

  /// Properties without which a picture changes or cannot be made.
  private static let decisive: Set<FourCC> = [
    "ispe", "auxC", "clap", "irot", "imir", "iscl", "lsel", "a1op", "rref",
    "hvcC", "lhvC", "avcC", "av1C", "vvcC", "evcC", "jpgC", "j2kH", "uncC", "cmpd", "cmpC", "icef",
  ]

  // MARK: - Which boxes there are

  private static let outermost: Set<FourCC> = [
    "ftyp", "styp", "free", "skip", "wide", "mdat", "imda", "moov", "moof", "mfra", "sidx", "ssix",
    "meta", "meco", "pdin", "uuid", "mini", "mpvd", "sefd", "prft", "emsg", "pnot", "udta",
  ]

  mutating func checkFile(_ metas: [LocatedNode]) {
    let boxes = tree.located.filter { !$0.node.isJunk }
    let brands = boxes.lazy.compactMap { $0.box(FileType.self) }.first
      .map { [$0.majorBrand] + $0.compatibleBrands }
    if let first = boxes.first, brands == nil {
      report("ftyp-missing", at: first, "the file has no ftyp")
    } else if let first = boxes.first, let brands,
      FileType.itemBrands.union(FileType.sequenceBrands).isDisjoint(with: brands)
    {
      report(
        "brand-unknown", at: first,
        "the file has the brand \(brands[0]) and no brand of HEIF")
    }
    let first = boxes.first { ["ftyp", "meta", "moov", "moof", "mdat"].contains($0.node.type) }
    if let first, first.node.type != "ftyp", brands != nil {
      report(
        "ftyp-late", at: first, "\(first.node.type) precedes ftyp, which readers look for first")
    }
    for box in boxes where !Self.outermost.contains(box.node.type) {
      let isStray = Self.itemBoxes.contains(box.node.type)
      report(
        isStray ? "box-misplaced" : "box-unknown", at: box,
        isStray
          ? "\(box.node.type) is outside meta, where readers do not look for it"
          : "\(box.node.type) is an unknown box", reaches: isStray ? .file : .nothing)
    }
    for meta in metas.dropFirst() {
      report("box-twice", at: meta, "the file has two meta boxes; the first is used")
    }
  }

  private static let single: Set<FourCC> = [
    "hdlr", "pitm", "iinf", "iref", "iprp", "iloc", "idat", "ipro", "dinf", "grpl",
  ]

  private static let itemBoxes: Set<FourCC> = [
    "hdlr", "pitm", "iinf", "infe", "iref", "iprp", "ipco", "ipma", "iloc", "idat", "grpl",
  ]

  private static let filler: Set<FourCC> = ["free", "skip", "uuid"]

  mutating func checkMeta() {
    var seen: Set<FourCC> = []
    for child in meta.children where !child.node.isJunk && !Self.filler.contains(child.node.type) {
      let type = child.node.type
      if Self.single.contains(type) {
        if !seen.insert(type).inserted {
          report("box-twice", at: child, "meta has two \(type) boxes; the first is used")
        }
      } else if Self.itemBoxes.contains(type) {
        report(
          "box-misplaced", at: child,
          "\(type) is directly in meta, where readers do not look for it",
          reaches: .file)
      } else if !["xml ", "bxml", "mdat"].contains(type) {
        report("box-unknown", at: child, "\(type) is an unknown box of meta")
      }
    }
    if meta.child("iinf")?.node.box == nil, meta.node.box != nil {
      // In an image sequence the pictures are in the track.
      let isSequence = meta.child("iinf") == nil && tree.boxes.contains { $0.type == "moov" }
      report(
        "items-missing", at: meta, "meta has no list of items (iinf)",
        reaches: isSequence ? .nothing : .file)
    }
    if let handler = graph.handler, handler != "pict" {
      report("handler-differs", at: meta, "the handler of meta is \(handler), not pict (hdlr)")
    } else if graph.handler == nil, meta.node.box != nil {
      report("handler-missing", at: meta, "meta has no handler (hdlr)")
    }
    checkChildren(of: meta.child("iinf"), allowed: ["infe"])
    checkChildren(of: meta.child("iprp"), allowed: ["ipco", "ipma"])
  }

  private mutating func checkChildren(of parent: LocatedNode?, allowed: Set<FourCC>) {
    for child in parent?.children ?? [] {
      let type = child.node.type
      guard !child.node.isJunk, !allowed.contains(type), !Self.filler.contains(type) else {
        continue
      }
      let names = allowed.map(\.description).sorted().joined(separator: " and ")
      report(
        "box-unknown", at: child,
        "\(parent?.node.type.description ?? "") contains \(type), but only \(names) is allowed there",
        reaches: .file)
    }
  }
}
