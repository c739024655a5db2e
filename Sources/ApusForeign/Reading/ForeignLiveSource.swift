// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFFmpeg
public import ApusMedia
public import ApusSamples

/// The samples of a container that is read as it comes, such as a live MPEG transport stream. It is read once; copies share
/// what comes.
public struct ForeignLiveSource: SampleSource, Sendable {
  /// The tracks that were known when the stream was opened.
  public let tracks: [CodedTrack]
  /// The metadata of the stream as a whole.
  public let details: MediaDetails
  /// Warnings for the user about the beginning of the stream.
  public let warnings: [String]
  private let cursor: ForeignCursor

  /// - Parameter pull: waits for the next bytes and returns them; returns `nil` at the end.
  public init(
    _ pull: @escaping @Sendable () throws(MediaError) -> [UInt8]?, limits: Limits = Limits()
  ) throws {
    let media: ForeignMedia
    do throws(MediaError) {
      media = try ForeignMedia(ForeignBytes(pulling: pull))
    } catch {
      throw error.kind == .io ? error : MediaError(error.kind, of: .input, error.message)
    }
    cursor = try ForeignCursor(media, frameRate: nil, limits: limits)
    tracks = cursor.tracks
    details = ForeignDescription.details(cursor.media)
    warnings = cursor.warnings
  }

  public mutating func next() throws -> SourceEvent? { try cursor.next() }

  /// The faults of the samples so far that were repaired, as text.
  public var repairs: [String] { cursor.repairs }
}
