// SPDX-License-Identifier: MIT

internal import HEVC
internal import Media

/// The place of a row of coding tree blocks in the slice data, as the entry points of its slice segment announce it.
struct CodedRow {
  /// The slice segment, by its place in the picture.
  let segment: Int
  /// What the header of the slice says.
  let slice: SliceState
  /// The first byte in the data of the segment.
  let start: Int
  /// The offset at which the next row of the segment begins; `nil` for the last one, which ends with the data.
  let end: Int?

  /// The rows of a picture, top to bottom, where each can be found before those above it are read: `nil` without
  /// wavefronts, where segments begin within rows, where entry points are left out, or where a row begins with more
  /// than context variables of the one above.
  ///
  /// Nothing here is believed: a row that does not end where the next begins is found out when it is read.
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
        // Reading the segments one after the other shows what is wrong, and where.
        return nil
      }
      let slice = reader.slice
      // `CuQpOffsetCb` goes on from row to row.
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
  /// Returns the offset at which the data begin, and those at which the entry points say that parts of them do; `nil`
  /// where these do not lie in the data one after the other.
  func rowStarts() -> [Int]? {
    var starts = [0]
    for start in entries {
      guard start > starts[starts.count - 1], start < data.count else { return nil }
      starts.append(start)
    }
    return starts
  }
}
