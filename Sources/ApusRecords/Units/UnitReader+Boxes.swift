// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
package import HEIF
internal import HEVC
package import ISOBMFF

extension UnitReader {
  /// A reader, and the number of bytes before each NAL unit.
  package typealias Setup = (reader: UnitReader, lengthSize: Int)

  /// Returns a reader of the samples of an entry; `nil` if they do not consist of NAL units, are in another file, or are
  /// protected: then even their headers may be encrypted.
  package static func of(_ entry: TrackSampleEntry, limits: Limits = Limits()) -> Setup? {
    guard !entry.isExternal, !entry.isProtected else { return nil }
    return of(
      entry.located.box(at: "hvcC"), entry.located.box(at: "lhvC"), entry.located.box(at: "avcC"),
      limits)
  }

  /// Returns a reader of an item's data; `nil` if that does not consist of NAL units.
  package static func of(_ item: Item, limits: Limits = Limits()) -> Setup? {
    of(
      item.property(HEVCConfiguration.self), item.property(LayeredHEVCConfiguration.self),
      item.property(AVCConfiguration.self), limits)
  }

  private static func of(
    _ base: HEVCConfiguration?, _ layered: LayeredHEVCConfiguration?, _ avc: AVCConfiguration?,
    _ limits: Limits
  ) -> Setup? {
    if base != nil || layered != nil {
      let record = base?.record ?? DecoderConfigurationRecord()
      let size = base?.record.lengthSizeMinusOne ?? layered?.record.lengthSizeMinusOne ?? 3
      return (UnitReader(record, layered?.record, limits: limits), Int(size) + 1)
    }
    return avc.map { (UnitReader($0, limits: limits), Int($0.lengthSizeMinusOne) + 1) }
  }
}
