// SPDX-License-Identifier: MIT

public import ApusBytes
public import FLV

/// A command message, its answer, or a status: RTMP 1.0, 7.1.1 and 7.2.
public struct Command: Hashable, Sendable {
  /// The name of the command, such as `connect`, or of an answer: `_result`, `_error` or `onStatus`.
  public var name: String
  /// The number of the command to which an answer belongs; 0 if none is expected.
  public var transaction: Double
  /// The values after it: the command object, and the arguments.
  public var values: [AMFValue]

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - transaction: the number that its answer will repeat; 0 if none is expected.
  ///   - values: the command object, and the arguments.
  public init(_ name: String, _ transaction: Double, _ values: [AMFValue]) {
    self.name = name
    self.transaction = transaction
    self.values = values
  }

  /// Limits for the values of one message from a peer.
  static let limits: Limits = {
    var limits = Limits()
    limits.elements = 10_000
    limits.bytes = 1 << 20
    return limits
  }()

  /// Reads a message of type 20, or of type 17, which begins with a zero.
  public init(_ message: Message) throws(SessionError) {
    let values =
      message.type == .commandAMF3
      ? AMFMessage(amf3Message: message.payload, limits: Self.limits)
      : AMFMessage(message.payload, limits: Self.limits)
    if let failure = values.failure, failure.kind == .limit {
      throw SessionError(.limit, "a command cannot be read: \(failure)")
    }
    guard let name = values.name else {
      throw SessionError(
        .protocol,
        "a command has no name" + (values.failure.map { ": \($0)" } ?? ""))
    }
    self.name = name
    transaction = values.values.dropFirst().first?.number ?? 0
    self.values = Array(values.values.dropFirst(2))
  }

  /// Returns the payload of a message of type 20 (AMF 0).
  public func bytes() throws(SyntaxError) -> [UInt8] {
    try AMFMessage([.text(name), .number(transaction)] + values).bytes()
  }

  /// Returns the argument after the command object.
  func argument(_ index: Int) -> AMFValue? {
    values.indices.contains(index + 1) ? values[index + 1] : nil
  }
}
