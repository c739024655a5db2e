// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The companions of decoded pictures that stay right in another encoding, with the changes that this takes.
struct KeptCompanions {
  /// The configuration of Dolby Vision that the encoded pictures still have.
  private(set) var dolbyVision: DolbyVision?
  private var changes = ReferenceProcessingUnit.Changes()
  /// The size of pictures before filters.
  private var size = (width: 0, height: 0)
  /// Whether decoded pictures have dynamic metadata of HDR10+, and whether these stay right.
  private var hasMessages = false
  private var keepsMessages = false
  /// The reason why Dolby Vision is lost; `nil` if it is not, or that was known before.
  private var refusal: String?

  /// Examines a picture before filters get it.
  mutating func note(_ decoded: VideoFrame) {
    size = (decoded.width, decoded.height)
    hasMessages = hasMessages || !PictureCompanions(decoded.companion).messages.isEmpty
  }

  /// Decides what is kept in HEVC.
  ///
  /// - Parameters:
  ///   - vision: the configuration of Dolby Vision, if the settings leave it right.
  ///   - hasLayer: whether the pictures had an enhancement layer.
  ///   - first: the companions of the first picture.
  mutating func begin(
    _ vision: DolbyVision?, hasLayer: Bool, _ video: VideoSettings, _ format: PictureFormat,
    isPQ: Bool, first: PictureCompanions
  ) {
    keepsMessages = isPQ
    changes.dropsEnhancementLayer = hasLayer
    changes.frame = video.frame(of: size, as: (format.width, format.height))
    guard let vision else { return }
    do throws(SyntaxError) {
      _ = try first.changed(changes)
      dolbyVision = vision
    } catch {
      refusal = "Dolby Vision is lost, because its mapping \(error.detail)"
    }
  }

  /// The losses so far, as text.
  var losses: [String] {
    let isLost = hasMessages && !keepsMessages
    return [refusal, isLost ? "dynamic metadata (HDR10+) are lost" : nil].compactMap(\.self)
  }

  /// Returns those companions of a picture that stay right.
  func kept(_ companions: PictureCompanions, at time: RationalTime) throws(MediaError)
    -> PictureCompanions
  {
    var kept = companions
    if dolbyVision == nil { kept.mappings = [] }
    if !keepsMessages { kept.messages = [] }
    do throws(SyntaxError) {
      return try kept.changed(changes)
    } catch {
      throw MediaError(
        .unsupported, "the mapping of Dolby Vision cannot be adapted: it \(error.detail)", at: time)
    }
  }
}
