// SPDX-License-Identifier: MIT

public import ApusBytes

/// The contents of a tag's data.
///
/// Right after reading they are written again and compared; data that cannot be read, or would not produce the same
/// bytes, stay opaque, with the reason.
public enum TagContent: Sendable {
  case video(VideoTag)
  case audio(AudioTag)
  case script(AMFMessage)
  /// No data at all, which some servers send for silence.
  case empty
  case opaque(Extent, SyntaxError?)

  /// Reads the data of a tag; never fails, because data that cannot be read become `opaque`.
  public init(_ header: TagHeader, data: Extent, limits: Limits = Limits()) {
    if data.isEmpty {
      self = .empty
    } else if header.filter {
      self = .opaque(
        data,
        SyntaxError(
          .unsupported, field: "Filter", offset: data.range.lowerBound, detail: "is set: encrypted")
      )
    } else {
      self = Self.read(header.type, data, limits)
    }
  }

  private static func read(_ type: TagType, _ data: Extent, _ limits: Limits) -> TagContent {
    do throws(SyntaxError) {
      switch type {
      case .video: return .video(try canonical(VideoTag.self, data, limits))
      case .audio: return .audio(try canonical(AudioTag.self, data, limits))
      case .script:
        return .script(
          AMFMessage(try data.bytes(), at: data.range.lowerBound, limits: limits))
      default: return .opaque(data, nil)
      }
    } catch {
      return .opaque(data, error)
    }
  }

  private static func canonical<Structure: SyntaxStructure>(
    _ type: Structure.Type, _ data: Extent, _ limits: Limits
  ) throws(SyntaxError) -> Structure {
    var reader = SyntaxReader(data.source, range: data.range, limits: limits)
    reader.readAheadEnd = min(data.range.upperBound, data.range.lowerBound + 64)
    var structure = Structure()
    try structure.syntax(&reader)
    var writer = SyntaxWriter(ComparingSink(reader, from: data.range.lowerBound))
    try structure.syntax(&writer)
    guard writer.sink.difference == nil, writer.sink.count == data.count else {
      throw reader.failure(.invalid, "data", "would not be written back to the same bytes")
    }
    return structure
  }

  /// Writes the data.
  public func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError) {
    switch self {
    case .video(var tag): try tag.syntax(&writer)
    case .audio(var tag): try tag.syntax(&writer)
    case .script(let message): try writer.append(message.bytes())
    case .empty: break
    case .opaque(let data, _): try writer.append(data)
    }
  }

  /// The reason why the data is not read further.
  public var failure: SyntaxError? {
    switch self {
    case .opaque(_, let failure): failure
    case .script(let message): message.failure
    default: nil
    }
  }
}
