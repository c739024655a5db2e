// SPDX-License-Identifier: MIT

package import ApusBytes
internal import HEIF
package import ISOBMFF

/// The user of a byte of media data, and the NAL unit in it that contains the byte.
package struct ByteUser: Sendable {
  package var user: DataUser
  /// The ranges of the bytes of the user in the file.
  package var ranges: [Range<Int>]
  /// The NAL unit that contains the byte; `nil` if it is in no NAL unit, such as in a length, or the data has none.
  package var unit: UnitSyntax?
  /// The reason why the data could not be divided into NAL units as far as the byte.
  package var failure: SyntaxError?
  /// The number of bytes before each NAL unit; `nil` if the data has none.
  package var lengthSize: Int?

  /// Whether it is a sample that is encrypted or restricted.
  package var isProtected: Bool {
    guard case .sample(let sample, let track, _) = user else { return false }
    return track.sampleEntries.contains { $0.index == sample.descriptionIndex && $0.isProtected }
  }

  private init(_ user: DataUser, _ ranges: [Range<Int>]) {
    self.user = user
    self.ranges = ranges
  }

  /// Returns the user of a byte; `nil` if no sample or item uses it. The first track or item that does is returned.
  package init?(of offset: Int, in tree: BoxTree, limits: Limits = Limits()) throws(SyntaxError) {
    let movie = Movie(tree)
    var failure: SyntaxError?
    for track in movie.tracks {
      do throws(SyntaxError) {
        guard let sample = try Self.sample(at: offset, of: track) else { continue }
        let units = TrackUnits(of: track, in: tree.source, limits: limits)
        self.init(.sample(sample, track, start: units.start), [sample.range])
        addUnit(at: offset, of: sample, track, units)
        return
      } catch {
        // The samples of other tracks may be readable.
        failure = failure ?? error
      }
    }
    let graph = ItemGraph(tree)
    for item in graph.items {
      let extents: [Extent]
      do throws(SyntaxError) {
        extents = try graph.data(of: item.id, in: tree.source)
      } catch {
        failure = failure ?? error
        continue
      }
      let ranges = extents.filter { $0.source === tree.source }.map(\.range)
      guard ranges.contains(where: { $0.contains(offset) }) else { continue }
      self.init(.item(item), ranges)
      addUnit(at: offset, of: item, tree.source, limits)
      return
    }
    if let failure { throw failure }
    return nil
  }

  /// Returns the picture of a bare stream that contains a byte; `nil` if the byte precedes the first.
  package init?(
    of offset: Int, inStream source: any ByteSource, isAVC: Bool, limits: Limits = Limits()
  )
    throws(SyntaxError)
  {
    var stream = StreamUnits(in: source, isAVC: isAVC, limits: limits)
    while let picture = try stream.next() {
      guard offset < picture.range.upperBound else { continue }
      guard offset >= picture.range.lowerBound else { return nil }
      self.init(picture.user, [picture.range])
      unit = picture.units.first { $0.range.contains(offset) }
      return
    }
    return nil
  }

  private static func sample(at offset: Int, of track: Track) throws(SyntaxError) -> TrackSample? {
    var cursor = track.samples()
    while let run = try cursor.nextRun(upTo: .max) {
      guard run.range.contains(offset) else { continue }
      let number = run.first.size > 0 ? (offset - run.first.offset) / run.first.size : 0
      let sample = number > 0 ? run.dropping(number).first : run.first
      let isExternal =
        track.sampleEntries.first { $0.index == sample.descriptionIndex }?.isExternal ?? false
      if !isExternal { return sample }
    }
    return nil
  }

  /// Finds the NAL unit. Earlier samples are passed, because they may contain parameter sets.
  private mutating func addUnit(
    at offset: Int, of sample: TrackSample, _ track: Track, _ units: TrackUnits
  ) {
    var units = units
    guard let lengthSize = units.lengthSize(of: sample) else { return }
    self.lengthSize = lengthSize
    var cursor = track.samples()
    while let earlier = (try? cursor.next()) ?? nil, earlier.index < sample.index {
      // Unreadable parameter sets there are missing here.
      try? units.pass(earlier)
    }
    do throws(SyntaxError) {
      try units.forEach(in: sample) { unit throws(SyntaxError) in keep(unit, offset) }
    } catch {
      if unit == nil { failure = error }
    }
  }

  private mutating func addUnit(
    at offset: Int, of item: Item, _ source: any ByteSource, _ limits: Limits
  ) {
    // Positions in data of several pieces would not be those in the file.
    guard ranges.count == 1, let setup = UnitReader.of(item, limits: limits) else { return }
    var reader = setup.reader
    lengthSize = setup.lengthSize
    var units = SampleUnits(in: Extent(source, ranges[0]), lengthSize: setup.lengthSize)
    do throws(SyntaxError) {
      while unit == nil, let next = try units.next() { keep(try reader.next(next.bytes), offset) }
    } catch {
      if unit == nil { failure = error }
    }
  }

  private mutating func keep(_ found: UnitSyntax, _ offset: Int) {
    if found.range.lowerBound - (lengthSize ?? 0) <= offset, offset < found.range.upperBound {
      unit = found
    }
  }
}
