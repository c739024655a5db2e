// SPDX-License-Identifier: MIT

/// Decodes coded pictures to planes, one after the other. A decoder belongs to one thread and keeps resources from
/// picture to picture, such as its context as long as the configuration is unchanged.
public protocol PictureDecoder: AnyObject {
  /// The underlying library with its version, such as `libavcodec 59.37.100`.
  var name: String { get }

  /// Decodes the last sample and passes its planes: the whole conformance window, without concealment. The view is
  /// valid until `body` returns.
  ///
  /// Throws if the picture is incomplete: an error or concealment in the decoder, samples that no slice covers, no
  /// picture or more than one for a sample. A decoder that salvages first passes the available planes, and then throws
  /// nevertheless.
  func decode(_ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void)
    throws(MediaError)
}
