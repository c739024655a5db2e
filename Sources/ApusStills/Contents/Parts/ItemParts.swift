// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEIF
internal import ISOBMFF

/// The parts of a file of items: ISO/IEC 23008-12.
struct ItemParts {
  let file: PhotoFile
  let primary: PhotoPicture
  /// The tone map of each gain map.
  private let toneMaps: [UInt32: Item]
  /// Thumbnails that the primary picture refers to, because some writers reverse the reference.
  private let turnedThumbnails: Set<UInt32>
  /// The groups of each picture.
  private let groups: [UInt32: [ItemGroup]]
  private var parts: [PhotoPart] = []

  /// Returns the parts, ordered by role and then as in the file.
  static func parts(of file: PhotoFile) throws(SyntaxError) -> [PhotoPart] {
    var search = ItemParts(file: file, primary: try file.primaryPicture())
    search.addPictures()
    for item in file.graph.items { search.add(item) }
    search.addProfile()
    search.addMotionVideo()
    for box in file.tree.located where box.node.type == "sefd" {
      guard let range = box.node.extent else { continue }
      search.parts.append(PhotoPart(samsungTrailer: Extent(file.tree.source, range)))
    }
    let order = PartRole.allCases
    return search.parts.enumerated().sorted { one, other in
      let places = [one, other].map { order.firstIndex(of: $0.element.role) ?? 0 }
      return (places[0], one.offset) < (places[1], other.offset)
    }.map(\.element).named()
  }

  private init(file: PhotoFile, primary: PhotoPicture) {
    self.file = file
    self.primary = primary
    var toneMaps: [UInt32: Item] = [:]
    for item in file.graph.items where item.type == "tmap" {
      for id in item.targets("dimg").dropFirst() { toneMaps[id] = toneMaps[id] ?? item }
    }
    self.toneMaps = toneMaps
    turnedThumbnails = Set(file.graph.primaryItem?.targets("thmb") ?? [])
    var groups: [UInt32: [ItemGroup]] = [:]
    for group in file.graph.groups {
      for id in Set(group.entities) { groups[id, default: []].append(group) }
    }
    self.groups = groups
  }

  private var graph: ItemGraph { file.graph }

  /// Adds all pictures in their own right but the primary one, numbered as `convert` does; those of a stereo pair by
  /// eye.
  private mutating func addPictures() {
    let pictures = file.pictures
    var shown: Set<UInt32> = []
    for (index, picture) in pictures.enumerated() {
      guard case .item(let id) = picture.place, let item = graph.item(id) else { continue }
      shown.insert(id)
      if index > 0 { addPicture(item, eye(of: id) ?? "\(index + 1)") }
    }
    // The other eye may be hidden, for viewers that show only one.
    for id in graph.groups.filter({ $0.type == "ster" }).flatMap(\.entities)
    where !shown.contains(id) {
      shown.insert(id)
      if let item = graph.item(id), let eye = eye(of: id) { addPicture(item, eye) }
    }
  }

  private mutating func addPicture(_ item: Item, _ name: String) {
    var part = part(.picture, name: name, item, owner: nil)
    let groups = (groups[item.id] ?? []).filter { $0.type != "altr" }
    part.detail = groups.map { Self.groupNames[$0.type] ?? "\($0.type)" }.joined(separator: " ")
    parts.append(part)
  }

  private static let groupNames: [FourCC: String] = [
    "ster": "stereo pair", "brst": "burst", "tsyn": "time-synchronized", "aebr": "exposures",
    "wbbr": "white balances", "fobr": "focus distances", "pano": "panorama", "eqiv": "equivalent",
  ]

  /// Returns the eye of a stereo pair that a picture is for: ISO/IEC 23008-12, 6.8.5.
  private func eye(of id: UInt32) -> String? {
    for group in groups[id] ?? [] where group.type == "ster" {
      if let index = group.entities.firstIndex(of: id), index < 2 {
        return index == 0 ? "left" : "right"
      }
    }
    return nil
  }

