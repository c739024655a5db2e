// SPDX-License-Identifier: MIT

public import Bytes
internal import HEIF
internal import ISOBMFF
public import Media

/// Everything in a photo beside its primary picture, and what is wrong with the file.
public struct PhotoListing: Sendable {
  /// The items that are pictures of their own, alternatives too, in file order; none where pictures are no items.
  public let pictures: [UInt32]
  /// The item of the primary picture.
  public let primary: UInt32?
  public let parts: [PhotoPart]
  /// The tracks of the file, if it has any.
  public let tracks: [ListedTrack]
  /// Why parts would not be taken out, by their places in the list; what only decoding shows is not among it.
  public let failures: [Int: MediaError]
  /// What would be warned of.
  public let warnings: [String]

  /// Throws where the photo cannot be read.
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
    // What is said as a reason need not be said as a warning, too.
    let reasons = Set(failures.values.map(\.description))
    warnings = contents.warnings.filter { !reasons.contains($0) }
  }
}
