// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ApusThreads
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// A HEIC: bands are rows of tiles, and any worker can encode any tile. The coded tiles, which are small, are kept in
/// memory because their sizes precede them in the file.
final class HEICOutput: PictureEncoder {
  private let colour: CodedPlanes
  private let alpha: CodedPlanes?
  private let isAlphaPremultiplied: Bool
  /// Whether any sample is transparent.
  private let isTransparent = Monitor(false)
  private let thumbnails: [(small: PictureScaler, coded: CodedPlanes)]
  /// The accompanying pictures that were coded earlier: gain map, depth, mattes.
  private let companions: [NewAuxiliary]
  private let orientation: Orientation
  private let metadata: PreparedMetadata
  /// Receives the coded photo, if it becomes part of a file with others.
  private let taker: (any PhotoTaker)?

  init(
    _ colour: CodedPlanes, alpha: CodedPlanes?, isAlphaPremultiplied: Bool,
    thumbnails: [(small: PictureScaler, coded: CodedPlanes)], companions: [NewAuxiliary],
    orientation: Orientation, metadata: PreparedMetadata, taker: (any PhotoTaker)?
  ) {
    self.colour = colour
    self.alpha = alpha
    self.isAlphaPremultiplied = isAlphaPremultiplied
    self.thumbnails = thumbnails
    self.companions = companions
    self.orientation = orientation
    self.metadata = metadata
    self.taker = taker
  }

  var parts: Int { colour.columns + (alpha?.columns ?? 0) }

  var encoders: [CodecUse] {
    let shown = isTransparent.withLock { $0 } ? alpha : nil
    return ([colour, shown] + thumbnails.map(\.coded)).compactMap { $0?.use }
  }

  var isFoundOpaque: Bool { alpha != nil && !isTransparent.withLock { $0 } }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    for thumbnail in thumbnails { thumbnail.small.add(band.picture, index: band.index) }
    if let plane = band.alpha, !plane.isAtLeast(1 << plane.format.bitDepth - 1) {
      isTransparent.withLock { $0 = true }
    }
    return []
  }

  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws {
    guard part >= colour.columns else {
      return try colour.encode(band.picture, row: band.index, column: part)
    }
    guard let alpha, let plane = band.alpha else { return }
    try alpha.encode(
      plane.withBitDepth(alpha.format.bitDepth), row: band.index, column: part - colour.columns)
  }

  func ending() throws -> [UInt8] {
    var photo = NewPhoto(try colour.picture())
    photo.orientation = orientation
    if let alpha, isTransparent.withLock({ $0 }) {
      var plane = NewAuxiliary.alpha(try alpha.picture())
      plane.isPremultiplied = isAlphaPremultiplied
      photo.auxiliaries.append(plane)
    }
    photo.auxiliaries += companions
    for (small, coded) in thumbnails {
      try coded.encode(small.picture(), row: 0, column: 0)
      photo.thumbnails.append(try coded.picture())
    }
    photo.exif = metadata.exif ?? []
    photo.xmp = metadata.xmp ?? []
    photo.iptc = metadata.iptc ?? []
    if let taker {
      taker.collect(photo)
      return []
    }
    return try [photo].heic()
  }
}

/// Receives coded photos instead of bytes.
protocol PhotoTaker: AnyObject, Sendable {
  func collect(_ photo: NewPhoto)
}

extension [NewPhoto] {
  /// Returns a file with these photos, the first of which is the primary one.
  ///
  /// - Parameters:
  ///   - group: the type of the entity group that states their relation.
  ///   - frameRate: the frame rate, if they become an image sequence.
  func heic(groupedAs group: FourCC? = nil, frameRate: FrameRate? = nil) throws
    -> [UInt8]
  {
    do throws(SyntaxError) {
      var file = NewItemFile()
      let shown = frameRate == nil ? self : Array(prefix(1))
      var ids: [UInt32] = []
      for photo in shown { ids.append(try file.add(photo)) }
      if let group, ids.count > 1 { file.groups.append((group, ids)) }
      if let frameRate { file.sequence = try NewSequence(map(\.picture), frameRate: frameRate) }
      return try file.bytes()
    } catch {
      throw MediaError(.misuse, "the HEIC cannot be written: \(error.detail)")
    }
  }
}
