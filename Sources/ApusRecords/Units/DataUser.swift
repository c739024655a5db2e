// SPDX-License-Identifier: MIT

package import ApusBytes
package import HEIF
package import ISOBMFF

/// The user of media data.
package enum DataUser: Sendable {
  /// A sample of a track in which media time 0 is presented at this time in seconds.
  case sample(TrackSample, Track, start: Double)
  case item(Item)
  /// A picture of a bare stream, by its number from 1.
  case picture(Int)
}

/// The NAL units of a sample, an item, or a picture of a bare stream.
package struct DataUnits: Sendable {
  package var user: DataUser
  /// The range of the data, which may extend beyond the end of a file that is cut off.
  package var range: Range<Int>
  package var units: [UnitSyntax] = []
  /// The reason why there are no further units.
  package var failure: SyntaxError?

  init(_ user: DataUser, _ range: Range<Int>) {
    self.user = user
    self.range = range
  }

  /// Creates the units of an item; `nil` if its data has none, or is not in one piece.
  package init?(of item: Item, _ graph: ItemGraph, in source: any ByteSource, limits: Limits) {
    guard let setup = UnitReader.of(item, limits: limits),
      let extents = try? graph.data(of: item.id, in: source), extents.count == 1,
      extents[0].source === source
    else { return nil }
    self.init(.item(item), extents[0].range)
    var reader = setup.reader
    var units = SampleUnits(in: extents[0], lengthSize: setup.lengthSize)
    do throws(SyntaxError) {
      while let unit = try units.next() { self.units.append(try reader.next(unit.bytes)) }
    } catch {
      failure = error
    }
  }
}
