// SPDX-License-Identifier: MIT

public import ApusBytes

/// One track of a movie (`trak`): ISO/IEC 14496-12, 8.3.
public struct Track: Sendable {
  /// The `trak` box, with a path such as `moov/trak[1]`.
  public var located: LocatedNode
  /// The box `tkhd`, if there is a readable one.
  public var header: TrackHeader?
  /// The box `mdhd`, if there is a readable one.
  public var mediaHeader: MediaHeader?
  /// The box `hdlr`, if there is a readable one.
  public var handlerReference: HandlerReference?
  /// The units per second of the movie's timescale.
  public var movieTimescale: UInt32
  /// The sample entries in `stsd`, in file order.
  public var sampleEntries: [TrackSampleEntry] = []
  /// The box `elst`; `nil` if all of the media is presented.
  public var editList: EditList?
  /// Whether the track is in a QuickTime file, in which language number 0 is English.
  public internal(set) var isQuickTime = false
  var fragments: [FragmentPlace] = []
  /// The maximum number of samples to walk: no file has more, but a table of a few bytes can announce billions.
  var mostSamples = Int.max

  init(_ trak: LocatedNode, movieTimescale: UInt32) {
    located = trak
    self.movieTimescale = movieTimescale
    header = trak.box(at: "tkhd")
    editList = trak.box(at: "edts", "elst")
    guard let media = trak.child("mdia") else { return }
    mediaHeader = media.box(at: "mdhd")
    handlerReference = media.box(at: "hdlr")
    let references = media.descendant(by: ["minf", "dinf", "dref"]).map { $0[$1].children } ?? []
    let descriptions = media.child("minf", "stbl", "stsd")?.children ?? []
    sampleEntries = descriptions.filter { !$0.node.isJunk }.enumerated().map {
      TrackSampleEntry(located: $1, index: $0 + 1, references: references)
    }
  }
}

extension Track {
  /// The path of the `trak` box, such as `moov/trak[1]`.
  public var path: String { located.path }
  /// The ID of the track; 0 if `tkhd` is missing or cannot be read.
  public var id: UInt32 { header?.trackID ?? 0 }
  /// The type of the handler, such as `vide`, `soun` or `meta`.
  public var handler: FourCC? { handlerReference?.handlerType }
  /// The units per second of media time.
  public var timescale: UInt32 { mediaHeader?.timescale ?? 0 }

  /// Returns the rows of its edit list, read on demand; empty if all of the media is presented.
  public func edits() throws(SyntaxError) -> [EditList.Edit] {
    do throws(SyntaxError) {
      return try editList?.edits() ?? []
    } catch {
      var error = error
      error.path = path + "/edts/elst"
      throw error
    }
  }

  /// Returns the time in seconds at which media time 0 is presented, according to the first edit that is not empty.
  package func presentationStart() throws(SyntaxError) -> Double {
    var seconds = 0.0
    for edit in try edits() {
      guard edit.mediaTime < 0, movieTimescale > 0 else {
        guard timescale > 0 else { break }
        seconds -= Double(max(edit.mediaTime, 0)) / Double(timescale)
        break
      }
      seconds += Double(edit.segmentDuration) / Double(movieTimescale)
    }
    return seconds
  }

  /// The duration in `mdhd`, in media time and without fragments; `nil` if it is unknown.
  public var duration: UInt64? {
    guard let mediaHeader else { return nil }
    let unknown = mediaHeader.version == 1 ? UInt64.max : UInt64(UInt32.max)
    return mediaHeader.duration == unknown ? nil : mediaHeader.duration
  }

  /// The language in `mdhd` as three letters; `und` if there is none.
  public var language: String {
    guard let code = mediaHeader?.language.code else { return "und" }
    return Language(code: code).letters(isQuickTime: isQuickTime)
  }

  /// The language in `elng` as a tag of RFC 5646.
  public var languageTag: String? {
    let box = located.child("mdia", "elng")?.box(ExtendedLanguage.self)
    return box.map(\.extendedLanguage.description).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The box `stbl`, which contains the sample tables.
  public var sampleTable: LocatedNode? { located.child("mdia", "minf", "stbl") }

  /// Returns all samples in decoding order, first those of the sample table, then those of the fragments.
  public func samples() -> SampleCursor { SampleCursor(self) }

  /// Whether the track has samples in fragments.
  public var isFragmented: Bool { !fragments.isEmpty }

  /// The number of samples that the tables announce, unchecked.
  public var sampleCount: Int {
    let table = sampleTable
    let sizes = table?.box(at: "stsz", as: SampleSizes.self).map { Int($0.sampleCount) }
    let compact = table?.box(at: "stz2", as: CompactSampleSizes.self)?.entries.count
    return fragments.reduce(sizes ?? compact ?? 0) { $0 + $1.fragment.sampleCount }
  }
}
