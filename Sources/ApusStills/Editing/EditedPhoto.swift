// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusMetadata
public import HEIF
public import ISOBMFF

/// A photo after a change that loses nothing of its coded pictures.
public struct EditedPhoto: Sendable {
  private enum Contents: Sendable {
    case boxes(EditedFile)
    case bytes(Extent)
  }

  private let contents: Contents
  /// The size of the file in bytes.
  public let count: Int
  /// The bytes to overwrite in the old file to obtain the new one; `nil` if its size changes.
  public let splices: [Splice]?
  /// The moves that result from the change, for display.
  public let moves: [EditedFile.Move]
  /// The changes in order, for people: `Exif changed`.
  public private(set) var changes: [String] = []
  /// The warnings about metadata that was left out or not changed.
  public private(set) var warnings: [String] = []

  /// Changes a photo in memory; nothing is written yet. Throws if a part that must change cannot be read, or if the file
  /// is of a kind that is not changed.
  public init(
    _ source: any ByteSource, _ edits: PhotoEdits, limits: PlanLimits = PlanLimits(),
    boxes: Limits = Limits()
  ) throws {
    let kind = try FileKind(of: source)
    guard kind == .jpeg || kind == .isoBMFF else {
      throw MediaError(
        .unsupported, of: .input,
        "is \(kind.description); only HEIF, AVIF and JPEG are changed without re-encoding")
    }
    var options = ConvertOptions()
    (options.limits, options.boxLimits) = (limits, boxes)
    switch try PhotoContents(source, kind, options) {
    case .heif(let file) where file.graph.items.isEmpty && !file.movie.tracks.isEmpty:
      self = try Self.movie(file, edits)
    case .heif(let file) where file.graph.items.isEmpty:
      throw MediaError(
        .unsupported, of: .input, "has neither pictures nor tracks, which could be changed")
    case .heif(let file): self = try Self.heif(file, edits)
    case .jpeg(let photo): self = try Self.jpeg(photo, edits)
    case .plain:
      throw MediaError(.unsupported, of: .input, "cannot be changed without re-encoding")
    }
  }

  /// Changes a file of items.
  init(_ file: PhotoFile, _ edits: PhotoEdits) throws { self = try Self.heif(file, edits) }

  init(_ edited: EditedFile, _ changes: [String], _ warnings: [String]) {
    contents = .boxes(edited)
    (count, splices, moves) = (edited.count, edited.splices, edited.moves)
    (self.changes, self.warnings) = (changes, warnings)
  }

  init(
    _ bytes: SplicedSource, _ pieces: [SplicedSource.Piece], _ changes: [String],
    _ warnings: [String]
  ) {
    contents = .bytes(Extent(bytes, 0..<bytes.count))
    count = bytes.count
    let keepsSize = pieces.allSatisfy { $0.range.count == $0.bytes.count }
    splices =
      keepsSize ? pieces.map { Splice(range: $0.range, bytes: $0.bytes, reason: "metadata") } : nil
    moves = []
    (self.changes, self.warnings) = (changes, warnings)
  }

  /// Writes the whole file.
  public func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws {
    switch contents {
    case .boxes(let file): try file.tree.write(to: &writer)
    case .bytes(let extent): try writer.append(extent)
    }
  }

  /// Returns the whole file in memory.
  public func bytes() throws -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    try write(to: &writer)
    return writer.sink.bytes
  }

  /// The bytes of the whole file, most of which stay where they are.
  func extent() throws(SyntaxError) -> Extent {
    switch contents {
    case .boxes(let file):
      let source = try EditedSource(file)
      return Extent(source, 0..<source.count)
    case .bytes(let extent): return extent
    }
  }

  /// Adds a warning if Content Credentials stay in a file whose bytes change.
  func warning(of hasNone: Bool, _ edits: PhotoEdits) -> EditedPhoto {
    guard !hasNone, !edits.removals.contains(.c2pa), splices?.isEmpty != true else { return self }
    var photo = self
    photo.warnings.append(
      "its Content Credentials (C2PA) are no longer valid, because its bytes changed")
    return photo
  }
}
