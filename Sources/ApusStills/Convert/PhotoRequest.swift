// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia

/// A request to convert one file.
public struct PhotoRequest: Sendable {
  /// The name of the photo in messages.
  public var name: String
  /// Opens the input, on the worker that starts the photo.
  public var open: @Sendable () throws -> any ByteSource
  /// Creates the output for one of the pictures; `nil` to skip it because the output exists already.
  public var output: @Sendable (PictureRole) throws -> (any PhotoOutput)?
  /// Whether the file's bytes are copied to the output, whatever their kind.
  public var isCopied = false
  /// The options for this file, if they differ from those of the engine.
  public var options: ConvertOptions?
  /// Warnings about losses that are known in advance.
  public var warnings: [String] = []
  /// Whether the destination has room for only one output and its companions.
  public var takesOne = false
  /// Returns a document that describes the meaning of a depth map's samples; if `nil`, no such document is written.
  public var depthDocument: (@Sendable (DepthNumbers) -> [UInt8])?

  /// Finds the video of a Live Photo by the identifier of its picture; if `nil`, no video is looked for.
  public var video: (@Sendable (String?) throws -> LiveVideo?)?

  /// Facts about the photo for a thumbnail in PNG, as keywords and ASCII texts.
  public var texts: [(keyword: String, text: String)] = []

  /// The sizes, as lengths of the longer side, in which the primary picture is made from a single decoding; each goes
  /// to the output for a part that is named after the size.
  public var longestSides: [Int] = []

  /// Does all work on the file instead of the engine, on one thread, and polls whether it was stopped. It may have its
  /// own threads, so only one such file of a run is processed at a time.
  var job: (@Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> PhotoReport)?

  /// Receives the report once the file is finished; within a run, calls do not overlap.
  private(set) var report: @Sendable (PhotoReport) -> Void = { _ in }

  /// Receives the progress of the photo from workers, one call at a time.
  public var progress: (@Sendable (PhotoProgress) -> Void)?

  public init(
    name: String, open: @escaping @Sendable () throws -> any ByteSource,
    output: @escaping @Sendable (PictureRole) throws -> (any PhotoOutput)?
  ) {
    self.name = name
    self.open = open
    self.output = output
  }

  /// Returns the same request with another receiver for its report.
  func reporting(to report: @escaping @Sendable (PhotoReport) -> Void) -> PhotoRequest {
    var request = self
    request.report = report
    return request
  }
}
