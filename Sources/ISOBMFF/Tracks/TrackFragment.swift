// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The part of a movie fragment for one track (`traf`): ISO/IEC 14496-12, 8.8.6.
struct TrackFragment: Sendable {
  var located: LocatedNode
  var header: TrackFragmentHeader
  /// The decoding time of its first sample, in media time (`tfdt`).
  var decodeTime: UInt64?
  var runs: [LocatedNode]
  /// The defaults for its track.
  var extends: TrackExtends?
  /// The offset of its `moof`.
  var movieFragmentStart: Int

  init?(_ traf: LocatedNode, in moof: LocatedNode, extends: [UInt32: TrackExtends]) {
    guard let header = traf.box(at: "tfhd", as: TrackFragmentHeader.self) else { return nil }
    self.header = header
    self.extends = extends[header.trackID]
    located = traf
    movieFragmentStart = moof.node.start
    decodeTime = traf.box(at: "tfdt", as: TrackFragmentDecodeTime.self)?.baseMediaDecodeTime
    runs = traf.children(of: "trun")
  }

  /// The number of samples that its runs announce.
  var sampleCount: Int {
    runs.reduce(0) { $0 + Int($1.box(TrackRun.self)?.sampleCount ?? 0) }
  }

  var defaultDuration: UInt32 {
    header.flags & 0x8 != 0 ? header.defaultSampleDuration : extends?.defaultSampleDuration ?? 0
  }

  var defaultSize: Int {
    Int(header.flags & 0x10 != 0 ? header.defaultSampleSize : extends?.defaultSampleSize ?? 0)
  }

  var defaultFlags: SampleFlags? {
    header.flags & 0x20 != 0 ? header.defaultSampleFlags : extends?.defaultSampleFlags
  }

  var descriptionIndex: Int {
    Int(
      header.flags & 0x2 != 0
        ? header.sampleDescriptionIndex : extends?.defaultSampleDescriptionIndex ?? 1)
  }
}

/// The position of a track fragment in its `moof`, where preceding fragments may determine the offset of its data.
struct FragmentPlace: Sendable {
  var siblings: [TrackFragment]
  var position: Int

  var fragment: TrackFragment { siblings[position] }

  /// Returns all fragments of a file in file order, keyed by track.
  static func all(in tree: BoxTree, extends: [UInt32: TrackExtends]) -> [UInt32: [FragmentPlace]] {
    var found: [UInt32: [FragmentPlace]] = [:]
    for moof in tree.located where moof.node.type == "moof" && !moof.node.isJunk {
      let siblings = moof.children(of: "traf").compactMap {
        TrackFragment($0, in: moof, extends: extends)
      }
      for (position, fragment) in siblings.enumerated() {
        found[fragment.header.trackID, default: []].append(
          FragmentPlace(siblings: siblings, position: position))
      }
    }
    return found
  }
}
