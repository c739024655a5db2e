// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts
internal import HEVC
internal import ISOBMFF

/// Determines the types of the first pictures in a track, and their references.
struct TypeReader {
  private var walk: TrackPictures?
  private var order: ReferenceReader?
  private let source: any ByteSource
  private var left = 600

  init(_ track: Track, in source: any ByteSource) {
    self.source = source
    guard let entry = track.sampleEntries.first, entry.type == entry.codingType, !entry.isExternal,
      let record = entry.located.box(at: "hvcC", as: HEVCConfiguration.self)?.record
    else { return }
    walk = TrackPictures(of: track, in: source)
    order = ReferenceReader(lengthSize: record.lengthSize, sets: StreamHeaders(record).sets)
  }

  @inline(__always)
  mutating func next(_ sample: TrackSample) -> Timeline.PictureType? {
    left > 0 ? look(into: sample) : nil
  }

  private mutating func look(into sample: TrackSample) -> Timeline.PictureType? {
    left -= 1
    guard walk != nil, let picture = (try? walk?.next()) ?? nil else {
      left = 0
      return nil
    }
    if sample.range.upperBound <= source.count { order?.add(Extent(source, sample.range)) }
    if let type = picture.nalUnitType, type.isRASL || type.isRADL { return .leading }
    return switch picture.sliceType {
    case .i: .intra
    case .p: .predicted
    case .b: .bidirectional
    case nil: nil
    }
  }

  var pictures: [Timeline.Picture] { order?.finished() ?? [] }
}
