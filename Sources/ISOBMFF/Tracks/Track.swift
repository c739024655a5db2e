// SPDX-License-Identifier: MIT

public import Bytes

/// One track of a movie (`trak`): ISO/IEC 14496-12, 8.3.
public struct Track: Sendable {
  /// The `trak` box; its path is such as `moov/trak[1]`.
  public var located: LocatedNode
  /// The box `tkhd`, where there is a readable one.
  public var header: TrackHeader?
  /// The box `mdhd`, where there is a readable one.
  public var mediaHeader: MediaHeader?
  /// The box `hdlr`, where there is a readable one.
  public var handlerReference: HandlerReference?
  /// The number of units of the movie's time in a second.
  public var movieTimescale: UInt32
  public var sampleEntries: [TrackSampleEntry] = []
  /// The box `elst`; `nil` where the media is shown as it is.
  public var editList: EditList?
  /// Whether it is in a file of QuickTime's form, in which language number 0 is English.
  public internal(set) var isQuickTime = false
  var fragments: [FragmentPlace] = []
  /// How many samples are walked: no file holds more, but a table of a few bytes announces billions.
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
  public var path: String { located.path }
  public var id: UInt32 { header?.trackID ?? 0 }
  /// The type of the handler: `vide`, `soun`, `meta` …
  public var handler: FourCC? { handlerReference?.handlerType }
  /// The number of units of media time in a second.
  public var timescale: UInt32 { mediaHeader?.timescale ?? 0 }

  /// The rows of its edit list, read when they are asked for; none where the media is shown as it is.
  public func edits() throws(SyntaxError) -> [EditList.Edit] {
    do throws(SyntaxError) {
      return try editList?.edits() ?? []
    } catch {
      var error = error
      error.path = path + "/edts/elst"
      throw error
    }
  }

  /// The duration that `mdhd` states, in media time and without fragments; `nil` where it is unknown.
  public var duration: UInt64? {
    guard let mediaHeader else { return nil }
    let unknown = mediaHeader.version == 1 ? UInt64.max : UInt64(UInt32.max)
    return mediaHeader.duration == unknown ? nil : mediaHeader.duration
  }

  /// The language as three letters, which `mdhd` holds; `und` where it gives none.
  public var language: String {
    guard let code = mediaHeader?.language.code else { return "und" }
    return Language(code: code).letters(isQuickTime: isQuickTime)
  }

  /// The language as RFC 5646 names it, where `elng` says it.
  public var languageTag: String? {
    let box = located.child("mdia", "elng")?.box(ExtendedLanguage.self)
    return box.map(\.extendedLanguage.description).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The box `stbl`, which holds the tables of samples.
  public var sampleTable: LocatedNode? { located.child("mdia", "minf", "stbl") }

  /// Every sample in decoding order, those of the sample table first, then those of the fragments.
  public func samples() -> SampleCursor { SampleCursor(self) }

  /// Whether samples of it are in fragments.
  public var isFragmented: Bool { !fragments.isEmpty }

  /// How many samples the tables announce, before anything is checked.
  public var sampleCount: Int {
    let table = sampleTable
    let sizes = table?.box(at: "stsz", as: SampleSizes.self).map { Int($0.sampleCount) }
    let compact = table?.box(at: "stz2", as: CompactSampleSizes.self)?.entries.count
    return fragments.reduce(sizes ?? compact ?? 0) { $0 + $1.fragment.sampleCount }
  }
}
