// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ISOBMFF

/// The data after the picture of a JPEG without its video, its previews, or everything that is no picture.
struct JPEGTail {
  /// The bytes to remove or to replace.
  private(set) var pieces: [SplicedSource.Piece] = []
  /// Whether the file loses its video.
  private(set) var removesVideo = false
  /// The previews that are removed.
  private(set) var previews: [Range<Int>] = []
  /// The index of pictures, if no other is left.
  private(set) var index: Range<Int>?
  /// The changes, for people.
  private(set) var changes: [String] = []
  private let source: any ByteSource

  /// Throws if the rest would no longer be found.
  init(_ photo: JPEGPhoto, without parts: Set<PhotoEdits.Part>, previews: Bool) throws {
    source = photo.data.source
    if previews { try removePreviews(of: photo) }
    try removeOthers(of: photo, parts)
  }

  /// Removes the large thumbnails in the index of pictures.
  private mutating func removePreviews(of photo: JPEGPhoto) throws {
    let kept = photo.others.filter { !$0.isPreview }
    previews = photo.others.filter(\.isPreview).map(\.range).sorted {
      $0.lowerBound < $1.lowerBound
    }
    guard let first = previews.first, let last = previews.last else { return }
    let listed = photo.metadata.xmp.flatMap(XMPReader.init)?.containerFiles(endingAt: source.count)
    var next = try JPEGEnd.find(in: photo.data)
    for preview in previews {
      guard preview.lowerBound >= next,
        try Extent(source, preview).prefix(2).bytes() == [0xFF, 0xD8],
        !kept.contains(where: { $0.range.overlaps(preview) })
      else {
        throw MediaError(
          .unsupported, of: .input,
          "has an index of pictures whose preview at byte \(preview.lowerBound) is no separate JPEG"
        )
      }
      next = preview.upperBound
      remove(preview, "preview")
    }
    // The lengths in the list count from the end of the file.
    guard !(listed ?? []).contains(where: { $0.range.lowerBound < last.upperBound }) else {
      throw MediaError(
        .unsupported, of: .input,
        "lists files before the preview at byte \(first.lowerBound), which would not be found without it"
      )
    }
    if kept.isEmpty { index = photo.segments.index?.range }
  }

  private mutating func removeOthers(of photo: JPEGPhoto, _ parts: Set<PhotoEdits.Part>) throws {
    guard !parts.isDisjoint(with: [.motion, .trailer]) else { return }
    let video = PhotoContents.jpeg(photo).embeddedVideo()?.extent.range
    guard !parts.contains(.trailer) else {
      removesVideo = video != nil
      remove(try Self.endOfPictures(in: photo)..<source.count, "trailer")
      return
    }
    guard let video else { return }
    removesVideo = true
    guard let samsung = try SamsungBlocks(of: source), samsung.range.overlaps(video) else {
      remove(video, "video")
      return
    }
    guard samsung.blocks.contains(where: { $0.name != Self.block }) else {
      let start = min(video.lowerBound, samsung.range.lowerBound)
      remove(start..<max(video.upperBound, samsung.range.upperBound), "video")
      return
    }
    // The lengths in the list count from the end of the file.
    let listed = photo.metadata.xmp.flatMap(XMPReader.init)?.containerItems ?? []
    guard !listed.contains(where: { !["Primary", "MotionPhoto"].contains($0.semantic) }) else {
      throw MediaError(
        .unsupported, of: .input,
        "lists a picture before Samsung's data, which would not be found without the video; "
          + "only its whole trailer can be removed")
    }
    guard video.lowerBound >= samsung.range.lowerBound else {
      remove(video.lowerBound..<samsung.range.lowerBound, "video")
      return
    }
    let blocks = samsung.changes(without: Self.block)
    guard !blocks.isEmpty else {
      throw MediaError(
        .unsupported, of: .input,
        "has its video in a part of Samsung's data that is not known; only its whole trailer can be removed"
      )
    }
    pieces += blocks.map { .init($0.range, $0.bytes) }
    changes.append("video removed")
  }

  /// The name of Samsung's block that is a video.
  private static let block = "MotionPhoto_Data"

  private mutating func remove(_ range: Range<Int>, _ name: String) {
    guard !range.isEmpty else { return }
    pieces.append(.init(range, []))
    changes.append("\(name) removed (\(range.count) bytes)")
  }

  /// Returns the end of the last picture: that of the file, of its index, or of the list of appended files.
  private static func endOfPictures(in photo: JPEGPhoto) throws -> Int {
    let count = photo.data.source.count
    let listed = photo.metadata.xmp.flatMap(XMPReader.init)?.containerFiles(endingAt: count) ?? []
    // The list counts from the end of the file, where Samsung's data may be.
    let pictures = try listed.filter { file in
      let start = try Extent(photo.data.source, file.range).prefix(2).bytes()
      return file.item.mediaType == "image/jpeg" && start == [0xFF, 0xD8]
    }.map(\.range.upperBound)
    let ends = photo.others.map(\.range.upperBound) + pictures
    return min(max(try JPEGEnd.find(in: photo.data), ends.max() ?? 0), count)
  }
}
