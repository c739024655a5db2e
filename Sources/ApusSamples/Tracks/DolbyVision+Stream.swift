// SPDX-License-Identifier: MIT

package import ApusMedia
package import HEVC

/// The configuration of Dolby Vision derived from a stream whose container does not declare it.
package enum FoundDolbyVision: Hashable, Sendable {
  case proven(DolbyVision)
  /// There are reference processing units, but they prove no configuration for this reason.
  case doubtful(String)

  /// Returns `nil` if the picture has no reference processing unit.
  ///
  /// - Parameters:
  ///   - nalUnits: the NAL units of the first picture.
  ///   - headers: the contents of its parameter sets and messages.
  ///   - rate: pictures per second.
  package init?(_ nalUnits: [[UInt8]], _ headers: StreamHeaders, rate: Double?) {
    let units = DolbyVisionUnits(nalUnits)
    guard units.count > 0 else { return nil }
    guard let sequence = headers.baseSequences.first else {
      self = .doubtful("belong to no sequence parameter set")
      return
    }
    switch units.profile(bitDepth: sequence.bitDepthLuma) {
    case .unknown(let reason): self = .doubtful(reason)
    case .known(let profile): self.init(profile, sequence, headers, rate, units)
    case nil: return nil
    }
  }

  private init(
    _ profile: UInt8, _ sequence: SequenceParameterSet, _ headers: StreamHeaders, _ rate: Double?,
    _ units: DolbyVisionUnits
  ) {
    guard let rate, rate > 0 else {
      self = .doubtful("have a level that depends on the frame rate, which is unknown")
      return
    }
    let size = sequence.displaySize ?? sequence.format.codedSize
    guard let level = DolbyVision.level(width: size.width, height: size.height, rate: rate) else {
      self = .doubtful("are for pictures beyond every level")
      return
    }
    var found = DolbyVision(profile: profile, level: level)
    found.hasEnhancementLayer = units.hasEnhancementLayer
    if profile != 5 {
      guard let compatibility = Self.compatibility(profile, sequence, headers) else {
        self = .doubtful(
          "are of profile \(profile), but the colours of the base layer do not tell which other players it is for"
        )
        return
      }
      found.compatibility = compatibility
    }
    self = .proven(found)
  }

  /// Returns the compatibility that the colours of the base layer prove: Dolby Vision Profiles and Levels 1.3.2, 2.1.
  private static func compatibility(
    _ profile: UInt8, _ sequence: SequenceParameterSet, _ headers: StreamHeaders
  ) -> UInt8? {
    guard sequence.vuiParametersPresentFlag, sequence.vui.colourDescriptionPresentFlag else {
      return nil
    }
    let usability = sequence.vui
    let transfer =
      headers.first(AlternativeTransferCharacteristics.self)?.preferredTransferCharacteristics
      ?? usability.transferCharacteristics
    switch (profile, usability.colourPrimaries, transfer) {
    case (7, 9, 16): return 6
    case (8, 9, 16): return 1
    case (8, 1, 1): return 2
    case (8, 9, 18): return 4
    default: return nil
    }
  }
}

extension PictureTraits {
  /// Adds the configuration derived from the first picture if the container does not declare one.
  ///
  /// - Returns: a warning for the user if no configuration can be derived.
  package mutating func completeDolbyVision(
    _ nalUnits: [[UInt8]], _ headers: StreamHeaders, rate: Double?
  ) -> String? {
    guard dolbyVision == nil else { return nil }
    switch FoundDolbyVision(nalUnits, headers, rate: rate) {
    case .proven(let found): dolbyVision = found
    case .doubtful(let reason):
      return "the pictures carry Dolby Vision (RPUs), but the RPUs \(reason), so no configuration "
        + "says it"
    case nil: break
    }
    return nil
  }
}
