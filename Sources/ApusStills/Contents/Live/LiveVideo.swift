// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
public import ApusMedia
internal import ApusMetadata
internal import ISOBMFF

/// The video of a Live Photo, found in its folder or in its file.
public struct LiveVideo: Sendable {
  /// The evidence that a video belongs to a picture.
  public enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// Both carry the same content identifier.
    case identifier = "content-identifier"
    /// The video is inside the file of the picture.
    case embedded
    /// Both have the same name and at least one of them has no identifier; a guess.
    case name
  }

  /// The path of the file that contains the video.
  public var path: String
  /// The bytes of the video: a whole file, or a range in the file of the picture.
  public var extent: Extent
  /// The file of the video when it was found; `nil` for a video inside the file of its picture.
  public var file: FileIdentity?
  /// The evidence that the video belongs to the picture.
  public var basis: Basis
  /// The metadata of the movie; for a video inside the file of its picture, only `isQuickTime` is set.
  public var facts: LiveVideoFacts
  /// Whether the video is already where its copy would be written.
  public var isInPlace = false
  /// A description of the missing data, if a video inside the picture's file is truncated.
  public internal(set) var gap: String?

  init(
    path: String, extent: Extent, file: FileIdentity?, basis: Basis, facts: LiveVideoFacts
  ) {
    self.path = path
    self.extent = extent
    self.file = file
    self.basis = basis
    self.facts = facts
  }

  /// Creates the video found in the file of its picture.
  init(embedded video: Extent, in path: String) {
    let isQuickTime = MotionVideoKind.pathExtension(of: video) == "mov"
    self.init(
      path: path, extent: video, file: nil, basis: .embedded,
      facts: LiveVideoFacts(isQuickTime: isQuickTime))
  }

  /// The maximum size of a movie that is copied to memory, in bytes.
  private static let longestCopy = 1 << 28

  /// Puts `ftyp` before a QuickTime movie that has none, because a movie in a motion photo needs one, and adjusts all
  /// offsets.
  mutating func addFileType() throws {
    let head = try extent.prefix(8).bytes()
    guard gap == nil, head.count == 8, !head[4...].elementsEqual("ftyp".utf8) else { return }
    guard extent.count <= Self.longestCopy else {
      throw MediaError(
        .limit, of: .part(path),
        "has no ftyp, which the video of a motion photo needs, and is too large to add one: "
          + "\(extent.count) bytes, the limit is \(Self.longestCopy)")
    }
    let movie = MemorySource(try extent.bytes())
    var type = FileType()
    (type.majorBrand, type.compatibleBrands) = ("qt  ", ["qt  "])
    var editor = BoxEditor(try BoxTree(reading: movie), of: movie)
    let box = try BoxTree(boxes: [Node("ftyp", type)]).bytes()
    try editor.insert(Extent(box), at: .file(index: 0))
    extent = Extent(try editor.finished().tree.bytes())
  }

  /// The extension of the video's file.
  public var pathExtension: String {
    guard basis != .embedded else { return facts.isQuickTime ? "mov" : "mp4" }
    return path.pathExtension.isEmpty ? "mov" : path.pathExtension
  }

  /// The warnings about the video.
  public var warnings: [String] {
    let guess =
      basis == .name
      ? ["\(path) is used as its video because of its name only; it has no identifier"] : []
    return guess + (gap.map { ["the motion video is truncated: \($0)"] } ?? [])
  }

  /// Returns the reason why the video is not written; a truncated one is written only with `salvages`.
  public func failure(_ options: ConvertOptions) -> MediaError? {
    guard let choice = options.live, choice != .drop, !options.salvages, let gap else { return nil }
    return MediaError(.incomplete, "the motion video is truncated and not written: \(gap)")
  }

  /// The video in the form in which it is appended to a picture.
  var appended: AppendedVideo {
    AppendedVideo(
      size: extent.count, mediaType: facts.isQuickTime ? "video/quicktime" : "video/mp4",
      stillTime: facts.stillTime)
  }
}
