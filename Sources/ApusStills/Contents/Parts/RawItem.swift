// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// An item in its coded form.
struct RawItem {
  /// The extension of the item's output file.
  var pathExtension: String
  var data: [Extent]
  /// The decoder configuration record of HEVC.
  var record: [UInt8] = []

  init(_ id: UInt32, of file: PhotoFile) throws {
    guard let item = file.graph.item(id) else {
      throw MediaError(.misuse, "item \(id) is not in the file")
    }
    let inputs = item.targets("dimg")
    guard inputs.isEmpty else {
      let names = inputs.prefix(4).map(String.init).joined(separator: ", ")
      throw MediaError(
        .unsupported,
        "item \(id) (\(item.type)) has no coded data; it is derived from the items " + names
          + (inputs.count > 4 ? " …" : ""), remedy: .item)
    }
    data = try file.graph.data(of: id, in: file.tree.source)
    guard let box = item.property(HEVCConfiguration.self) else {
      pathExtension = Self.extensions["\(item.type)"] ?? "bin"
      return
    }
    let record = box.record
    let count = data.reduce(0) { $0 + $1.count }
    guard count <= file.limits.codedBytes else {
      throw MediaError(
        .limit, "item \(id) has \(count) bytes; the limit coded-bytes is \(file.limits.codedBytes)")
    }
    var sample: [UInt8] = []
    for extent in data { sample += try extent.bytes() }
    let units = try LengthPrefixed.nalUnits(
      in: sample, lengthSize: Int(record.lengthSizeMinusOne) + 1)
    let stream = AnnexB.bytes(of: record.arrays.flatMap(\.nalUnits) + units)
    pathExtension = "hevc"
    self.record = try record.bytes()
    data = [Extent(stream)]
  }

  private static let extensions = ["av01": "obu", "jpeg": "jpg", "avc1": "avc", "mime": "bin"]
}
