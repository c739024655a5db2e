// SPDX-License-Identifier: MIT

@testable import RTMP

/// The same numbers in each run (SplitMix64).
struct Seeded: RandomNumberGenerator, Sendable {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

/// How bytes are cut on their way.
enum Cut: Sendable, CustomStringConvertible {
  case whole
  case every(Int)
  case random(UInt64)

  var description: String {
    switch self {
    case .whole: "whole"
    case .every(let size): "pieces of \(size)"
    case .random(let seed): "random pieces \(seed)"
    }
  }

  func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    switch self {
    case .whole: return [bytes]
    case .every(let size):
      return stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
    case .random(let seed):
      var random = Seeded(seed)
      var pieces: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let size = Bool.random(using: &random) ? 1...7 : 1...5000
        let end = min(start + .random(in: size, using: &random), bytes.count)
        pieces.append(Array(bytes[start..<end]))
        start = end
      }
      return pieces
    }
  }
}
