// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

extension FLVTracks {
  package static let adtsWarning =
    "audio frames have ADTS headers, which do not belong there and are removed"
}

extension FLVTracks.Item {
  /// The number of bytes of a tag that `takeOffADTS` needs.
  package static let head = 16

  /// Removes the ADTS header that some publishers leave on frames of AAC.
  ///
  /// - Parameters:
  ///   - head: the first bytes of the data of the tag.
  ///   - start: the offset of these bytes in the source.
  mutating func takeOffADTS(_ head: Span<UInt8>, at start: Int) {
    let place = data.range.lowerBound - start
    guard type == .audio, packet.codec == .aac, packet.kind == .frames, place < head.count,
      let header = ADTSHeader(on: head.extracting(place..<head.count), count: data.count)
    else { return }
    adts = header
    data = Extent(data.source, data.range.lowerBound + header.size..<data.range.upperBound)
  }
}
