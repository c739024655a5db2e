// SPDX-License-Identifier: MIT

public import ApusMedia

/// The conversion of a picture's colour, decided once from the description in its file and the request.
public struct ColourPlan: Sendable {
  /// The requested conversion.
  public struct Wishes: Hashable, Sendable {
    /// Whether colours are converted to sRGB instead of keeping their profile or, for HDR, becoming Display P3.
    public var convertsToSRGB = false
    /// Whether PQ and HLG are kept.
    public var keepsHDR = false
    /// The peak brightness of a PQ or HLG picture in cd/m², if known: see `peak(of:measured:)`.
    public var peak: Double?
    /// Whether the output is grey, and must not have a profile for red, green and blue.
    public var isGrey = false

    public init() {}
  }

  /// The meaning of the samples, with the profile taken into account.
  public let source: ColourDescription
  /// The ICC profile for the output; `nil` if the output is sRGB without one.
  public private(set) var profile: [UInt8]?
  /// Notes for a report, as text.
  public private(set) var notes: [String] = []
  /// The change of light; `nil` if R′G′B′ is kept.
  private(set) var light: LightTransform?
  /// The primaries and curve of the output if light changes; its matrix is not included.
  public private(set) var changed: ColourDescription?

  /// The default peak if nothing better is known, in cd/m²: that of HLG, and of most PQ masters.
  public static let usualPeak = 1000.0

  /// - Parameters:
  ///   - profile: the ICC profile in the file.
  ///   - map: the map that turns an HDR picture into its SDR version; if `nil`, the tone curve does.
  ///
  /// Throws only if sRGB was requested and the profile cannot be read.
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

  /// Returns the peak of a PQ or HLG picture.
  ///
  /// - Parameters:
  ///   - contentLight: the MaxCLL in `clli` or its SEI message, in cd/m².
  ///   - meter: the measurement, if any, without which a MaxCLL that is too low cannot be detected.
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
    // Colours whose channels a map multiplies separately stay in the primaries in which it does.
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

  /// Replaces code points that the standard reserves with sRGB, and adds a note.
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
