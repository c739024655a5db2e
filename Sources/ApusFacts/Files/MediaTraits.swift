// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// The kind of media, its special properties and its kind of playback.
public struct MediaTraits: Hashable, Sendable {
  /// The kind of media.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case image, video, audio, other
  }

  /// The answer to a question about a file.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    case yes, no
    /// The file does not contain the answer.
    case unknown
  }

  /// The way in which a gallery shows a file.
  public enum Playback: String, Hashable, Sendable, CaseIterable {
    case image, animated
    case livePhoto = "live-photo"
    case video, looping, unsupported
  }

  /// The kind of media; `other` for files that are neither pictures nor recordings.
  public var kind = Kind.other
  /// The answer to whether its pictures have high dynamic range, also by a gain map.
  public var isHDR = Answer.unknown
  /// The answer to whether it contains a depth map.
  public var hasDepth = Answer.unknown
  /// The answer to whether a short video belongs to the picture, or a picture to the short video.
  public var isLive = Answer.unknown
  /// The answer to whether the picture is a panorama.
  public var isPanorama = Answer.unknown
  /// The answer to whether the picture belongs to a burst.
  public var isBurst = Answer.unknown
  /// The answer to whether it has at least 100 frames per second.
  public var isHighFrameRate = Answer.unknown
  /// The way in which a gallery shows it.
  public var playback = Playback.unsupported
  /// The content identifier of a Live Photo, which its picture and video share.
  public var contentIdentifier: String?
  /// The identifier that the pictures of a burst share.
  public var burstIdentifier: String?
  /// Whether it is played in a loop.
  private var isLooping = false
  /// Whether the video of a live picture is in the same file.
  private var hasMotionVideo = false
  /// Whether Apple's software wrote it, which marks special properties.
  private var isApple = false

  init() {}

  /// Every question with its answer, by its name in the output.
  public var answers: [(name: String, answer: Answer)] {
    [
      ("hdr", isHDR), ("depth", hasDepth), ("live", isLive), ("panorama", isPanorama),
      ("burst", isBurst), ("high_frame_rate", isHighFrameRate),
    ]
  }
}

// MARK: - Contents of files

extension MediaTraits {
  /// Adds the items of a file, and the metadata of its primary picture.
  mutating func add(_ file: PhotoFile, _ metadata: SourceMetadata?) {
    guard !file.graph.items.isEmpty else { return }
    kind = .image
    let isDepth = file.graph.items.contains { $0.auxiliaryKind == .depth }
    hasDepth = isDepth ? .yes : .no
    if file.graph.groups.contains(where: { $0.type == "brst" }) { isBurst = .yes }
    if file.graph.groups.contains(where: { $0.type == "pano" }) { isPanorama = .yes }
    // Without a picture, a file has no metadata to be added.
    if let metadata { add(metadata) }
  }

  /// - Parameter blocks: the blocks that the phone appended.
  mutating func add(_ segments: JPEGSegments, _ blocks: SamsungBlocks?, size: Int) {
    kind = .image
    let metadata = segments.metadata
    add(metadata)
    let xmp = metadata.xmp.flatMap(XMPReader.init)
    let items = Set(xmp?.containerItems.map(\.semantic) ?? [])
    let others = segments.others(fileSize: size)
    let isGainMap =
      segments.tellsOfGainMap || items.contains("GainMap")
      || xmp?.value(XMPReader.Namespace.gainMap, "Version") != nil
    let names = blocks?.blocks.map(\.name) ?? []
    if names.contains("MotionPhoto_Data") { hasMotionVideo = true }
    let isDepth = items.contains("Depth") || names.contains { $0.hasPrefix("DualShot_DepthMap") }
    // Other pictures declare their purpose themselves, and are not examined.
    let isOpen = others.count > (isGainMap ? 1 : 0)
    isHDR = isGainMap ? .yes : isOpen ? .unknown : .no
    hasDepth = isDepth ? .yes : isOpen ? .unknown : .no
  }

  /// Adds the metadata of a picture.
  mutating func add(_ metadata: SourceMetadata) {
    if let facts = metadata.exif.flatMap(ExifFacts.init) {
      isApple = facts.make == "Apple"
      contentIdentifier = facts.contentIdentifier
      burstIdentifier = facts.burstIdentifier
      if facts.customRendered == 6, isApple { isPanorama = .yes }
    }
    guard let xmp = metadata.xmp.flatMap(XMPReader.init) else { return }
    let camera = XMPReader.Namespace.googleCamera
    let isMotion = ["MotionPhoto", "MicroVideo"].contains { xmp.value(camera, $0) == "1" }
    if isMotion { hasMotionVideo = true }
    burstIdentifier = burstIdentifier ?? xmp.value(camera, "BurstID")
    if xmp.value(XMPReader.Namespace.panorama, "ProjectionType") != nil { isPanorama = .yes }
  }

  mutating func add(_ movie: Movie) {
    let tracks = movie.tracks.span
    for index in tracks.indices {
      // Bit 0 of an edit list: it is repeated (ISO/IEC 14496-12, 8.6.6).
      if let edits = tracks[index].editList, edits.header.flags & 1 == 1 { isLooping = true }
      if tracks[index].handler == "auxv",
        let kind = tracks[index].sampleEntries.first?.located.child("auxi")?
          .box(AuxiliaryTypeInformation.self)?.auxTrackType.description,
        AuxiliaryKind(urn: kind) == .depth
      {
        hasDepth = .yes
      }
    }
  }