  private mutating func add(_ item: Item) {
    if let owner = thumbnailOwner(of: item) {
      var part = part(.thumbnail, item, owner: owner)
      if owner != primaryID { part.detail = "of item \(owner)" }
      parts.append(part)
    } else if let urn = item.auxiliaryURN, !item.targets("auxl").isEmpty {
      var part = auxiliary(item, item.targets("auxl").first)
      part.detail = urn
      parts.append(part)
    } else if let map = toneMaps[item.id] {
      var part = part(.gainmap, item, owner: map.targets("dimg").first)
      part.detail = "tmap"
      parts.append(part)
    } else if let (role, ending) = Self.metadata(item) {
      addMetadata(item, role, ending)
    }
  }

  private var primaryID: UInt32? {
    if case .item(let id) = primary.place { id } else { nil }
  }

  private func thumbnailOwner(of item: Item) -> UInt32? {
    item.targets("thmb").first ?? (turnedThumbnails.contains(item.id) ? primaryID : nil)
  }

  private func auxiliary(_ item: Item, _ owner: UInt32?) -> PhotoPart {
    switch item.auxiliaryKind {
    case .alpha: part(.alpha, item, owner: owner)
    case .depth: part(.depth, item, owner: owner)
    case .gainMap: part(.gainmap, item, owner: owner)
    case .matte(let name): part(.matte, name: "matte-\(name)", item, owner: owner)
    case nil: part(.other, name: "auxiliary", item, owner: owner)
    }
  }

  private static func metadata(_ item: Item) -> (PartRole, String)? {
    switch (item.type, item.contentType) {
    case ("Exif", _): (.exif, "exif")
    case ("mime", "application/rdf+xml"): (.xmp, "xmp")
    case ("iptc", _), ("mime", "application/x-iptc"): (.other, "iptc")
    case ("uri ", _): (.other, "bin")
    case ("mime", let type) where !type.hasPrefix("image/"):
      (.other, type == "text/plain" ? "txt" : "bin")
    default: nil
    }
  }

  /// Adds metadata of another picture, named after the role of that picture.
  private mutating func addMetadata(_ item: Item, _ role: PartRole, _ ending: String) {
    // Incomplete data is reported when the part is extracted.
    var data = (try? graph.data(of: item.id, in: file.tree.source)) ?? []
    let isPrimary = primaryID.map { item.targets("cdsc").contains($0) } ?? false
    let described = isPrimary ? primaryID : item.targets("cdsc").first
    if role == .exif, let exif = try? file.exif(of: item) { data = [Extent(exif)] }
    var name = ""
    if let described, described != primaryID, let owner = graph.item(described) {
      name = ownerName(owner) + (role == .other ? "-\(ending)" : "")
    }
    var part = PhotoPart(
      role, name: name, item: item, content: .bytes(data, extension: ending))
    part.byteCount = data.reduce(0) { $0 + $1.count }
    part.owner = described
    if let described, described != primaryID { part.detail = "of item \(described)" }
    parts.append(part)
  }

  private func ownerName(_ owner: Item) -> String {
    switch owner.auxiliaryKind {
    case .depth: "depth"
    case .gainMap: "gainmap"
    case .alpha: "alpha"
    case .matte(let name): "matte-\(name)"
    case nil: eye(of: owner.id) ?? "item-\(owner.id)"
    }
  }

  private mutating func addProfile() {
    guard let profile = (try? file.plan(primary))?.colour.profile, !profile.isEmpty else { return }
    parts.append(
      PhotoPart(
        .icc, name: "", type: "ICC profile", content: .bytes([profile], extension: "icc")))
  }

  private mutating func addMotionVideo() {
    for node in file.tree.located {
      guard let video = node.box(MotionVideo.self)?.video, !video.isEmpty else { continue }
      var part = PhotoPart(
        .motionVideo, type: "video/mp4",
        content: .bytes([video], extension: MotionVideoKind.pathExtension(of: video)))
      part.detail = "mpvd"
      part.gap = MotionVideoKind.gap(in: video, of: node)
      parts.append(part)
    }
  }

