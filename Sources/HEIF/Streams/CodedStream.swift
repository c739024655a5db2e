// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The facts of a decoder configuration about its pictures.
struct CodedStream: Sendable {
  var codec: PictureCodec
  /// The body of the configuration record.
  var configuration: [UInt8]
  /// The NAL units of the record.
  var parameterSets: [[UInt8]] = []
  /// The format; `nil` if it is only in the stream.
  var shape: StreamShape?
  /// The size of the length before each NAL unit, in bytes.
  var lengthSize = 4
}

/// The format of decoded pictures, with the colour and sample positions stated in their stream.
struct StreamShape: Hashable, Sendable {
  var format: PictureFormat
  var colour: ColourDescription?
  var site = ChromaSite.left
}
