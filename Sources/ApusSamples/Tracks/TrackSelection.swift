// SPDX-License-Identifier: MIT

public import ApusMedia

/// The selection of tracks from an input, and their order.
public struct TrackSelection: Hashable, Sendable {
  /// A track, or all of a kind.
  public struct Choice: Hashable, Sendable {
    /// The family in which tracks are counted.
    public var family: Family
    /// The index among the tracks of the family, from 0; `nil` for all of them.
    public var number: Int?

    /// Creates a choice.
    ///
    /// - Parameter number: the index among the tracks of the family, from 0; `nil` for all of them.
    public init(_ family: Family, _ number: Int? = nil) {
      self.family = family
      self.number = number
    }
  }

  /// Kinds of tracks that are counted together, with the letters that FFmpeg uses for them.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    case video = "v"
    case audio = "a"
    case subtitles = "s"
    case data = "d"

    package init(_ kind: CodedTrack.Kind) {
      self =
        switch kind {
        case .video: .video
        case .audio: .audio
        case .subtitle: .subtitles
        case .timecode, .data: .data
        }
    }
  }

  /// The selected tracks in order; empty for all.
  public var choices: [Choice] = []
  /// The families of which all tracks are kept, whatever is chosen from others.
  public var untouched: Set<Family> = []
  /// The languages of sound and subtitles, in three letters (ISO 639-2); empty for all.
  public var languages: [String] = []

  /// Creates a selection of all tracks.
  public init() {}

  /// Whether all tracks are selected, in their own order.
  public var isEverything: Bool { choices.isEmpty && languages.isEmpty }

  /// Returns the indices of the selected tracks, in order.
  public func indices(in tracks: [CodedTrack]) throws(MediaError) -> [Int] {
    var result = try chosen(in: tracks)
    guard !languages.isEmpty else { return result }
    let spoken = result.filter { Self.hasLanguage(tracks[$0]) }
    result.removeAll {
      Self.hasLanguage(tracks[$0]) && !languages.contains(tracks[$0].language)
    }
    guard result.contains(where: { Self.hasLanguage(tracks[$0]) }) else {
      let known = Set(spoken.map { tracks[$0].language }).sorted().joined(separator: ", ")
      throw MediaError(
        .misuse, of: .input,
        "has no sound or subtitles in \(languages.joined(separator: ", "))"
          + (known.isEmpty ? "" : ", but in \(known)"))
    }
    return result
  }

  private static func hasLanguage(_ track: CodedTrack) -> Bool {
    track.kind == .audio || track.kind == .subtitle
  }

  private func chosen(in tracks: [CodedTrack]) throws(MediaError) -> [Int] {
    guard !choices.isEmpty else { return Array(tracks.indices) }
    var result: [Int] = []
    for choice in choices {
      let all = tracks.indices.filter { Family(tracks[$0].kind) == choice.family }
      let found = choice.number.map { all.indices.contains($0) ? [all[$0]] : [] } ?? all
      guard !found.isEmpty else {
        let there = tracks.labels.joined(separator: ", ")
        throw MediaError(.misuse, of: .input, "has no track \(choice), but \(there)")
      }
      result += found.filter { !result.contains($0) }
    }
    return result
      + tracks.indices.filter {
        untouched.contains(Family(tracks[$0].kind)) && !result.contains($0)
      }
  }
}

extension TrackSelection.Choice: CustomStringConvertible {
  public var description: String {
    family.rawValue + (number.map { ":\($0)" } ?? "")
  }
}

extension [CodedTrack] {
  /// The letter and number that select each track: `v:0`, `a:1`.
  var labels: [String] {
    var counts: [TrackSelection.Family: Int] = [:]
    return map { track in
      let family = TrackSelection.Family(track.kind)
      let number = counts[family, default: 0]
      counts[family] = number + 1
      return "\(TrackSelection.Choice(family, number))"
    }
  }

  /// The names in messages; if there are several of a kind, with the letter and number that select each.
  package var names: [String] {
    let kinds = map(\.kind)
    return zip(self, labels).map { track, label in
      guard kinds.firstIndex(of: track.kind) != kinds.lastIndex(of: track.kind) else {
        return track.name
      }
      return "\(track.name) (\(label)\(track.language == "und" ? "" : ", \(track.language)"))"
    }
  }
}
