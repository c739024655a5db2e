// SPDX-License-Identifier: MIT

public import ApusBytes

/// Supplemental enhancement information (`sei_rbsp()`): ITU-T H.265, 7.3.2.4.
public struct SupplementalInformation: NALUnitPayload {
  public static let types: [NALUnitType] = [.prefixSEI, .suffixSEI]

  public var messages: [SEIMessage] = []
  private var header = NALUnitHeader(.prefixSEI)
  private var sets = ParameterSets()

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {
    self.header = header
    self.sets = sets
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading { messages = [] }
    var index = 0
    repeat {
      guard v.isReading || index < messages.count else { break }
      var message = v.isReading ? SEIMessage() : messages[index]
      try v.group("sei_message") { v throws(SyntaxError) in
        try message.syntax(&v, header, sets)
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
