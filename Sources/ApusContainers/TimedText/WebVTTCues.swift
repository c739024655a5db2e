// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusMedia
package import ApusSamples

/// Makes cues of WebVTT from the samples of a text track.
package struct WebVTTCues: Sendable {
  private enum Form: Sendable {
    case markup(TextMarkup)
    /// Timed text (`tx3g`): 3GPP TS 26.245.
    case timedText
    /// WebVTT in a movie (`wvtt`): ISO/IEC 14496-30, 7.
    case boxes
  }

  private let form: Form
  /// The cues that are complete.
  package private(set) var cues: [WebVTTCue] = []
  /// The cues that last until something follows.
  private var open: [WebVTTCue] = []

  /// Returns `nil` where the samples are not a known kind of text.
  package init?(_ track: CodedTrack) {
    guard track.kind == .subtitle else { return nil }
    if let markup = TextMarkup(track) {
      form = .markup(markup)
    } else if case .other(let type, _) = track.format, type == TimedTextTrack.type {
      form = .timedText
    } else if case .other(let type, _) = track.format, type == "wvtt" {
      form = .boxes
    } else {
      return nil
    }
  }

  package mutating func add(_ sample: CodedSample) throws {
    let start = sample.presentationTime
    close(at: start)
    let bytes = try sample.payload.bytes()
    let texts: [(text: String, settings: String)] =
      switch form {
      case .markup(.webVTT): [(Self.cueText(String(decoding: bytes, as: UTF8.self)), "")]
      case .markup(let markup): [(markup.text(bytes).webVTT, "")]
      case .timedText: [(StyledText(sample: bytes).webVTT, "")]
      case .boxes: try Self.boxed(bytes)
      }
    for (text, settings) in texts where !text.isEmpty {
      var cue = WebVTTCue(start: start, end: start, settings: settings, text: text)
      if let length = sample.duration, length.value > 0 {
        cue.end = try start.later(by: length)
        cues.append(cue)
      } else {
        open.append(cue)
      }
    }
  }

  /// Ends the cues that last until something follows.
  package mutating func close(at time: RationalTime) {
    for var cue in open where cue.start.isBefore(time) {
      cue.end = time
      cues.append(cue)
    }
    open = []
  }

  /// Returns the text of a cue without what would end it: empty lines, and the arrow.
  private static func cueText(_ text: String) -> String {
    let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    return lines.map(String.init).filter { line in
      line.utf8.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0 }
    }.joined(separator: "\n").with("--&gt;", for: "-->")
  }

  /// Returns the cues of `vttc` boxes: their text (`payl`) and settings (`sttg`).
  private static func boxed(_ bytes: [UInt8]) throws -> [(text: String, settings: String)] {
    var result: [(String, String)] = []
    for cue in boxes(bytes[...]) where cue.type == "vttc" {
      let parts = boxes(cue.body)
      func text(_ type: FourCC) -> String {
        parts.first { $0.type == type }.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
      }
      let settings = text("sttg").with(" ", for: "\n")
      result.append((cueText(text("payl")), settings))
    }
    return result
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(
    type: FourCC, body: ArraySlice<UInt8>
  )] {
    var result: [(FourCC, ArraySlice<UInt8>)] = []
    var rest = bytes
    while rest.count >= 8 {
      let size = Int(bigEndianBytes: rest.prefix(4))
      guard size >= 8, size <= rest.count else { break }
      result.append((FourCC(rest.dropFirst(4).prefix(4)), rest.prefix(size).dropFirst(8)))
      rest = rest.dropFirst(size)
    }
    return result
  }
}
