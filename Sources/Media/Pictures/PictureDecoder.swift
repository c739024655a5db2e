// SPDX-License-Identifier: MIT

/// Turns coded pictures into planes, one after the other. A decoder belongs to one thread and keeps what it
/// can from picture to picture: its context as long as the configuration stays the same.
public protocol PictureDecoder: AnyObject {
  /// The library behind it and its version: `libavcodec 59.37.100`.
  var name: String { get }

  /// Decodes the last sample and hands its planes over: the whole conformance window, nothing concealed. The
  /// view is valid until `body` returns.
  ///
  /// Throws where the picture is not whole: an error or concealment in the decoder, samples that no slice
  /// covers, no picture or more than one for a sample. A decoder that was made to salvage hands over what there
  /// is first, and then throws all the same.
  func decode(_ picture: CodedPicture, _ body: (PictureView) throws(PictureError) -> Void)
    throws(PictureError)
}

/// Why there is no picture, or no output of it.
public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable {
    /// The codec, a form of it or a feature is not known here or not supported by the library.
    case unsupported
    /// A library that the job needs is not installed.
    case missing
    /// The coded data contradict the standard.
    case corrupt
    /// Part of the picture is not there.
    case incomplete
    /// A named limit was reached.
    case limit
    /// There is not enough memory.
    case memory
    /// The result could not be written or the input not be read.
    case io
    /// The caller asked for what cannot be.
    case misuse
  }

  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public var description: String { message }

  /// The same, said of a part, whose name ends with a blank.
  public func inside(_ part: String) -> PictureError { PictureError(kind, part + message) }
}
