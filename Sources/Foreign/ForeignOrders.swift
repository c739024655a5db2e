// SPDX-License-Identifier: MIT

internal import AVC
internal import Bytes
internal import Flow
internal import HEVC

/// What slices say of the order of their pictures, for streams whose times do not say it, and of pictures that are gone.
struct ForeignOrders: Sendable {
  /// One of them is there.
  private var hevc: PictureOrderReader?
  private var avc: AVCOrders?

  /// Returns `nil` for codecs of which it is not read.
  init?(_ codec: String, reorder: Int, limits: Limits) {
    switch codec {
    case "hevc": hevc = PictureOrderReader(limits: limits, checks: true)
    case "h264": avc = AVCOrders(reorder: reorder)
    default: return nil
    }
  }

  /// Takes in the sets of a format.
  mutating func add(_ format: CodedTrack.Format) {
    switch format {
    case .hevc(let record): hevc?.add(record)
    case .avc(let record):
      guard let configuration = try? AVCConfiguration(record) else { return }
      avc?.counter.add(configuration)
    default: break
    }
  }

  /// What shows that pictures are gone, as text.
  var doubts: [String] { hevc?.doubts ?? avc?.check.words ?? [] }

  /// Returns the order of the next access unit in decoding order; `nil` where it cannot be determined.
  mutating func order(of units: [[UInt8]]) throws -> PictureOrder? {
    if let picture = try hevc?.picture(of: units) {
      return PictureOrder(
        count: picture.orderCount, startsSequence: picture.startsSequence, bounds: picture.bounds)
    }
    return try avc?.order(of: units)
  }
}

private struct AVCOrders {
  var counter = AVCPictureOrderCounter()
  var check = AVCPictureCheck()
  /// How many pictures may be decoded before one that is shown before them.
  let reorder: Int

  mutating func order(of units: [[UInt8]]) throws -> PictureOrder? {
    guard let position = try counter.position(of: units) else { return nil }
    check.look(at: units, position, counter)
    var bounds = OutputOrder.Bounds()
    bounds.reorder = position.isDecodingOrder ? 0 : min(reorder, OutputOrder.most)
    return PictureOrder(
      count: position.count, startsSequence: position.startsSequence, bounds: bounds)
  }
}
