// SPDX-License-Identifier: MIT

public import Bytes
internal import ISOBMFF

extension ItemGraph {
  /// Where the bytes of an item lie, in order, in the file itself or in `idat` (`iloc`): ISO/IEC 14496-12,
  /// 8.11.3. Empty for an item without a location; throws where bytes lie outside of what is there.
  public func data(of id: UInt32, in source: any ByteSource) throws(SyntaxError) -> [Extent] {
    guard let location = locations[id] else { return [] }
    guard location.dataReferenceIndex == 0 else {
      throw failure(.unsupported, id, "lies in another file")
    }
    let whole: Extent
    switch location.constructionMethod {
    case 0: whole = Extent(source, 0..<source.count)
    case 1:
      guard let itemData else { throw failure(.invalid, id, "lies in idat, which is missing") }
      whole = itemData
    default:
      throw failure(
        .unsupported, id,
        "has construction_method \(location.constructionMethod), known are 0 and 1")
    }
    var extents: [Extent] = []
    for extent in location.extents {
      let (start, overflow) = location.baseOffset.addingReportingOverflow(extent.offset)
      // A length of 0 means all there is.
      let length =
        extent.length == 0 && location.extents.count == 1
        ? UInt64(whole.count).subtractingReportingOverflow(start).partialValue : extent.length
      guard !overflow, start <= UInt64(whole.count), length <= UInt64(whole.count) - start else {
        throw failure(
          .truncated, id,
          "has \(extent.length) bytes at \(start), the data that hold it end at \(whole.count)")
      }
      let lower = whole.range.lowerBound + Int(start)
      extents.append(Extent(whole.source, lower..<lower + Int(length)))
    }
    return extents
  }

  private func failure(_ kind: SyntaxError.Kind, _ id: UInt32, _ detail: String) -> SyntaxError {
    SyntaxError(
      kind, field: "item \(id)", path: locationBox?.path ?? "",
      offset: locationBox?.node.start ?? 0, detail: detail)
  }
}
