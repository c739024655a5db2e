// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEVC

/// The position of a row of coding tree blocks in the slice data, according to the entry points of its slice segment.
struct CodedRow {
  /// The index of the slice segment in the picture.
  let segment: Int
  /// The contents of the slice header.
  let slice: SliceState
  /// The offset of the first byte in the data of the segment.
  let start: Int
  /// The offset of the segment's next row; `nil` for the last one, which ends with the data.
  let end: Int?

  /// Returns the rows of a picture from top to bottom, if each can be found without reading those above it; `nil`
  /// without wavefronts, if segments begin within rows, if there are no entry points, or if a row depends on more than
  /// the context variables of the one above.
  ///
  /// The positions are not trusted: a row that does not end where the next one begins is detected when it is read.
  static func rows(
    of segments: [CodedSlice], _ reader: inout SliceDataReader
  ) -> [CodedRow]? {
    let layout = reader.parameters.layout
    guard reader.parameters.usesWavefronts, layout.rows > 1 else { return nil }
    var rows: [CodedRow] = []
    for (index, segment) in segments.enumerated() {
      let header = segment.header
      let address = Self.address(of: segment)
      let next = index + 1 < segments.count ? Self.address(of: segments[index + 1]) : layout.count
      guard address == rows.count * layout.columns, next > address, next <= layout.count,
        next % layout.columns == 0
      else { return nil }
      do throws(MediaError) {
        if header.dependentSliceSegmentFlag {
          guard reader.parameters.hasDependentSlices else { return nil }
          reader.usage.dependentSlices += 1
        } else {
          try reader.beginSlice(header, at: address)
        }
      } catch {
        // Reading the segments in sequence finds the error and its position.
        return nil
      }
      let slice = reader.slice
      // The value of `CuQpOffsetCb` continues from row to row.
      guard !slice.hasChromaQPOffsets, let starts = segment.rowStarts(),
        starts.count == (next - address) / layout.columns
      else { return nil }
      for (place, start) in starts.enumerated() {
        let end = place + 1 < starts.count ? starts[place + 1] : nil
        rows.append(CodedRow(segment: index, slice: slice, start: start, end: end))
      }
    }
    return rows.count == layout.rows ? rows : nil
  }

  private static func address(of segment: CodedSlice) -> Int {
    segment.header.firstSliceSegmentInPicFlag ? 0 : Int(segment.header.sliceSegmentAddress)
  }
}

extension CodedSlice {
  /// Returns the offset of the data and those of its parts according to the entry points; `nil` if the offsets are not
  /// in ascending order within the data.
  func rowStarts() -> [Int]? {
    var starts = [0]
    for start in entries {
      guard start > starts[starts.count - 1], start < data.count else { return nil }
      starts.append(start)
    }
    return starts
  }
}
