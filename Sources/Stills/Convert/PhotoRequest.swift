// SPDX-License-Identifier: MIT

public import Bytes
internal import Media

/// One file to be converted.
public struct PhotoRequest: Sendable {
  /// What messages call it.
  public var name: String
  /// Opens the input, on the worker that begins with it.
  public var open: @Sendable () throws -> any ByteSource
  /// Begins the output for one of its pictures; `nil` where that is to be skipped, because it is there already.
  public var output: @Sendable (PictureRole) throws -> (any PhotoOutput)?
  /// Whether the bytes of the file are the output, whatever it is.
  public var isCopied = false
  /// What is made of it, where that is something else than the engine makes of other files.
  public var options: ConvertOptions?
  /// What is known to be lost before it begins.
  public var warnings: [String] = []
  /// Whether there is room for one output alone, and for what belongs to it.
  public var takesOne = false
  /// Writes down what the samples of a depth map stand for; without it that is not written.
  public var depthDocument: (@Sendable (DepthNumbers) -> [UInt8])?

  /// Finds the video of a Live Photo by the identifier of its picture; without it there is none.
  public var video: (@Sendable (String?) throws -> LiveVideo?)?

  /// What a PNG of a small picture says of its photo, as keywords and ASCII texts.
  public var texts: [(keyword: String, text: String)] = []

  /// Makes the primary picture in these sizes, each as long on its longer side, of one decoding; each goes into the output
  /// for a part that is called after its side.
  public var longestSides: [Int] = []

  /// Makes every picture item of the file, alternatives too; each goes into the output `PictureRole.other` with its place
  /// in `PhotoListing.pictures`, counted from 1.
  public var takesEveryPicture = false

  /// Does all the work on the file instead, on one thread: it asks now and then whether it was stopped. It may have
  /// threads of its own, so one such file of a run has its turn at a time.
  var job: (@Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> PhotoReport)?

  /// Called with what became of the file, once it is done with; for the files of a run one call is made at a time.
  private(set) var report: @Sendable (PhotoReport) -> Void = { _ in }

  /// Called by workers with how far the photo is, one call at a time.
  public var progress: (@Sendable (PhotoProgress) -> Void)?

  public init(
    name: String, open: @escaping @Sendable () throws -> any ByteSource,
    output: @escaping @Sendable (PictureRole) throws -> (any PhotoOutput)?
  ) {
    self.name = name
    self.open = open
    self.output = output
  }

  /// The same, which reports to another caller what became of the file.
  func reporting(to report: @escaping @Sendable (PhotoReport) -> Void) -> PhotoRequest {
    var request = self
    request.report = report
    return request
  }
}
