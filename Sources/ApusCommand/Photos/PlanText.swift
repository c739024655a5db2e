// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import ApusRecords
import ApusStills
import HEIF

extension CodecUse {
  /// `intra, 48 pictures`, with the reason for another decoder.
  var decodingText: String { count + (reason.map { ", as each \($0)" } ?? "") }

  /// `libx265 3.5, 48 pictures`, with the reason for another encoder.
  var encodingText: String { count + (reason.map { ", as \($0)" } ?? "") }

  private var count: String { "\(name), \(pictures == 1 ? "1 picture" : "\(pictures) pictures")" }
}

/// The plan for one picture, as text that fits one screen.
struct PlanText {
  var palette = Palette()
  /// Whether the file is copied, because it already has the wanted form.
  var isCopied = false
  var live: PhotoReport.Live?
  /// The findings on the picture and on its file.
  var findings: [Finding] = []

  func write<Output: TextOutputStream>(
    _ picture: PhotoPreview.PlannedPicture, _ decoders: [CodecUse], to output: inout Output
  ) {
    let plan = picture.plan
    line("canvas", "\(plan.width) × \(plan.height)", to: &output)
    line("made of", composition(of: plan), to: &output)
    line("coded as", coding(of: plan), to: &output)
    let readers = decoders.map(\.decodingText).joined(separator: "; ")
    line("decoded by", isCopied ? "nothing; its bytes are copied" : readers, to: &output)
    if let encoder = picture.encoder { line("encoded by", encoder.encodingText, to: &output) }
    line("orientation", placement(of: plan), to: &output)
    let origin = plan.colour.origin
    line(
      "colour",
      "\(colour(plan.colour)), \(origin == "nothing says" ? "assumed" : "from \(origin)")",
      to: &output)
    if let fill = plan.fill { line("background", shown(fill), to: &output) }
    if let alpha = plan.alpha.first {
      let form = plan.isAlphaPremultiplied ? ", premultiplied" : ""
      line(
        "alpha", "\(alpha.width) × \(alpha.height), \(composition(of: alpha))\(form)", to: &output)
    }
    if let map = picture.gainMap {
      line("gain map", "\(map.width) × \(map.height), \(composition(of: map))", to: &output)
    }
    line("metadata", metadata(picture.metadata), to: &output)
    if let live { line("video", text(of: live), to: &output) }
    line("cost", cost(plan.cost), to: &output)
    for finding in findings.prefix(Self.shownFindings) {
      let place = (finding.path.isEmpty ? "" : finding.path + " ") + "at byte \(finding.offset)"
      output.write(
        "\(palette.severity(finding.severity)) \(place.printable): \(finding.message.printable) [\(finding.rule)]\n"
      )
    }
    let hidden = findings.count - Self.shownFindings
    if hidden > 0 { output.write("… and \(hidden) more; --json shows all\n") }
  }

  /// The maximum number of findings on one screen.
  private static let shownFindings = 10

  /// The stored picture: `grid 8 × 6 of 512 × 512`.
  private func composition(of plan: PicturePlan) -> String {
    let stored = plan.laid(plan.orientation.inverse)
    guard let first = stored.sources.first, !stored.pieces.isEmpty else { return "nothing coded" }
    let size = "\(first.format.width) × \(first.format.height)"
    if stored.pieces.count == 1 {
      let crop = stored.pieces[0].crop
      let isWhole = crop.width == first.format.width && crop.height == first.format.height
      let part =
        isWhole ? "" : ", cropped to \(crop.width) × \(crop.height) at \(crop.x), \(crop.y)"
      return "\(first.name), \(size)\(part)"
    }
    let columns = Set(stored.pieces.map(\.place.x)).count
    let rows = Set(stored.pieces.map(\.place.y)).count
    let isUniform = stored.sources.allSatisfy { $0.format == first.format }
    if columns * rows == stored.pieces.count, isUniform {
      return "grid \(columns) × \(rows) of \(size)"
    }
    return "\(stored.pieces.count) pieces of \(stored.sources.count) coded pictures"
  }

