// SPDX-License-Identifier: MIT

public import Bytes
internal import ISOBMFF
internal import Media

/// Everything in a photo beside its primary picture, and what is wrong with the file.
public struct PhotoListing: Sendable {
  public let parts: [PhotoPart]
  /// The tracks of the file, if it has any.
  public let tracks: [ListedTrack]
  /// Why parts would not be taken out, by their places in the list; what only decoding shows is not among it.
  public let failures: [Int: PhotoFailure]
  /// What would be warned of.
  public let warnings: [String]

  /// Throws where the photo cannot be read.
  public init(_ source: any ByteSource, options: ConvertOptions = ConvertOptions())
    throws(PhotoFailure)
  {
    do throws(Refusal) {
      try self.init(reading: source, options)
    } catch {
      throw error.failure
    }
  }

  private init(reading source: any ByteSource, _ options: ConvertOptions) throws(Refusal) {
    let kind = try reading { () throws(SyntaxError) in try FileKind(of: source) }
    guard kind == .isoBMFF || kind == .jpeg else {
      throw Refusal(.unsupported, "is \(kind.description), neither HEIF nor JPEG")
    }
    let contents = try PhotoContents(source, kind, options)
    let request = PhotoRequest(name: "", open: { source }, output: { _ in nil })
    let selection = OutputSelection(contents: contents, options: options, request: request)
    parts = try contents.parts()
    tracks = contents.tracks
    var failures: [Int: PhotoFailure] = [:]
    for (place, part) in parts.enumerated() {
      failures[place] = selection.refusal(of: part)?.failure
    }
    self.failures = failures
    // What is said as a reason need not be said as a warning, too.
    let reasons = Set(failures.values.map(\.message))
    warnings = contents.warnings.filter { !reasons.contains($0) }
  }
}
