// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

/// The rules that compare the declarations in the multivariant playlist with the headers and segments of its variants.
extension PresentationRule {
  static let variantRules: [PresentationRule] = [
    PresentationRule(
      "codecs", "RFC 8216, 4.3.4.2", .error,
      "CODECS names every codec of the variant and of its groups, and no other"
    ) { context in
      variants(context) { variant, measured in
        guard !variant.codecs.isEmpty else { return ["has no CODECS"] }
        var found = measured.facts.map(\.codec)
        for member in context.members(variant.audio, .audio) {
          found += context.playlist(member.name)?.facts.map(\.codec) ?? []
        }
        let missing = Set(found.filter { codec in !variant.codecs.contains { isSame($0, codec) } })
        let extra = variant.codecs.filter { codec in
          !["wvtt", "stpp"].contains { codec.hasPrefix($0) }
            && !found.contains { isSame(codec, $0) }
        }
        var words: [String] = []
        if !missing.isEmpty {
          words.append("leaves out \(missing.sorted().joined(separator: ","))")
        }
        if !extra.isEmpty {
          words.append("names \(extra.joined(separator: ",")), which is not used")
        }
        return words.isEmpty
          ? []
          : ["CODECS \(variant.codecs.joined(separator: ",")) " + words.joined(separator: " and ")]
      }
    },
    PresentationRule(
      "codecs-exact", "RFC 6381; 14496-15, Annex E", .warning,
      "profile, tier, level and constraints in CODECS are those of the header"
    ) { context in
      variants(context) { variant, measured in
        guard let codec = measured.video?.codec,
          let declared = variant.codecs.first(where: { isSame($0, codec) }),
          declared.lowercased() != codec.lowercased()
        else { return [] }
        return ["CODECS says \(declared), the header \(codec)"]
      }
    },
    PresentationRule(
      "dolby-vision", apple("multivariant playlist"), .warning,
      "SUPPLEMENTAL-CODECS names Dolby Vision that other players can also play"
    ) { context in
      variants(context) { variant, measured in
        (measured.video?.supplementalCodecs ?? []).filter {
          !variant.supplementalCodecs.contains($0)
        }.map { "SUPPLEMENTAL-CODECS does not name \($0)" }
      }
    },
    PresentationRule(
      "resolution", "RFC 8216, 4.3.4.2", .warning, "RESOLUTION is the size of the pictures"
    ) { context in
      variants(context) { variant, measured in
        let sizes = measured.facts.compactMap(\.size)
        guard let first = sizes.first else { return [] }
        guard let declared = variant.size else { return ["has no RESOLUTION"] }
        // Samples that are not square leave a fraction of a pixel over.
        let isThere = sizes.contains { size in
          abs(declared.width - size.width) <= 2 && abs(declared.height - size.height) <= 2
        }
        return isThere
          ? []
          : [
            "RESOLUTION is \(declared.width)x\(declared.height), the pictures are \(first.width)x\(first.height)"
          ]
      }
    },
    PresentationRule(
      "frame-rate", "RFC 8216, 4.3.4.2", .warning, "FRAME-RATE is that of the pictures, within 1 %"
    ) { context in
      variants(context) { variant, measured in
        guard measured.video != nil, let rate = measured.frameRate else { return [] }
        guard let declared = variant.frameRate else { return ["has no FRAME-RATE"] }
        let value = Double(declared.value) / Double(declared.timescale)
        guard abs(value - rate) > rate * 0.01 else { return [] }
        let shown = Double((rate * 1000).rounded()) / 1000
        return ["FRAME-RATE is \(value), but the video has \(shown) frames per second"]
      }
    },
    PresentationRule(
      "video-range", "RFC 8216bis, 4.4.6.2", .error,
      "VIDEO-RANGE is that of the pictures; SDR if it is missing"
    ) { context in
      variants(context) { variant, measured in
        guard let video = measured.video else { return [] }
        let declared = variant.videoRange ?? "SDR"
        return declared == video.videoRange.rawValue
          ? []
          : [
            (variant.videoRange == nil ? "has no VIDEO-RANGE" : "VIDEO-RANGE is \(declared)")
              + ", the pictures are \(video.videoRange.rawValue)"
          ]
      }
    },
    PresentationRule(
      "bandwidth", "RFC 8216, 4.3.4.2", .error, or: [.warning],
      "BANDWIDTH is at least the measured peak, and (a warning) at most 10 % more"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.variants.compactMap { variant in
        guard let measured = context.playlist(variant.name), measured.playlist.isEnded,
          measured.failures.isEmpty
        else { return nil }
        let sound = peak(of: variant.audio, .audio, beside: measured, context)
        let text = peak(of: variant.subtitles, .subtitles, beside: measured, context)
        let peak = measured.peak + sound + text
        let declared = variant.bandwidth
        guard peak > 0, abs(declared - peak) > peak / 10 else { return nil }
        return PresentationRemark(
          measured.path, "BANDWIDTH is \(declared), but the measured peak is \(peak) bit/s",
          declared > peak ? .warning : nil, fix: "write BANDWIDTH=\(peak)")
      }
    },
    PresentationRule(
      "average-bandwidth", apple("multivariant playlist"), .warning,
      "AVERAGE-BANDWIDTH is present, and within 10 % of the measured rate"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.variants.compactMap { variant in
        guard let measured = context.playlist(variant.name), measured.playlist.isEnded,
          measured.failures.isEmpty
        else { return nil }
        guard let declared = variant.averageBandwidth else {
          return PresentationRemark(measured.path, "has no AVERAGE-BANDWIDTH")
        }
        func average(
          _ group: String?, _ kind: MultivariantPlaylist.Rendition.Kind
        ) -> Int {
          others(group, kind, beside: measured, context).map(\.rates.average).max() ?? 0
        }
        let average =
          measured.rates.average + average(variant.audio, .audio)
          + average(variant.subtitles, .subtitles)
        guard average > 0, abs(declared - average) > average / 10 else { return nil }
        return PresentationRemark(
          measured.path,
          "AVERAGE-BANDWIDTH is \(declared), but the measured rate is \(average) bit/s")
      }
    },
    PresentationRule(
      "key-frame-playlists", apple("trick play"), .warning,
      "there are playlists of key frames (EXT-X-I-FRAME-STREAM-INF) for fast forward"
    ) { context in
      guard let multivariant = context.multivariant, !context.videos.isEmpty,
        multivariant.keyFrameVariants.isEmpty
      else { return [] }
      return [PresentationRemark(context.name, "has no EXT-X-I-FRAME-STREAM-INF")]
    },
    PresentationRule(
      "key-frames-only", "RFC 8216, 4.3.3.6", .error,
      "playlists of EXT-X-I-FRAME-STREAM-INF, and no others, have EXT-X-I-FRAMES-ONLY"
    ) { context in
      context.playlists.compactMap { measured in
        guard measured.playlist.isKeyFramesOnly != (measured.role == .keyFrames),
          context.multivariant != nil
        else { return nil }
        return PresentationRemark(
          measured.path,
          measured.role == .keyFrames
            ? "has no EXT-X-I-FRAMES-ONLY"
            : "has only key frames, but is listed as a regular variant")
      }
    },
  ]

