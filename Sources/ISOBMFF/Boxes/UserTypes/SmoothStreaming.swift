// SPDX-License-Identifier: MIT

public import ApusBytes

/// The time of a fragment of Smooth Streaming (`tfxd`): [MS-SSTR] 2.2.4.4.
public struct SmoothFragmentTime: FullBox {
  public static let types: [FourCC] = []
  public static let userTypes = [UserType("6d1d9b05-42d5-44e6-80e2-141daff757b2", "tfxd")]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var time = SmoothTime()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try time.syntax(&v, bits: version == 0 ? 32 : 64)
  }
}

/// The times of the fragments that follow one of Smooth Streaming (`tfrf`): [MS-SSTR] 2.2.4.5.
public struct SmoothFragmentReferences: FullBox {
  public static let types: [FourCC] = []
  public static let userTypes = [UserType("d4807ef2-ca39-4695-8e54-26cb9e46a79f", "tfrf")]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var fragments: [SmoothTime] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 0 ? 32 : 64
    let count = try v.count(8, "fragment_count", fragments.count)
    try v.list("fragments", &fragments, count: count) { time, v throws(SyntaxError) in
      try time.syntax(&v, bits: bits)
    }
  }
}

/// The start and the duration of a fragment, in units of the track's timescale.
public struct SmoothTime: Blank, Hashable, Sendable {
  public var absoluteTime: UInt64 = 0
  public var duration: UInt64 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, bits: Int) throws(SyntaxError) {
    try v.u(bits, "fragment_absolute_time", &absoluteTime)
    try v.u(bits, "fragment_duration", &duration)
  }
}
