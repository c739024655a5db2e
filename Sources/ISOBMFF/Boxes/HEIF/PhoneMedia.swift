// SPDX-License-Identifier: MIT

public import Bytes

/// The video of a motion photo (`mpvd`): a whole MP4 file after the picture, as Google's Motion Photo format
/// 1.0 has it and Samsung's and Google's phones write it.
public struct MotionVideo: Box {
  public static let types: [FourCC] = ["mpvd"]
  public var video = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &video, count: nil)
  }
}

/// What Samsung's phones keep beside a picture (`sefd`): records, and at the end the list of them.
public struct SamsungTrailer: Box {
  public static let types: [FourCC] = ["sefd"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
