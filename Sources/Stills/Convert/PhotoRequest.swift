// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// One file to be converted.
public struct PhotoRequest: Sendable {
  /// What messages call it.
  public var name: String
  /// Opens the input, on the worker that begins with it.
  public var open: @Sendable () throws(PictureError) -> any ByteSource
  /// Begins the output for one of its pictures; `nil` where that is to be skipped, because it is there already.
  public var output: @Sendable (PictureRole) throws(PictureError) -> (any PhotoOutput)?
  /// Whether the bytes of the file are the output, whatever it is.
  public var isCopied = false
  /// What is known to be lost before it begins.
  public var warnings: [String] = []
  /// Whether there is room for one output alone, and for what belongs to it.
  public var takesOne = false
  /// Writes down what the samples of a depth map stand for; without it nobody does.
  public var depthDocument: (@Sendable (DepthNumbers) -> [UInt8])?

  /// Finds the video of a Live Photo by the identifier of its picture; without it there is none.
  public var video: (@Sendable (String?) throws(PictureError) -> LiveVideo?)?

  public init(
    name: String, open: @escaping @Sendable () throws(PictureError) -> any ByteSource,
    output: @escaping @Sendable (PictureRole) throws(PictureError) -> (any PhotoOutput)?
  ) {
    self.name = name
    self.open = open
    self.output = output
  }
}

/// Which of the pictures of a file.
public enum PictureRole: Hashable, Sendable {
  case primary
  /// Another picture of its own, by its number from 2 on.
  case other(Int)
  /// The video of a Live Photo, by what its file ends with.
  case video(extension: String)
  /// Something else in the file, by what its output is called after the name of the photo, and ends with.
  case part(String, extension: String)
}

/// Where an encoded picture goes, piece by piece and in order.
public protocol PhotoOutput: AnyObject, Sendable {
  func write(_ bytes: Span<UInt8>) throws(PictureError)
  /// Writes over bytes that were written before.
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws(PictureError)
  /// What was written so far, to be read again.
  func written() throws(PictureError) -> any ByteSource
  /// The picture is whole: gives it its name and returns that. An output that is let go uncommitted leaves
  /// nothing behind.
  func commit() throws(PictureError) -> String
}
