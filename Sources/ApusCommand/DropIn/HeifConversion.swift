// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills
import ISOBMFF
import Synchronization

/// One run of `heif-convert`: every picture of a file, and what was asked for beside each.
struct HeifConversion {
  private let program: HeifConvert
  private let names: ConvertedNames
  private let console: Console
  private let source: any ByteSource
  private let file: FileIdentity?
  private let listing: PhotoListing

  init(_ program: HeifConvert, _ names: ConvertedNames, _ console: Console) throws {
    (self.program, self.names, self.console) = (program, names, console)
    file = FileIdentity(program.input)
    source = try DropInFailure.input(program.input)
    guard try FileKind(of: source) == .isoBMFF else {
      throw MediaError(.unsupported, of: .input, "\(program.input) is not a HEIF file")
    }
    do {
      listing = try PhotoListing(source, options: program.options(names))
    } catch {
      throw error.inside("\(program.input): ")
    }
  }

  private var count: Int { max(listing.pictures.count, 1) }

  /// A line about an output, and where it is among the others: by picture, and by what it is of that.
  private struct Line {
    var place: [Int]
    var text: String
  }

  func run() throws {
    say("File contains \(count) image\(count > 1 ? "s" : "")")
    let whole = convert(options: program.options(names)) { [names, count] role in
      switch role {
      case .other(let number): names.picture(number, of: count).path
      case .primary: names.path
      case .video, .part: nil
      }
    }
    var lines = whole.outputs.map { output in
      Line(place: [output.role.number], text: "Written to \(output.path)")
    }
    tell(whole)
    if whole.failure == nil {
      if program.withAuxiliaries { lines += writeAuxiliaries() }
      if program.withExif || program.withXMP { writeMetadata() }
    }
    lines.sort { $0.place.lexicographicallyPrecedes($1.place) }
    for line in lines { say(line.text) }
  }

  /// An auxiliary picture that is written.
  private struct Auxiliary {
    var path: String
    var isDepth: Bool
    /// The place of its picture, from 1.
    var picture: Int
    var id: UInt32

    /// Depth comes first, and the others in the order of their IDs.
    var line: Line {
      Line(
        place: [picture, isDepth ? 0 : 1, Int(id)],
        text: "\(isDepth ? "Depth" : "Auxiliary") image written to \(path)")
    }
  }

  /// Depth maps and other auxiliary pictures, called after what they are; alpha is in the picture itself.
  private func writeAuxiliaries() -> [Line] {
    var auxiliaries: [String: Auxiliary] = [:]
    for part in listing.parts {
      guard let id = part.item, let picture = picture(of: part) else { continue }
      let isDepth = part.role == .depth
      guard isDepth || [.gainmap, .matte, .other].contains(part.role), part.detail.hasPrefix("urn:")
      else { continue }
      let urn = ConvertedNames.auxiliary(part.detail, hasNoColons: program.hasNoColons)
      let stem = names.picture(picture, of: count).stem
      auxiliaries["item-\(id)"] = Auxiliary(
        path: names.companion(isDepth ? "depth" : urn, of: stem), isDepth: isDepth,
        picture: picture, id: id)
    }
    guard !auxiliaries.isEmpty else { return [] }
    var options = program.options(names)
    options.hdr = .drop
    var choice = PartChoice()
    choice.items = auxiliaries.values.map(\.id).sorted()
    choice.showsNumbers = true
    options.job = .parts(choice)
    let report = convert(options: options) { [auxiliaries] role in
      if case .part(let name, _) = role { auxiliaries[name]?.path } else { nil }
    }
    tell(report)
    let written = Set(report.outputs.map(\.path))
    return auxiliaries.values.filter { written.contains($0.path) }.map(\.line)
  }

  /// Exif and XMP as files beside each picture.
  private func writeMetadata() {
    for role in [PartRole.exif, .xmp] where role == .exif ? program.withExif : program.withXMP {
      var paths: [String: String] = [:]
      var choice = PartChoice()
      for part in listing.parts where part.role == role {
        guard let id = part.item, let picture = picture(of: part) else { continue }
        paths["item-\(id)"] = "\(names.picture(picture, of: count).stem).\(role.rawValue)"
        choice.items.append(id)
      }
      guard !choice.items.isEmpty else { continue }
      // As the item has it, Exif begins with the offset of its header.
      choice.isRaw = role == .xmp || !program.skipsExifOffset
      var options = program.options(names)
      options.job = .parts(choice)
      let report = convert(options: options) { [paths] role in
        if case .part(let name, _) = role { paths[name] } else { nil }
      }
      tell(report)
    }
  }

  /// The picture that a part belongs to, counted from 1; `nil` where that is none of the pictures.
  private func picture(of part: PhotoPart) -> Int? {
    part.owner.flatMap { listing.pictures.firstIndex(of: $0) }.map { $0 + 1 }
  }

  /// Carries out one request.
  ///
  /// - Parameter path: where an output goes; `nil` for nowhere.
  private func convert(
    options: ConvertOptions, path: @escaping @Sendable (PictureRole) -> String?
  ) -> PhotoReport {
    let request = PhotoRequest(
      name: program.input, open: { [source] in source },
      output: { [file] role in
        try path(role).flatMap { try FileDestination($0, from: file, onExists: .replace) }
      })
    var options = options
    if options.job == .primary, !listing.pictures.isEmpty { options.job = .everyItem }
    return PhotoEngine(options).reportAndWait(of: request)
  }

  private func tell(_ report: PhotoReport) {
    if !program.quiet {
      for warning in report.warnings { console.warn("\(program.input): \(warning)") }
    }
    if let failure = report.failure { console.fail(program.input, failure) }
  }

  private func say(_ line: String) {
    guard !program.quiet else { return }
    ResultStream(console: console).write(line + "\n")
  }
}

extension PictureRole {
  /// The number of the only picture is 1.
  fileprivate var number: Int { if case .other(let number) = self { number } else { 1 } }
}
