// SPDX-License-Identifier: MIT

package import ApusBytes

/// IPTC-NAA metadata: records of the Information Interchange Model, either bare or in Photoshop resources.
package enum IPTC {
  /// Returns Photoshop resources that contain the records.
  static func resources(holding iptc: [UInt8]) -> [UInt8] {
    if iptc.starts(with: JPEGSegment.photoshop) {
      return Array(iptc.dropFirst(JPEGSegment.photoshop.count))
    }
    if iptc.starts(with: ImageResource.signature) { return iptc }
    let size = ByteOrder.big.bytes(UInt32(clamping: iptc.count))
    return ImageResource.signature + ByteOrder.big.bytes(ImageResource.iptc) + [0, 0] + size + iptc
      + (iptc.count % 2 == 0 ? [] : [0])
  }

  /// Returns the records, whether bare or in resources.
  package static func records(of iptc: [UInt8]) throws(SyntaxError) -> [UInt8] {
    if iptc.first == DataSet.marker { return iptc }
    var reader = SyntaxReader(MemorySource(resources(holding: iptc)))
    var resources: [ImageResource] = []
    try reader.list("resources", &resources, count: nil)
    // Programs that add records to those of another sometimes write a separate resource.
    return resources.filter { $0.id == ImageResource.iptc }.flatMap(\.data)
  }

  /// Returns the metadata without names of places.
  static func withoutLocation(_ iptc: [UInt8]) throws(SyntaxError) -> [UInt8] {
    try changingRecords(of: iptc, recordsWithoutLocation)
  }

  /// Returns the metadata with changed records, bare or in resources as it was.
  static func changingRecords(
    of iptc: [UInt8], _ change: ([UInt8]) throws(SyntaxError) -> [UInt8]
  ) throws(SyntaxError) -> [UInt8] {
    if iptc.first == DataSet.marker { return try change(iptc) }
    var reader = SyntaxReader(MemorySource(resources(holding: iptc)))
    var resources: [ImageResource] = []
    try reader.list("resources", &resources, count: nil)
    // The digest of the records would no longer match.
    resources.removeAll { $0.id == ImageResource.digest }
    for index in resources.indices where resources[index].id == ImageResource.iptc {
      resources[index].data = try change(resources[index].data)
    }
    var writer = SyntaxWriter(ArraySink())
    try writer.list("resources", &resources, count: nil)
    return writer.sink.bytes
  }

  private static func recordsWithoutLocation(_ records: [UInt8]) throws(SyntaxError) -> [UInt8] {
    var reader = SyntaxReader(MemorySource(records))
    var kept: [UInt8] = []
    while reader.remaining > 0 {
      let start = reader.position
      // The records may be padded with zeros.
      if records[start...].allSatisfy({ $0 == 0 }) { break }
      var dataSet = DataSet()
      try dataSet.syntax(&reader)
      if !dataSet.isLocation { kept += records[start..<reader.position] }
    }
    return kept
  }
}
