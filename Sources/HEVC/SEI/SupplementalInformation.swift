// SPDX-License-Identifier: MIT

public import ApusBytes

/// Supplemental enhancement information (`sei_rbsp()`): ITU-T H.265, 7.3.2.4.
public struct SupplementalInformation: NALUnitPayload {
  public static let types: [NALUnitType] = [.prefixSEI, .suffixSEI]

  public var messages: [SEIMessage] = []
  private var header = NALUnitHeader(.prefixSEI)
  private var sets = ParameterSets()
  private var payloads: [any SEIPayload.Type] = []

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {
    self.header = header
    self.sets = sets
  }

  fileprivate init(
    in header: NALUnitHeader, sets: ParameterSets, payloads: [any SEIPayload.Type]
  ) {
    self.init(in: header, sets: sets)
    self.payloads = payloads
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading { messages = [] }
    var index = 0
    repeat {
      guard v.isReading || index < messages.count else { break }
      var message = v.isReading ? SEIMessage() : messages[index]
      try v.group("sei_message") { v throws(SyntaxError) in
        try message.syntax(&v, header, sets, payloads)
      }
      if v.isReading {
        messages.append(message)
        // A buffering period selects the set that later messages refer to.
        if let period = message.payload as? BufferingPeriod {
          sets.activeSequenceID = period.bpSeqParameterSetID
        }
      }
      index += 1
    } while v.moreData(index < messages.count)
  }

  /// Returns the first payload of a type.
  public func first<Payload: SEIPayload>(_ type: Payload.Type) -> Payload? {
    for message in messages {
      if let found = message.payload as? Payload { return found }
    }
    return nil
  }
}

extension NALUnit<SupplementalInformation> {
  /// Reads a NAL unit, including emulation prevention bytes.
  ///
  /// - Parameters:
  ///   - payloads: the declarations of further payloads. The first that matches is used, and one of this module only if
  ///     none does, so that each can throw if, for example, a message of user data has another UUID.
  ///   - sets: the parameter sets that the payload may refer to.
  public init(
    _ bytes: [UInt8], payloads: [any SEIPayload.Type], sets: ParameterSets = ParameterSets(),
    limits: Limits = Limits()
  ) {
    self.init(bytes, limits) {
      SupplementalInformation(in: $0, sets: sets, payloads: payloads)
    }
  }
}
