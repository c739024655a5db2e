// SPDX-License-Identifier: MIT

public import ApusBytes

/// The values of a script tag, or of a command or data message, one after the other.
///
/// Bytes that cannot be read, or would be written back differently, are kept unchanged after the values before them; so
/// writing reproduces the bytes that were read.
public struct AMFMessage: Sendable, Hashable {
  /// The values that could be read, in order.
  public var values: [AMFValue]
  /// The bytes that are not a value.
  public private(set) var rest: [UInt8] = []
  /// The reason why they are not.
  public private(set) var failure: SyntaxError?

  /// Creates a message to be written.
  public init(_ values: [AMFValue] = []) { self.values = values }

  /// - Parameter offset: the offset of the message in its input, for errors.
  public init(_ bytes: [UInt8], at offset: Int = 0, limits: Limits = Limits()) {
    values = []
    var reader = SyntaxReader(MemorySource(bytes), limits: limits)
    while reader.remaining > 0 {
      let start = reader.position
      do throws(SyntaxError) {
        var value = AMFValue()
        try value.syntax(&reader)
        var writer = SyntaxWriter(ComparingSink(reader, from: start))
        try value.syntax(&writer)
        guard writer.sink.difference == nil, writer.sink.count == reader.position - start else {
          throw reader.failure(.invalid, "value", "would not be written back to the same bytes")
        }
        values.append(value)
      } catch {
        failure = error
        failure?.offset = error.offset.map { $0 + offset }
        rest = Array(bytes[start...])
        return
      }
    }
  }

  /// Returns the bytes of all values, followed by `rest`.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    for var value in values { try value.syntax(&writer) }
    try writer.append(rest)
    return writer.sink.bytes
  }

  /// The name of the command or data message: its first value.
  public var name: String? { values.first?.text }

  /// The members of `onMetaData`, with or without the `@setDataFrame` that publishers put before it.
  public var metadata: AMFObject? {
    let values = name == "@setDataFrame" ? values.dropFirst() : values[...]
    guard values.first?.text == "onMetaData" else { return nil }
    return values.dropFirst().first?.members
  }
}

extension AMFMessage {
  /// Returns `onMetaData` with other members, in an array or object as before; without `@setDataFrame`, and without AMF
  /// 3, after which nothing can follow.
  func replacing(_ object: AMFObject) -> AMFMessage {
    var object = object
    object.isEnded = true
    object.members.removeAll { $0.value.runsToTheEnd }
    let isObject = values.contains { if case .object = $0 { true } else { false } }
    return AMFMessage(["onMetaData", isObject ? .object(object) : .ecmaArray(object)])
  }

  /// The values of an RTMP message in AMF 3 (types 15 and 17): a zero, then AMF 0 up to the first value
  /// that changes to AMF 3.
  public init(amf3Message bytes: [UInt8], limits: Limits = Limits()) {
    self.init(bytes.first == 0 ? Array(bytes.dropFirst()) : bytes, limits: limits)
  }
}