  private func part(_ role: PartRole, name: String? = nil, _ item: Item, owner: UInt32?)
    -> PhotoPart
  {
    var part = PhotoPart(
      role, name: name, item: item,
      content: content(of: item, owner: owner, sharesColour: role == .thumbnail))
    part.owner = owner
    if let geometry = ItemGeometry(item) {
      part.size = (Int(geometry.width), Int(geometry.height))
    }
    let data = item.targets("dimg").isEmpty ? [item.id] : item.targets("dimg")
    part.byteCount = data.reduce(Optional(0)) { sum, id in
      guard let sum, let extents = try? graph.data(of: id, in: file.tree.source) else { return nil }
      return sum + extents.reduce(0) { $0 + $1.count }
    }
    return part
  }

  private func content(of item: Item, owner: UInt32?, sharesColour: Bool)
    -> PhotoPart.Content
  {
    let picture = PhotoPicture(.item(item.id))
    guard let owner, graph.item(owner) != nil else { return .picture(picture, file) }
    let owning = PhotoPicture(.item(owner), isPrimary: owner == primaryID)
    return .picture(
      picture,
      CompanionSource(
        source: file, owner: owning, ownerSource: file, sharesColour: sharesColour))
  }
}

extension ItemParts {
  /// Returns any item by its ID: as a picture if it is one, otherwise as bytes.
  static func part(_ id: UInt32, of file: PhotoFile) throws(SyntaxError) -> PhotoPart {
    guard let item = file.graph.item(id) else {
      throw SyntaxError(
        .misuse, field: "item \(id)", path: "meta/iinf", detail: "is not in the file")
    }
    let known = try? parts(of: file).first { $0.item == id }
    if var known {
      known.name = "item-\(id)"
      return known
    }
    let isPicture = (try? file.plan(PhotoPicture(.item(id)))) != nil
    let content: PhotoPart.Content =
      isPicture
      ? .picture(PhotoPicture(.item(id)), file)
      : .bytes(try file.graph.data(of: id, in: file.tree.source), extension: "bin")
    return PhotoPart(
      isPicture ? .picture : .other, name: "item-\(id)", item: item, content: content)
  }
}

/// Determines the kind and the completeness of a motion photo's video.
enum MotionVideoKind {
  /// Returns `mov` for QuickTime, which includes movies without `ftyp`, otherwise `mp4`.
  static func pathExtension(of video: Extent) -> String {
    let head = (try? video.prefix(12).bytes()) ?? []
    let isISO = head.count == 12 && head[4..<8].elementsEqual("ftyp".utf8)
    return isISO && !head[8...].elementsEqual("qt  ".utf8) ? "mp4" : "mov"
  }

  /// Returns a description of the missing data of the movie in an `mpvd` box, which the end of the file may truncate.
  static func gap(in video: Extent, of box: LocatedNode) -> String? {
    box.node.header.declaredSize.map { "mpvd declares \($0) bytes, more than the file has" }
      ?? gap(in: video)
  }

  /// Returns a description of a truncated movie's missing data: the box that extends beyond its end.
  static func gap(in video: Extent) -> String? {
    var offset = 0
    while video.count - offset >= 8 {
      let start = video.range.lowerBound + offset
      let end = start + min(16, video.count - offset)
      guard let head = try? Extent(video.source, start..<end).bytes() else { return nil }
      func number(_ range: Range<Int>) -> UInt64 { UInt64(bigEndianBytes: head[range]) }
      let type = FourCC(UInt32(number(4..<8)))
      let isLarge = number(0..<4) == 1 && head.count == 16
      let size = isLarge ? number(8..<16) : number(0..<4)
      // The bytes after a movie may be padding, or something else entirely.
      guard size >= 8, type.isPrintable else { return nil }
      guard let size = Int(exactly: size), size <= video.count - offset else {
        return "its \(type) declares \(size) bytes, but only \(video.count - offset) are left"
      }
      offset += size
    }
    return nil
  }

  /// Boxes that a movie may begin with; QuickTime needs no `ftyp`.
  private static let firstTypes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot",
  ]

  /// Returns whether the data begins with a movie.
  static func isMovie(_ video: Extent) -> Bool {
    let head = (try? video.prefix(8).bytes()) ?? []
    guard head.count == 8 else { return false }
    return firstTypes.contains(FourCC(head[4...]))
  }
}
