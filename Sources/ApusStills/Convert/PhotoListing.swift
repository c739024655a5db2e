// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
internal import HEIF
internal import ISOBMFF

/// The parts of a photo other than its primary picture, and the findings about the file.
public struct PhotoListing: Sendable {
  /// The items that are pictures in their own right, including alternatives, in file order; empty for files without
  /// items.
  public let pictures: [UInt32]
  /// The item of the primary picture.
  public let primary: UInt32?
  /// The parts, numbered if their outputs would otherwise have the same name.
  public let parts: [PhotoPart]
  /// The tracks of the file, if it has any.
  public let tracks: [ListedTrack]
  /// The errors of parts that cannot be extracted, keyed by index in the list, as far as they are known without
  /// decoding.
  public let failures: [Int: MediaError]
  /// The expected warnings.
  public let warnings: [String]

  /// Lists a photo; throws if it cannot be read.
  public init(_ source: any ByteSource, options: ConvertOptions = ConvertOptions())
    throws(MediaError)
  {
    do {
      try self.init(reading: source, options)
    } catch {
      throw MediaError(error)
    }
  }

  private init(reading source: any ByteSource, _ options: ConvertOptions) throws {
    let kind = try FileKind(of: source)
    guard kind == .isoBMFF || kind == .jpeg else {
      throw MediaError(.unsupported, of: .input, "is \(kind.description), neither HEIF nor JPEG")
    }
    let contents = try PhotoContents(source, kind, options)
    let request = PhotoRequest(name: "", open: { source }, output: { _ in nil })
    let selection = OutputSelection(contents: contents, options: options, request: request)
    parts = try contents.parts()
    var items: [(id: UInt32, isPrimary: Bool)] = []
    if case .heif(let file) = contents {
      for picture in file.everyPicture {
        if case .item(let id) = picture.place { items.append((id, picture.isPrimary)) }
      }
    }
    pictures = items.map(\.id)
    primary = items.first(where: \.isPrimary)?.id
    tracks = contents.tracks
    var failures: [Int: MediaError] = [:]
    for (place, part) in parts.enumerated() {
      failures[place] = selection.refusal(of: part)
    }
    self.failures = failures
    // A text that appears as a reason is not repeated as a warning.
    let reasons = Set(failures.values.map(\.description))
    warnings = contents.warnings.filter { !reasons.contains($0) }
  }
}
