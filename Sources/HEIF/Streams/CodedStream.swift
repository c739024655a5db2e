// SPDX-License-Identifier: MIT

internal import Media

/// The facts of a decoder configuration about its pictures.
struct CodedStream: Sendable {
  var codec: PictureCodec
  /// The body of the configuration record.
  var configuration: [UInt8]
  /// The NAL units of the record.
  var parameterSets: [[UInt8]] = []
  /// The shape; `nil` where the record leaves it to the stream.
  var shape: StreamShape?
  /// The size of the length before each NAL unit, in bytes.
  var lengthSize = 4
}

/// The shape of decoded pictures and what their stream says of colour and of where its samples lie.
struct StreamShape: Hashable, Sendable {
  var format: PictureFormat
  var colour: ColourDescription?
  var site = ChromaSite.left
}
