// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The parts of a JPEG file: those in its segments, and those after the picture.
struct JPEGParts {
  private let photo: JPEGPhoto
  private let source: any ByteSource
  private var parts: [PhotoPart] = []
  /// The offsets of the parts found after the picture; several lists may name the same part.
  private var starts: Set<Int> = []

  static func parts(of photo: JPEGPhoto) throws -> [PhotoPart] {
    var search = JPEGParts(photo)
    search.addSegments()
    for entry in photo.others { search.addPicture(at: entry.range, type: entry.type) }
    search.addContainer()
    search.addGoogleDepth()
    try search.addSamsung()
    let order = PartRole.allCases
    return search.parts.enumerated().sorted { one, other in
      let places = [one, other].map { order.firstIndex(of: $0.element.role) ?? 0 }
      return (places[0], one.offset) < (places[1], other.offset)
    }.map(\.element).named()
  }

  private init(_ photo: JPEGPhoto) {
    self.photo = photo
    source = photo.data.source
  }

  private mutating func add(
    _ role: PartRole, name: String? = nil, _ bytes: [UInt8]?, _ type: String, _ ending: String
  ) {
    guard let bytes, !bytes.isEmpty else { return }
    parts.append(
      PhotoPart(
        role, name: name, type: type, content: .bytes([Extent(bytes)], extension: ending)))
  }

  private mutating func addSegments() {
    let metadata = photo.metadata
    add(.exif, name: "", metadata.exif, "Exif", "exif")
    add(.xmp, name: "", metadata.xmp, "application/rdf+xml", "xmp")
    add(.xmp, name: "extended", metadata.extendedXMP, "application/rdf+xml", "xmp")
    add(.icc, name: "", metadata.icc, "ICC profile", "icc")
    add(.other, name: "", metadata.iptc, "Photoshop resources", "8bim")
    guard let exif = metadata.exif, let thumbnail = ExifReader.thumbnail(of: exif) else { return }
    var part = PhotoPart(
      .thumbnail, type: "image/jpeg", content: .bytes([Extent(thumbnail)], extension: "jpg"))
    part.detail = "Exif"
    if let header = try? JPEGHeader(thumbnail) { part.size = (header.width, header.height) }
    parts.append(part)
  }

  /// Adds a JPEG after the picture, whose role comes from its own metadata.
  ///
  /// - Parameter type: the type in the index of pictures: CIPA DC-007, table 4; 0 if unstated.
  private mutating func addPicture(at range: Range<Int>, type: Int, role known: PartRole? = nil) {
    guard starts.insert(range.lowerBound).inserted else { return }
    let extent = Extent(source, range)
    guard let picture = try? JPEGPhoto(extent, limits: photo.limits) else { return }
    let (role, name, detail) = Self.role(of: picture, type, known, number: pictureCount + 2)
    let isNumbers = role == .depth || role == .matte
    let companion = CompanionSource(
      source: picture, owner: JPEGPhoto.picture, ownerSource: photo)
    var part = PhotoPart(
      role, name: name, type: "image/jpeg",
      content: isNumbers
        ? .picture(JPEGPhoto.picture, JPEGCompanion(base: companion, own: picture))
        : .bytes([extent], extension: "jpg"))
    part.detail = detail
    part.size = (picture.header.width, picture.header.height)
    part.byteCount = extent.count
    parts.append(part)
  }

  private var pictureCount: Int { parts.count { $0.role == .picture } }

  private static func role(
    of picture: JPEGPhoto, _ type: Int, _ known: PartRole?, number: Int
  ) -> (PartRole, String?, String) {
    let xmp = picture.metadata.xmp.flatMap(XMPReader.init)
    let kind = xmp?.value(XMPReader.Namespace.pixelData, "AuxiliaryImageType") ?? ""
    let isGainMap = known == .gainmap || JPEGGainMap.isGainMap(picture.segments, type: type)
    switch AuxiliaryKind(urn: kind) {
    case .gainMap: return (.gainmap, nil, kind)
    case .matte(let name): return (.matte, "matte-\(name)", kind)
    case .depth, .alpha, nil: break
    }
    if kind == "disparity" || kind == "depth" { return (.depth, nil, kind) }
    if isGainMap { return (.gainmap, nil, "") }
    if let known { return (known, nil, "") }
    if type >> 16 == 1 { return (.thumbnail, "preview", "") }
    return (.picture, "\(number)", "")
  }

