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
  func decode(_ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void)
    throws(MediaError)
}
