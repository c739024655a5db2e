// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import HEVC
import ISOBMFF

/// The words about a picture, and the form of a line.
extension InfoText {
  func size(_ video: VideoFacts) -> String {
    video.displaySize.description + codedNote(video.codedSize, video.displaySize)
  }

  func codedNote(_ coded: PixelSize?, _ shown: PixelSize) -> String {
    guard let coded, coded != shown else { return "" }
    return " (coded \(coded))"
  }

  /// The unusual facts of a video; `nil` for square samples, progressive frames and one view.
  func shape(of video: VideoFacts) -> String? {
    var parts: [String] = []
    if let aspect = video.sampleAspect, aspect.horizontal != aspect.vertical {
      parts.append("samples \(aspect.horizontal):\(aspect.vertical)")
    }
    switch video.fields {
    case .topFirst: parts.append("interlaced, top field first")
    case .bottomFirst: parts.append("interlaced, bottom field first")
    case .progressive, nil: break
    }
    if video.views > 1 { parts.append("\(video.views) views") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  func placement(_ rotation: Int, _ isMirrored: Bool, _ isTransformed: Bool) -> String? {
    var parts: [String] = []
    if isMirrored { parts.append("mirrored left to right") }
    if rotation != 0 { parts.append("rotated \(rotation)° clockwise") }
    if isTransformed { parts.append("transformed by a matrix") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  func colour(_ colour: ColourFacts) -> String {
    var parts: [String] = []
    if let range = colour.dynamicRange { parts.append(range) }
    if let points = colour.codePoints {
      let names = [
        ColourName.primaries(points.primaries), ColourName.transfer(points.transfer),
        ColourName.matrix(points.matrix),
      ]
      let same = Set(names).count == 1 ? names[0] : names.joined(separator: " / ")
      parts.append("\(same), \(points.isFullRange ? "full" : "limited") range")
    }
    if colour.hasHDR10Plus { parts.append("HDR10+") }
    if colour.hasICCProfile { parts.append("ICC profile") }
    if let luminance = colour.masteringLuminance {
      let low = luminance.lowerBound.decimal(places: 0...4)
      parts.append("mastered at \(low) to \(luminance.upperBound.decimal()) cd/m²")
    }
    if let light = colour.maxContentLight {
      parts.append("MaxCLL \(light), MaxFALL \(colour.maxAverageLight ?? 0)")
    }
    return parts.joined(separator: ", ")
  }

  /// The maximum number of actions that are shown.
  private static let shownActions = 12

  /// `C2PA by Test Camera 1.2: created (digitalCapture), edited; not verified`.
  func text(of facts: CredentialFacts) -> String {
    guard let credentials = facts.credentials else { return "C2PA, which cannot be read" }
    var text = "C2PA"
    if let generator = credentials.generator {
      text +=
        " by " + ([generator.name] + [generator.version].compactMap(\.self)).joined(separator: " ")
    }
    let actions = credentials.actions.prefix(Self.shownActions).map { action in
      let name = action.action.hasPrefix("c2pa.") ? action.action.dropFirst(5) : action.action[...]
      let source = action.digitalSourceType?.split(separator: "/").last
      return name + (source.map { " (\($0))" } ?? "")
    }
    if !actions.isEmpty { text += ": " + actions.joined(separator: ", ") }
    let more = credentials.actions.count - actions.count
    return text + (more > 0 ? " and \(more) more" : "") + "; not verified"
  }

  func line<Output: TextOutputStream>(
    _ name: String, _ text: String, to output: inout Output
  ) {
    output.write("\(palette.name(padded(name.printable, 14))) \(text.printable)\n")
  }

  func detail<Output: TextOutputStream>(
    _ name: String, _ text: String, to output: inout Output
  ) {
    output.write("  \(palette.place(padded(name, 12))) \(text.printable)\n")
  }

  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
