// SPDX-License-Identifier: MIT

internal import HEVC

/// A slice segment whose header was read.
struct CodedSlice {
  var header: SliceSegmentHeader
  var data: [UInt8]
  /// The offsets of the removed emulation prevention bytes, with those bytes counted.
  var removed: [Int]

  /// The offsets in the data of all parts but the first, according to the entry points: 7.4.7.1. Entry points also
  /// count the removed bytes.
  var entries: [Int] {
    var (offset, passed) = (0, 0)
    return header.entryPoints.entryPointOffsetMinus1.map { length in
      offset += Int(length) + 1
      while passed < removed.count, removed[passed] < offset { passed += 1 }
      return offset - passed
    }
  }
}
