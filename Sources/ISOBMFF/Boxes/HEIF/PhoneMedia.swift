// SPDX-License-Identifier: MIT

public import ApusBytes

/// The video of a motion photo (`mpvd`): a whole MP4 file after the picture, as specified by Google's Motion Photo
/// format 1.0 and written by Samsung's and Google's phones.
public struct MotionVideo: Box {
  public static let types: [FourCC] = ["mpvd"]
  public var video = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &video, count: nil)
  }
}

/// The data that Samsung's phones store with a picture (`sefd`): records, and a list of them at the end.
public struct SamsungTrailer: Box {
  public static let types: [FourCC] = ["sefd"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
