// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusRecords
internal import HEVC
internal import ISOBMFF

/// The facts about one of several sample descriptions of a track.
public struct SampleDescriptionFacts: Hashable, Sendable {
  /// The type of the sample entry, such as `hvc1`.
  public var type: FourCC
  /// The codec string, such as `hvc1.1.6.L93.B0`.
  public var codec: String
  /// The width; 0 if there are no pictures.
  public var width = 0
  /// The height; 0 if there are no pictures.
  public var height = 0

  init(_ entry: TrackSampleEntry) {
    type = entry.type
    codec = CodecString.of(entry)
    guard let visual = entry.located.box(VisualSampleEntry.self) else { return }
    (width, height) = (Int(visual.width), Int(visual.height))
  }
}

extension SampleDescriptionFacts: Described {
  package static let title = "description"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == SampleDescriptionFacts {
    v.required("sample_entry", "The type of the sample entry.") { $0.type }
    v.required("codec", "The codec string.") { $0.codec }
    v.optional("width", "The width of its pictures.") { $0.width > 0 ? $0.width : nil }
    v.optional("height", "The height of its pictures.") { $0.height > 0 ? $0.height : nil }
  }
}

extension TrackSampleEntry {
  /// The scheme of its encryption; `nil` if it is not encrypted: ISO/IEC 14496-12, 8.12.
  var encryption: String? {
    for scheme in node.children where scheme.type == "sinf" {
      return LocatedNode(scheme).box(at: "schm", as: SchemeType.self)?.schemeType.description
        ?? "unknown"
    }
    return nil
  }

  /// The ID of the default key; `nil` if it is not encrypted, or sample groups name the keys.
  var keyID: String? {
    for scheme in node.children where scheme.type == "sinf" {
      let boxes = LocatedNode(scheme).child("schi")?.node.children ?? []
      let ids = boxes.lazy.compactMap { node in
        switch node.box {
        case let box as TrackEncryption: box.defaultKID
        case let box as PIFFTrackEncryption: box.algorithm.kid
        default: nil
        }
      }
      if let id = ids.first, id.contains(where: { $0 != 0 }) { return Field.uuid(id) }
    }
    return nil
  }
}

extension Track {
  /// Returns the duration of all edits in seconds; `nil` without a readable edit list.
  ///
  /// - Parameter samples: the time range of all samples, for an edit without a duration, as in fragmented movies.
  func presentationDuration(of samples: Range<Int64>?) -> Double? {
    guard let rows = editList?.entries.count, rows <= Self.mostEdits,
      let edits = try? edits(), !edits.isEmpty, movieTimescale > 0, timescale > 0
    else { return nil }
    var seconds = 0.0
    for edit in edits {
      if edit.segmentDuration > 0 {
        seconds += Double(edit.segmentDuration) / Double(movieTimescale)
      } else if edit.mediaTime >= 0, let samples {
        // A track whose first picture is shown late begins late; nothing before it is hidden.
        let start = min(max(edit.mediaTime, samples.lowerBound), samples.upperBound)
        seconds += (Double(samples.upperBound) - Double(start)) / Double(timescale)
      }
    }
    return seconds
  }

  /// The most edits; longer lists are unrealistic, and are not read into memory.
  private static var mostEdits: Int { 1 << 16 }
}
