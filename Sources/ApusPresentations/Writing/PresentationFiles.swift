// SPDX-License-Identifier: MIT

public import ApusBytes

/// A destination for the files of a presentation, which have names such as `video-1/init.mp4`.
public protocol PresentationFiles: AnyObject {
  /// Begins a file.
  func file(_ name: String) throws -> any PresentationFile
}

/// A file of a presentation that is being written.
public protocol PresentationFile: AnyObject, ByteSink {
  /// Overwrites bytes that were written before.
  func replace(at offset: Int, with bytes: [UInt8]) throws
}

/// The file that a track is currently written to; memory before its first.
struct PresentationSink: ByteSink {
  var target: any ByteSink = ArraySink()

  var count: Int { target.count }
  mutating func append(_ byte: UInt8) throws(SyntaxError) { try target.append(byte) }
  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) { try target.append(bytes) }
  mutating func append(_ extent: Extent) throws(SyntaxError) { try target.append(extent) }
  mutating func passOn() throws(SyntaxError) { try target.passOn() }
}