  /// Adds the parts in Google's directory: items follow one another, and the last one ends with the file.
  private mutating func addContainer() {
    guard let xmp = photo.metadata.xmp.flatMap(XMPReader.init) else { return }
    let camera = XMPReader.Namespace.googleCamera
    if let offset = xmp.value(camera, "MicroVideoOffset").flatMap({ Int($0) }), offset > 0 {
      addVideo(from: source.count - offset, "MicroVideo")
    }
    for (item, range) in xmp.containerFiles(endingAt: source.count) {
      switch item.semantic {
      case "MotionPhoto":
        addVideo(from: range.lowerBound, end: range.upperBound, "MotionPhoto")
      case "GainMap" where item.mediaType == "image/jpeg":
        addPicture(at: range, type: 0, role: .gainmap)
      default:
        if item.mediaType == "image/jpeg" { addPicture(at: range, type: 0) }
      }
    }
  }

  /// Adds the files inside XMP.
  private mutating func addGoogleDepth() {
    let google = GoogleDepth(photo.metadata)
    if let map = google.map { addDepth(map, DepthNumbers(google)) }
    if let original = google.original {
      let ending = original.mediaType == "image/png" ? "png" : "jpg"
      var part = PhotoPart(
        .picture, name: "original", type: original.mediaType,
        content: .bytes([Extent(original.bytes)], extension: ending))
      part.detail = "GImage"
      if let header = try? JPEGHeader(original.bytes) { part.size = (header.width, header.height) }
      parts.append(part)
    }
  }

  private mutating func addDepth(_ map: GoogleDepth.File, _ numbers: DepthNumbers) {
    let extent = Extent(map.bytes)
    var part: PhotoPart
    if let picture = try? JPEGPhoto(extent, limits: photo.limits) {
      let companion = CompanionSource(
        source: picture, owner: JPEGPhoto.picture, ownerSource: photo)
      let source = JPEGCompanion(base: companion, own: picture, numbers: numbers)
      part = PhotoPart(
        .depth, type: "image/jpeg", content: .picture(JPEGPhoto.picture, source))
      part.size = (picture.header.width, picture.header.height)
    } else if let header = GreyPNG(map.bytes) {
      part = PhotoPart(.depth, type: "image/png", content: .bytes([extent], extension: "png"))
      part.size = (header.width, header.height)
      var numbers = numbers
      (numbers.width, numbers.height) = (header.width, header.height)
      numbers.bitDepth = header.bitDepth
      part.numbers = numbers
    } else {
      return
    }
    part.detail = "GDepth"
    part.byteCount = extent.count
    parts.append(part)
  }

  private mutating func addSamsung() throws {
    guard let samsung = try SamsungBlocks(of: source) else { return }
    parts.append(PhotoPart(samsungTrailer: Extent(source, samsung.range)))
    for block in samsung.blocks {
      if block.name == "MotionPhoto_Data" {
        addVideo(from: block.range.lowerBound, end: block.range.upperBound, block.name)
      } else if block.name.hasPrefix("DualShot_"), block.range.count > 4 {
        let extent = Extent(source, block.range)
        let isJPEG = (try? extent.prefix(3).bytes()) == [0xFF, 0xD8, 0xFF]
        if isJPEG { addPicture(at: block.range, type: 0) }
      }
    }
  }

  private mutating func addVideo(from start: Int, end: Int? = nil, _ detail: String) {
    let end = end ?? source.count
    guard start > 0, start < end, starts.insert(start).inserted else { return }
    let video = Extent(source, start..<end)
    guard MotionVideoKind.isMovie(video) else { return }
    var part = PhotoPart(
      .motionVideo, type: "video/mp4",
      content: .bytes([video], extension: MotionVideoKind.pathExtension(of: video)))
    part.detail = detail
    part.gap = MotionVideoKind.gap(in: video)
    parts.append(part)
  }
}

/// A picture that follows a JPEG, with the orientation of that JPEG and its own XMP.
struct JPEGCompanion: PictureSource {
  let base: CompanionSource
  let own: JPEGPhoto
  /// The meaning of its samples, if stated elsewhere than in its own XMP.
  var numbers: DepthNumbers?

  var limits: PlanLimits { own.limits }

  func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan { try base.plan(picture) }

  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata {
    var metadata = try base.metadata(of: picture)
    metadata.xmp = own.metadata.xmp
    return metadata
  }
}