  private func coding(of plan: PicturePlan) -> String {
    var forms: [String] = []
    for source in plan.sources {
      let chroma = source.format.chroma.name.map(String.init).joined(separator: ":")
      let form = "\(source.codec.name) \(chroma), \(source.format.bitDepth) bits"
      if !forms.contains(form) { forms.append(form) }
    }
    let earlier = plan.sources.reduce(0) { $0 + $1.samples.count - 1 }
    if earlier > 0 { forms.append("\(earlier) reference pictures decoded first") }
    return forms.joined(separator: "; ")
  }

  private func placement(of plan: PicturePlan) -> String {
    let orientation = plan.orientation
    guard plan.isPlacedByContainer || orientation != .upright else {
      return "as stored; the container has none"
    }
    var steps: [String] = []
    if orientation.isMirrored { steps.append("mirrored left to right") }
    if orientation.quarterTurns > 0 {
      steps.append("rotated \(orientation.quarterTurns * 90)° clockwise")
    }
    return steps.isEmpty ? "as stored" : steps.joined(separator: ", then ")
  }

  private func colour(_ colour: PlannedColour) -> String {
    let points = colour.description
    let names = [
      ("primaries", points.primaries, ColourName.primaries(UInt16(clamping: points.primaries))),
      ("transfer", points.transfer, ColourName.transfer(UInt16(clamping: points.transfer))),
      ("matrix", points.matrix, ColourName.matrix(UInt16(clamping: points.matrix))),
    ].map { kind, point, name in point == 2 ? "no \(kind)" : "\(kind) \(name) (\(point))" }
    let profile = colour.profile.map { ["ICC profile of \(Quantity.bytes($0.count))"] } ?? []
    let range = points.isFullRange ? "full range" : "limited range"
    return (profile + names + [range]).joined(separator: ", ")
  }

  private func shown(_ fill: [UInt16]) -> String {
    fill[3] == 0
      ? "transparent"
      : "red \(fill[0]), green \(fill[1]), blue \(fill[2]), alpha \(fill[3]) of 65535"
  }

  private func metadata(_ metadata: PictureMetadata) -> String {
    let kinds = [("Exif", metadata.exif), ("XMP", metadata.xmp), ("IPTC", metadata.iptc)]
    let found = kinds.compactMap { name, bytes in
      bytes.map { "\(name) \(Quantity.bytes($0.count))" }
    }
    return found.isEmpty ? "none" : found.joined(separator: ", ")
  }

  private func text(of live: PhotoReport.Live) -> String {
    let basis =
      switch live.basis {
      case .identifier: "with the same content identifier"
      case .embedded: "in the file"
      case .name: "matched by name only"
      }
    let fate =
      switch live.outcome {
      case .kept: live.output == live.video ? "stays in place" : "copied to \(live.output ?? "")"
      case .appended: "appended to the picture"
      case .dropped: "not written"
      }
    return "\(live.video), \(Quantity.bytes(live.bytes)), \(basis): \(fate)"
  }

  private func cost(_ cost: PlanCost) -> String {
    let decoded = (Double(cost.decodedPixels) / 1e6).decimal()
    let painted = (Double(cost.paintedPixels) / 1e6).decimal()
    let count = cost.sources == 1 ? "1 coded picture" : "\(cost.sources) coded pictures"
    return
      "\(count), \(Quantity.bytes(cost.codedBytes)), \(decoded) megapixels decoded, \(painted) painted"
  }

  private func line<Output: TextOutputStream>(
    _ name: String, _ text: String, to output: inout Output
  ) {
    let padded = name + String(repeating: " ", count: max(14 - name.count, 0))
    output.write("\(palette.name(padded)) \(text.printable)\n")
  }
}
