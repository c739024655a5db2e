// SPDX-License-Identifier: MIT

public import Media

/// What becomes of a picture's colour, decided once from what its file says and what was asked for.
public struct ColourPlan: Sendable {
  /// What is asked for.
  public struct Wishes: Hashable, Sendable {
    public var convertsToSRGB = false
    /// PQ and HLG are left as they are.
    public var keepsHDR = false
    /// The brightest light of a PQ or HLG picture in cd/m², where it is known: see `peak(of:measured:)`.
    public var peak: Double?
    /// Whether the output is grey, and holds no profile that describes red, green and blue.
    public var isGrey = false

    public init() {}
  }

  /// What the samples mean, the profile's word included.
  public let source: ColourDescription
  /// The ICC profile that belongs into the output; none where the output means sRGB without one.
  public private(set) var profile: [UInt8]?
  /// What a person should know, as text for a report.
  public private(set) var notes: [String] = []
  /// What is done to light; `nil` where R′G′B′ stays as it is.
  private(set) var light: LightTransform?
  /// Primaries and curve of the output, where light changes; its matrix is not given here.
  public private(set) var changed: ColourDescription?

  /// The peak that is taken where nothing better is known, in cd/m²: HLG's, and what most PQ is mastered for.
  public static let usualPeak = 1000.0

  /// - Parameters:
  ///   - profile: the ICC profile of the file, as it lies there.
  ///   - map: what makes the SDR picture of an HDR one; without it the tone curve does.
  ///
  /// Throws only where sRGB was asked for and the profile cannot be read.
  public init(
    _ description: ColourDescription, profile: [UInt8]? = nil, wishes: Wishes = Wishes(),
    mapTowardsSDR map: GainMapSamples? = nil
  ) throws(MediaError) {
    var parsed: Result<ICCProfile, MediaError>?
    if let profile {
      do throws(MediaError) {
        parsed = .success(try ICCProfile(profile))
      } catch {
        parsed = .failure(error)
      }
    }
    var source = description
    if case .success(let known) = parsed, let points = known.codePoints, points.isHDR {
      (source.primaries, source.transfer) = (points.primaries, points.transfer)
    }
    self.source = source
    if source.isHDR {
      planHDR(profile, wishes, map)
    } else if wishes.convertsToSRGB {
      try planSRGB(try parsed?.get(), wishes)
    } else {
      planAsIs(profile, try? parsed?.get(), wishes)
    }
  }

  /// The peak of a PQ or HLG picture.
  ///
  /// - Parameters:
  ///   - contentLight: MaxCLL of `clli` or its SEI message, in cd/m².
  ///   - meter: what was measured, if anything was. Only then is a MaxCLL that lies too low found out.
  public static func peak(contentLight: Int?, measured meter: PeakMeter? = nil) -> Double {
    if let contentLight, contentLight > 203, contentLight <= 10000,
      Double(contentLight) >= meter?.quantile(0.999) ?? 0
    {
      return Double(contentLight)
    }
    return min(max(meter?.quantile(0.9999) ?? usualPeak, ToneCurve.white), 10000)
  }

  private mutating func planHDR(_ profile: [UInt8]?, _ wishes: Wishes, _ map: GainMapSamples?) {
    if wishes.keepsHDR {
      self.profile = profile ?? ICCProfile.generated(for: source, isGrey: wishes.isGrey)
      notes.append(
        "\(source.transferName) values are kept: viewers that do not know them show them dull")
      return
    }
    let primaries = known(source.primaries)
    let isNarrow = wishes.convertsToSRGB || wishes.isGrey || source.primaries == 1
    let peak = wishes.peak ?? Self.usualPeak
    // Colours that a map multiplies apart stay in the primaries in which it does.
    let isKept = !isNarrow && map.map { $0.parameters.channels.count > 1 } ?? false
    let target = isNarrow ? 1 : isKept ? source.primaries : 12
    light = LightTransform(
      hdr: source.transfer == 16 ? .pq : .hlg, from: primaries, peak: peak, map: map,
      to: known(target))
    changed = ColourDescription(primaries: target, transfer: 13)
    if !isNarrow {
      self.profile = ICCProfile.generated(for: ColourDescription(primaries: target, transfer: 13))
    }
    guard map == nil else {
      notes.append("\(source.transferName) made an SDR picture by its gain map")
      return
    }
    let origin = wishes.peak == nil ? " unless another peak is measured" : ""
    notes.append(
      "\(source.transferName) tone mapped to \(isNarrow ? "sRGB" : "Display P3") (BT.2390, "
        + "\(Int(peak.rounded())) cd/m²\(origin))")
  }

  private mutating func planSRGB(_ profile: ICCProfile?, _ wishes: Wishes) throws(MediaError) {
    let name: String
    if let profile {
      guard !profile.isSRGB else { return }
      name = profile.name
      switch profile.model {
      case .grey(let curve):
        light = LightTransform(red: curve, green: curve, blue: curve, matrix: .identity, to: .bt709)
      case .rgb(let matrix, let red, let green, let blue):
        guard let toSRGB = Primaries.bt709.rgbToD50.inverse else { return }
        light = LightTransform(
          red: red, green: green, blue: blue, matrix: toSRGB * matrix, to: .bt709)
      }
    } else {
      noteUnknown()
      guard !source.isShownAsSRGB else { return }
      name = ICCProfile.generatedName(for: source, isGrey: wishes.isGrey)
      let curve = TransferCurve(shownFor: source.transfer)
      light = LightTransform(
        red: curve, green: curve, blue: curve, matrix: known(source.primaries).matrix(to: .bt709),
        to: .bt709)
    }
    changed = ColourDescription(primaries: 1, transfer: 13)
    notes.append("converted from \(name) to sRGB")
  }

  private mutating func planAsIs(
    _ profile: [UInt8]?, _ parsed: ICCProfile?, _ wishes: Wishes
  ) {
    if let profile {
      guard wishes.isGrey, let parsed, case .rgb(_, _, let curve, _) = parsed.model else {
        self.profile = profile
        return
      }
      if !curve.isClose(to: .srgb, within: 0.004) {
        notes.append(
          "the profile \"\(parsed.name)\" describes colours, and is left out of a grey picture")
      }
      return
    }
    noteUnknown()
    let isShownRight =
      wishes.isGrey
      ? TransferCurve(shownFor: source.transfer) == .srgb : source.isShownAsSRGB
    if !isShownRight {
      self.profile = ICCProfile.generated(for: source, isGrey: wishes.isGrey)
    }
  }

  /// Code points that the standard reserves are taken for sRGB, and that is said.
  private mutating func noteUnknown() {
    if source.primaries != 2, Primaries(codePoint: source.primaries) == nil {
      notes.append("colour_primaries is \(source.primaries), which is reserved: taken for sRGB's")
    }
    if !(1...18).contains(source.transfer) || source.transfer == 3 {
      notes.append(
        "transfer_characteristics is \(source.transfer), which is reserved: taken for sRGB's")
    }
  }

  private func known(_ primaries: Int) -> Primaries { Primaries(codePoint: primaries) ?? .bt709 }
}
