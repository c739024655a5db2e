// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusJSON
import ApusMedia
import ApusReport
import ApusSamples
import ISOBMFF

/// Makes pages: reads the files, and adds the output of other verbs.
struct ReportPages {
  var limits = Limits()
  /// Whether thumbnails are shown.
  var withMedia = false

  /// Returns a page about one file or a comparison of two; `nil` if one cannot be read, which is reported.
  func bytes(of inputs: [Input], _ console: Console) throws(UsageError) -> [UInt8]? {
    var all: [ReportContents] = []
    for input in inputs {
      do {
        all.append(try contents(of: input))
      } catch {
        try console.fail(input, error)
      }
    }
    guard all.count == inputs.count, let first = all.first else { return nil }
    return (all.count == 2 ? ReportPage(comparing: first, with: all[1]) : ReportPage(first)).bytes()
  }

  private func contents(of input: Input) throws -> ReportContents {
    let survey = TrackSurvey(input.source)
    let overview = try input.overview(limits, observer: survey)
    var samples: (any SampleSource)?
    if needsWalk(overview) {
      // It was opened once already, so that what fails now is no news.
      samples = try? input.media(limits).source
    }
    let name = input.name == "-" ? "standard input" : input.name
    var contents = try ReportReader.contents(
      of: input.source, overview, survey, name: name.withEscapedBytes, samples: samples,
      limits: limits)
    if contents.items?.grids.isEmpty == false {
      let decoders = try TileDecoders(input.source, limits)
      contents.addDecoders { decoders.decoders(ofTilesOf: $0) }
    }
    InfoText().writeFacts(overview, to: &contents.summary)
    contents.documents = documents(of: input, overview)
    if withMedia, overview.picture != nil {
      contents.pictures = ReportPictures(input.source, limits: limits).all
    }
    return contents
  }

  /// Whether the times are known only after reading all samples.
  private func needsWalk(_ overview: Overview) -> Bool {
    overview.needsSamples ? !overview.tracks.isEmpty : overview.stream?.codec != nil
  }

  /// The output of other verbs that this page contains.
  private func documents(of input: Input, _ overview: Overview) -> [ReportDocument] {
    var info = JSONWriter("")
    info.facts(InfoAnswer(file: input.name, overview: overview, measures: nil))
    info.endDocument()
    let file = input.name == "-" ? "-" : input.name.withEscapedBytes.asShellWord
    var found = [
      ReportDocument("info", command: "apus info --json \(file)", json: info.output.withoutLineEnd)
    ]
    for (verb, name) in verbs(for: overview) {
      guard let json = answer(of: verb, about: input) else { continue }
      found.append(
        ReportDocument(
          name.with("-", for: " "), command: "apus \(name) --json \(file)", json: json))
    }
    return found
  }

  private func verbs(for overview: Overview) -> [(any InputVerb.Type, String)] {
    switch overview.kind {
    case .isoBMFF:
      let records: [(any InputVerb.Type, String)] =
        overview.hasHEVC ? [(HvccCheck.self, HvccCheck.name), (HvccShow.self, HvccShow.name)] : []
      return [(Inspect.self, Inspect.name)] + records
    case .flv: return [(FlvCheck.self, FlvCheck.name), (FlvShow.self, FlvShow.name)]
    case .annexB where overview.stream?.codec != nil: return [(HvccShow.self, HvccShow.name)]
    default: return []
    }
  }

  /// Returns the JSON output of a verb; `nil` if it fails, which the page shows in another place.
  private func answer(of verb: any InputVerb.Type, about input: Input) -> String? {
    func ask<V: InputVerb>(_ type: V.Type) -> String? {
      do {
        var verb = try V.parsed(V.asking + ["-"]).verb
        verb.inputs.given = [input]
        let console = Console(to: ConsoleListener())
        _ = try verb.run(console)
        guard console.failures == 0 else { return nil }
        return String(decoding: console.output.gathered, as: UTF8.self).withoutLineEnd
      } catch {
        return nil
      }
    }
    return ask(verb)
  }
}

extension Overview {
  fileprivate var hasHEVC: Bool {
    let codecs = tracks.compactMap(\.codec) + [picture?.primary?.codec].compactMap(\.self)
    return codecs.contains { ["hvc1", "hev1", "dvh1", "dvhe"].contains($0.prefix(4)) }
  }
}

extension String {
  /// The text without the line break at its end.
  fileprivate var withoutLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }

  /// The name of a file, with escapes for bytes that are not UTF-8.
  fileprivate var withEscapedBytes: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let byte = FileName.byte(of: scalar) {
        text += "\\x" + byte.hexadecimal(uppercase: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
