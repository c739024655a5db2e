// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode

/// Encoders and decoders for a person.
struct CodecsText {
  var palette = Palette()
  var width = 80

  /// A line for each, and why others are not there.
  func table<Output: TextOutputStream>(_ catalogue: CodecCatalogue, to output: inout Output) {
    let role = catalogue.query.role
    if role == .decoder { output.write("\n") }
    var rows = [
      [role.rawValue.uppercased(), "CODEC", "MAKE", "LIBRARY", "BITS", "SAMPLES", "PROFILES"]
    ]
    rows += catalogue.codecs.map(cells)
    write(rows, to: &output)
    guard !catalogue.refused.isEmpty else { return }
    output.write("\nNot here:\n")
    write(catalogue.refused.map { ["  " + $0.id, $0.reason] }, to: &output)
  }

  private func cells(_ facts: CodecFacts) -> [String] {
    let samples =
      facts.medium == .sound
      ? facts.sampleFormats
      : facts.chromas.isEmpty
        ? facts.samples.prefix(3).map(\.name) : facts.chromas.map(\.name)
    let profiles = facts.profiles.prefix(3).joined(separator: " ")
    let more = facts.profiles.count - 3
    return [
      facts.id, facts.codec, facts.isHardware ? "hardware" : "software", facts.library,
      facts.bitDepths.map(String.init).joined(separator: " "), samples.joined(separator: " "),
      more > 0 ? "\(profiles) and \(more) more" : profiles,
    ]
  }

  /// Writes rows as columns, two spaces apart.
  private func write<Output: TextOutputStream>(_ rows: [[String]], to output: inout Output) {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      output.write(line + "\n")
    }
  }

  // MARK: - Properties

  func properties<Output: TextOutputStream>(
    _ codecs: [CodecFacts], showsCommon: Bool, to output: inout Output
  ) {
    for (index, facts) in codecs.enumerated() {
      if index > 0 { output.write("\n") }
      let make = facts.isHardware ? "hardware" : "software"
      output.write(
        "\(palette.paint(facts.id, .bold)): \(facts.role.rawValue) of \(facts.codec), \(make), "
          + "\(facts.library)\n")
      line("bits", facts.bitDepths.map(String.init), to: &output)
      line("samples", facts.samples.map(\.name) + facts.sampleFormats, to: &output)
      line("rates", facts.sampleRates.map(String.init), to: &output)
      line("profiles", facts.profiles, to: &output)
      list("its own properties", facts.options, to: &output)
      if showsCommon { list("properties of the library", facts.commonOptions, to: &output) }
    }
  }

  private func line<Output: TextOutputStream>(
    _ label: String, _ words: [String], to output: inout Output
  ) {
    guard !words.isEmpty else { return }
    let lines = words.joined(separator: " ").wrapped(to: max(width - 12, 40))
    let indent = String(repeating: " ", count: 12)
    output.write("  \(label)" + String(repeating: " ", count: 10 - label.count))
    output.write(lines.joined(separator: "\n" + indent) + "\n")
  }

  private func list<Output: TextOutputStream>(
    _ heading: String, _ options: [CodecOption], to output: inout Output
  ) {
    guard !options.isEmpty else { return }
    output.write("  \(heading)\n")
    for option in options {
      let words = ["\(palette.name(option.name)): \(option.kind.rawValue)"] + Self.words(option)
      output.write("    \(words.joined(separator: ", "))\n")
      for line in option.purpose.wrapped(to: max(width - 6, 40)) { output.write("      \(line)\n") }
    }
  }

  private static func words(_ option: CodecOption) -> [String] {
    var words: [String] = []
    if let standard = option.standard, !standard.isEmpty { words.append("standard \(standard)") }
    switch (option.least, option.greatest) {
    case (let least?, let greatest?): words.append("\(least) to \(greatest)")
    case (let least?, nil): words.append("from \(least)")
    case (nil, let greatest?): words.append("up to \(greatest)")
    case (nil, nil): break
    }
    if !option.choices.isEmpty { words.append("one of " + option.choices.joined(separator: " ")) }
    return words
  }

  // MARK: - Verification

  func write<Output: TextOutputStream>(
    _ verified: VerifiedCodec, to output: inout Output
  ) {
    let verification = verified.verification
    let first = verification.trials.first
    let way =
      verified.role == .decoder
      ? ", of what \(first?.encoder ?? "an encoder") made"
      : first.map { $0.decoder.isEmpty ? "" : ", decoded by \($0.decoder)" } ?? ""
    output.write("\(palette.paint(verified.id, .bold)): \(verified.role.rawValue)\(way)\n")
    var rows = verification.trials.isEmpty ? [] : [["  CLAIMED", "", "OBSERVED"]]
    for trial in verification.trials {
      let claim = trial.samples + (trial.profile.map { ", \($0)" } ?? "")
      rows.append(["  " + claim, trial.isTrue ? "true" : "NOT TRUE", observed(trial)])
    }
    write(rows, to: &output)
    var reasons: [(reason: String, samples: [String])] = []
    for untried in verification.untried {
      if let place = reasons.firstIndex(where: { $0.reason == untried.reason }) {
        reasons[place].samples += [untried.samples].compactMap(\.self)
      } else {
        reasons.append((untried.reason, [untried.samples].compactMap(\.self)))
      }
    }
    for (reason, samples) in reasons {
      let what = samples.isEmpty ? "" : " " + samples.joined(separator: " ")
      output.write("  could not be tried here:\(what), because \(reason)\n")
    }
  }

  private func observed(_ trial: CodecVerification.Trial) -> String {
    var words = [trial.observedSamples, trial.observedProfile ?? ""].filter { !$0.isEmpty }
    if let similarity = trial.similarity { words.append("\(Int(similarity.rounded())) dB") }
    if trial.hasRightChecksums { words.append("checksums right") }
    return (words + trial.failures).joined(separator: ", ")
  }
}