  mutating func add(_ metadata: KeyedMetadata) {
    let apple = "com.apple.quicktime."
    contentIdentifier = contentIdentifier ?? metadata.values[apple + "content.identifier"]
    if metadata.values[apple + "make"] == "Apple" { isApple = true }
    if let rate = metadata.values["com.android.capture.fps"].flatMap(Double.init) {
      isHighFrameRate = rate >= Self.highFrameRate ? .yes : .no
    }
  }

  private static let highFrameRate = 100.0

  /// Derives answers from the other facts.
  mutating func settle(_ overview: Overview) {
    let tracks = overview.tracks
    let pictures = tracks.filter { $0.handler == "pict" }
    let videos = tracks.filter { $0.video != nil && $0.handler == "vide" }
    switch overview.kind {
    case .png, .gif, .bmp, .tiff, .webP, .jpegXL, .jpeg2000: kind = .image
    case .annexB, .flv, .mpegTS, .mpegPS, .matroska, .avi: kind = .video
    case .wave, .adts, .mp3, .ogg: kind = .audio
    default: break
    }
    if kind == .other, !tracks.isEmpty {
      kind =
        !pictures.isEmpty
        ? .image
        : !videos.isEmpty ? .video : tracks.contains { $0.sound != nil } ? .audio : .other
    }
    if overview.motionVideo != nil { hasMotionVideo = true }
    if hasMotionVideo || contentIdentifier != nil { isLive = .yes }
    if burstIdentifier != nil { isBurst = .yes }
    settleColour(overview, videos)
    if kind == .video {
      (isPanorama, isBurst) = (.no, .no)
      if overview.kind == .isoBMFF, hasDepth == .unknown { hasDepth = .no }
    }
    let rates = (videos.map(\.frameRate) + [overview.stream?.frameRate]).compactMap {
      $0?.framesPerSecond
    }
    if kind == .image { isHighFrameRate = .no }
    if isHighFrameRate == .unknown, let rate = rates.max() {
      isHighFrameRate = rate >= Self.highFrameRate ? .yes : .no
    }
    if isApple {
      // Apple's software writes all of these where they apply.
      if isLive == .unknown { isLive = .no }
      if isPanorama == .unknown { isPanorama = .no }
      if isBurst == .unknown { isBurst = .no }
    }
    settlePlayback(overview, pictures)
  }

  private mutating func settleColour(_ overview: Overview, _ videos: [TrackFacts]) {
    var colours = videos.compactMap(\.video?.colour)
    if let stream = overview.stream?.video { colours.append(stream.colour) }
    // Those of a JPEG do not cover the pictures after it.
    if overview.kind != .jpeg, let primary = overview.picture?.primary {
      colours.append(primary.colour)
    }
    let hasGainMap = overview.picture?.hasGainMap == true || overview.gainMap?.headroom != nil
    if hasGainMap || colours.contains(where: { $0.dynamicRange != nil }) {
      isHDR = .yes
    } else if !colours.isEmpty,
      colours.allSatisfy({ $0.codePoints != nil || $0.hasICCProfile })
    {
      isHDR = .no
    }
  }

  /// The kinds of pictures that are examined.
  private static let shown: Set<FileKind> = [.isoBMFF, .jpeg, .png, .webP]

  private mutating func settlePlayback(_ overview: Overview, _ pictures: [TrackFacts]) {
    let isKnown = overview.kind == .jpeg || overview.kind == .isoBMFF || overview.kind == .annexB
    switch kind {
    case .image where Self.shown.contains(overview.kind):
      let isAnimated = pictures.contains { $0.samples.count > 1 }
      playback =
        hasMotionVideo
        ? .livePhoto : isAnimated ? (isLooping ? .looping : .animated) : .image
      // The video of the pair is another file.
      if isLive == .yes, !hasMotionVideo { playback = .livePhoto }
    case .video where isKnown || overview.kind == .flv || !overview.tracks.isEmpty:
      playback = isLooping ? .looping : .video
    default: playback = .unsupported
    }
  }
}

// MARK: - Declaration

extension MediaTraits.Kind: FactValue {}
extension MediaTraits.Answer: FactValue {}
extension MediaTraits.Playback: FactValue {}

extension MediaTraits: Described {
  package static let title = "media"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == MediaTraits {
    v.required("media", "The kind of media.") { $0.kind }
    v.required("playback", "The kind of playback.") { $0.playback }
    v.required("traits", "The special properties.") { Special(traits: $0) }
    v.optional(
      "content_identifier",
      "The content identifier of a Live Photo, which its picture and video share."
    ) {
      $0.contentIdentifier
    }
    v.optional("burst_identifier", "The identifier that the pictures of a burst share.") {
      $0.burstIdentifier
    }
  }

  /// The special properties of a file.
  struct Special: Described {
    var traits: MediaTraits

    static let title = "traits"

    static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Special {
      v.required("hdr", "Whether it is HDR.") { $0.traits.isHDR }
      v.required("depth", "Whether it has a depth map.") { $0.traits.hasDepth }
      v.required("live", "Whether it is a Live Photo or a motion photo.") {
        $0.traits.isLive
      }
      v.required("panorama", "Whether it is a panorama.") { $0.traits.isPanorama }
      v.required("burst", "Whether it belongs to a burst.") { $0.traits.isBurst }
      v.required("high_frame_rate", "Whether it has 100 frames per second or more.") {
        $0.traits.isHighFrameRate
      }
    }
  }
}