  /// Checks each variant whose playlist could be read.
  private static func variants(
    _ context: PresentationContext,
    _ check: (MultivariantPlaylist.Variant, MeasuredPlaylist) -> [String]
  ) -> [PresentationRemark] {
    context.multivariant?.variants.flatMap { variant -> [PresentationRemark] in
      guard let measured = context.playlist(variant.name), !measured.facts.isEmpty else {
        return []
      }
      return check(variant, measured).map { PresentationRemark(measured.path, $0) }
    } ?? []
  }

  private static func others(
    _ group: String?, _ kind: MultivariantPlaylist.Rendition.Kind,
    beside variant: MeasuredPlaylist, _ context: PresentationContext
  ) -> [MeasuredPlaylist] {
    context.members(group, kind).compactMap { context.playlist($0.name) }.filter {
      $0.path != variant.path
    }
  }

  private static func peak(
    of group: String?, _ kind: MultivariantPlaylist.Rendition.Kind,
    beside variant: MeasuredPlaylist, _ context: PresentationContext
  ) -> Int {
    others(group, kind, beside: variant, context).map(\.peak).max() ?? 0
  }

  /// Returns whether two strings name the same codec with the same profile; HEVC's and AVC's levels may differ.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (first, second) = (one.lowercased(), other.lowercased())
    if first == second { return true }
    let parts = first.split(separator: ".")
    let others = second.split(separator: ".")
    guard parts.first == others.first, parts.count > 1, others.count > 1 else { return false }
    return switch parts[0] {
    case "avc1", "avc3": parts[1].prefix(2) == others[1].prefix(2)
    case "hvc1", "hev1", "dvh1", "dvhe": parts[1] == others[1]
    default: false
    }
  }
}
