// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// A descriptor and those inside it: ISO/IEC 14496-1, 7.2.2 and 8.3.3.
public struct Descriptor: SyntaxStructure {
  public var tag: UInt8 = 0
  /// The number of bytes in which the size is written, 1 to 4: many writers always use four.
  public var sizeLength = 1
  public var content = Content.bytes([])

  /// The content of a descriptor, by its tag.
  public enum Content: Sendable {
    /// An object descriptor: tag 1 or 2, and 16 or 17 in a file.
    case object(ObjectDescriptorFields)
    /// An elementary stream descriptor: tag 3.
    case elementaryStream(ElementaryStreamDescriptor)
    /// A decoder configuration descriptor: tag 4.
    case decoder(DecoderConfigDescriptor)
    /// The ID of a track: tag 14.
    case trackID(UInt32)
    /// The configuration of a decoder of MPEG-4 audio: tag 5.
    case audio(AudioSpecificConfig)
    /// The bytes of any other tag; 5 is the decoder-specific configuration.
    case bytes([UInt8])
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, depth: 0)
  }

  /// - Parameter objectType: the type of the decoder that the descriptor configures, if it is inside one.
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int, objectType: UInt8? = nil)
    throws(SyntaxError)
  {
    try v.u(8, "tag", &tag)
    let size = try size(&v)
    if v.isReading {
      content = Self.content(tag: tag, size: size, depth: depth)
      if tag == 5, let objectType, DecoderConfigDescriptor.aac.contains(objectType),
        size <= Self.mostAudio, let config = Self.audio(try v.peek(size), size: size)
      {
        content = .audio(config)
      }
    }
    try v.sized("sizeOfInstance", size) { v throws(SyntaxError) in
      try content.syntax(&v, size: size, depth: depth)
    }
  }

  /// The maximum depth at which descriptors are parsed; an object, its stream, the decoder and its configuration make
  /// four.
  private static let maximumDepth = 4

  private static func content(tag: UInt8, size: Int, depth: Int) -> Content {
    switch tag {
    case 1 where depth < maximumDepth, 2 where depth < maximumDepth,
      16 where depth < maximumDepth, 17 where depth < maximumDepth:
      .object(ObjectDescriptorFields(isInitial: tag == 2 || tag == 16))
    case 3 where depth < maximumDepth: .elementaryStream(ElementaryStreamDescriptor())
    case 4 where depth < maximumDepth: .decoder(DecoderConfigDescriptor())
    case 14 where size == 4: .trackID(0)
    default: .bytes([])
    }
  }

  /// The size of the largest configuration that is parsed, in bytes.
  private static let mostAudio = 1 << 12

  /// Reads a configuration; `nil` if there are too few bytes for one, which are then kept as bytes.
  private static func audio(_ bytes: [UInt8], size: Int) -> AudioSpecificConfig? {
    guard bytes.count == size, !bytes.starts(with: "ADIF".utf8) else { return nil }
    do throws(SyntaxError) { return try AudioSpecificConfig(bytes) } catch { return nil }
  }

  /// Visits the size of the content, with 7 bits per byte, most significant first.
  private mutating func size<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) -> Int {
    var size = 0
    if !v.isReading {
      var counter = SyntaxWriter(CountingSink())
      try content.syntax(&counter, size: nil, depth: 0)
      size = counter.sink.count
      while sizeLength < 4, size >> (7 * sizeLength) > 0 { sizeLength += 1 }
      guard size < 1 << 28 else {
        throw v.failure(.misuse, "sizeOfInstance", "of \(size) needs more than 28 bits")
      }
    }
    var read = 0
    var count = 0
    var isFollowed = true
    while isFollowed {
      guard count < 4 else {
        throw v.failure(.invalid, "sizeOfInstance", "goes on after four bytes")
      }
      count += 1
      isFollowed = count < sizeLength
      var part = UInt8(truncatingIfNeeded: size >> (7 * (sizeLength - count)) & 127)
      try v.flag("nextByte", &isFollowed)
      try v.u(7, "sizeOfInstance", &part)
      read = read << 7 | Int(part)
    }
    sizeLength = count
    return read
  }
}

extension Descriptor.Content {
  fileprivate mutating func syntax<V: SyntaxVisitor>(_ v: inout V, size: Int?, depth: Int)
    throws(SyntaxError)
  {
    switch self {
    case .object(var object):
      try object.syntax(&v, depth: depth)
      self = .object(object)
    case .elementaryStream(var stream):
      try stream.syntax(&v, depth: depth)
      self = .elementaryStream(stream)
    case .decoder(var decoder):
      try decoder.syntax(&v, depth: depth)
      self = .decoder(decoder)
    case .audio(var config):
      try config.syntax(&v)
      self = .audio(config)
    case .trackID(var id):
      try v.u(32, "Track_ID", &id)
      self = .trackID(id)
    case .bytes(var bytes):
      try v.bytes("data", &bytes, count: size)
      self = .bytes(bytes)
    }
  }
}

extension SyntaxVisitor {
  /// Visits the descriptors inside a descriptor, up to its end.
  mutating func descriptors(
    _ descriptors: inout [Descriptor], depth: Int, objectType: UInt8? = nil
  ) throws(SyntaxError) {
    try list("descriptors", &descriptors, count: nil) { descriptor, v throws(SyntaxError) in
      try descriptor.syntax(&v, depth: depth + 1, objectType: objectType)
    }
  }
}
