// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusStills

extension SourceRemoval {
  /// The decision about the source: `remove`, or `keep: holds 4 more pictures, depth`.
  var plan: String { text(isRemoved ? "remove" : "keep") }

  /// The same with the name of a file that is removed: `remove a.heic`.
  func plan(of path: String) -> String { text("remove \(path)") }

  /// The result: `was removed, although it holds depth`, or `was kept: holds depth`.
  var outcome: String { text(isRemoved ? "was removed" : "was kept") }

  private func text(_ verb: String) -> String {
    guard !reasons.isEmpty else { return verb }
    return isRemoved ? "\(verb), although it \(words)" : "\(verb): \(words)"
  }

  /// The reasons against its removal, with all that it holds in one phrase.
  private var words: String {
    let held = reasons.compactMap { if case .holds(let holding) = $0 { holding.text } else { nil } }
    let others = reasons.compactMap(\.text)
    let holds = held.isEmpty ? [] : ["holds \(held.joined(separator: ", "))"]
    return (holds + others).joined(separator: "; ")
  }
}

extension SourceRemoval.Reason {
  /// A word for programs.
  var kind: String {
    switch self {
    case .holds(let holding): holding.kind.rawValue
    case .warned: "warned"
    case .notConverted(let status): status.rawValue
    case .outputExisted: "output-existed"
    case .finishedBefore: "finished-before"
    case .link: "link"
    case .notRegular: "not-regular"
    case .changed: "changed"
    case .failed: "io"
    }
  }

  /// The text for a person; `nil` for what the file holds, which is one phrase.
  var text: String? {
    switch self {
    case .holds: nil
    case .warned(let count): count == 1 ? "caused a warning" : "caused \(count) warnings"
    case .notConverted(.salvaged): "lacks part of its picture"
    case .notConverted: "was not converted"
    case .outputExisted(let path): "\(path) already existed"
    case .finishedBefore: "was finished by an earlier run"
    case .link(let path): "has the symbolic link \(path) in its path"
    case .notRegular: "is not a regular file"
    case .changed: "changed during the run"
    case .failed(let reason): reason
    }
  }
}

extension SourceHolding {
  /// `4 more pictures`.
  var text: String {
    switch kind {
    case .picture: "its picture"
    case .fullSize: "its full-size picture"
    case .margins: "the cropped part of its picture"
    case .pictures: count == 1 ? "1 more picture" : "\(count) more pictures"
    case .hiddenPictures: count == 1 ? "1 hidden picture" : "\(count) hidden pictures"
    case .alpha: "alpha"
    case .highDynamicRange: "high dynamic range"
    case .gainMap: "a gain map"
    case .depth: "depth"
    case .mattes: count == 1 ? "a matte" : "\(count) mattes"
    case .auxiliaries: "auxiliary pictures of unknown type"
    case .auxiliaryMetadata: "metadata of depth or mattes"
    case .layers: "more layers of its picture"
    case .exif: "Exif"
    case .xmp: "XMP"
    case .iptc: "IPTC"
    case .profile: "an ICC profile"
    case .motionVideo: "a motion video"
    case .tracks: count == 1 ? "a track" : "\(count) tracks"
    case .previews: count == 1 ? "a preview" : "\(count) previews"
    case .descriptions: "descriptions"
    case .properties: "properties of type " + names.joined(separator: ", ")
    case .items: "items of type " + names.joined(separator: ", ")
    case .boxes: "boxes of type " + names.joined(separator: ", ")
    case .segments: "segments " + names.joined(separator: ", ")
    case .samsungTrailer: "a Samsung trailer"
    case .unreadable: "unreadable data"
    case .unreferencedBytes: "\(count) unreferenced bytes"
    case .trailingBytes: "\(count) bytes after its end"
    case .attributes: "extended attributes " + names.joined(separator: ", ")
    }
  }
}

extension SourceRemoval: Described {
  public static let title = "source"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == SourceRemoval {
    v.required("removed", "Whether the file was or would be removed.") { $0.isRemoved }
    v.required(
      "reasons",
      """
      The reasons against its removal. With --remove-source=anyway a removed file may have some: they name the losses.
      """
    ) { $0.reasons }
  }
}

extension SourceRemoval.Reason: Described {
  public static let title = "reason"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == SourceRemoval.Reason {
    v.required(
      "kind",
      """
      Up to attributes: contents of the file that the outputs lack. warned: there was a warning. converted, skipped, \
      failed, salvaged: this run made no whole output. output-existed: a file that this run did not write had the \
      name of an output. finished-before: according to the journal, an earlier run finished it. link: the path goes \
      through a symbolic link. io: it could not be removed.
      """
    ) { ReasonWord(rawValue: $0.kind) }
    v.optional("count", "The number of these in the file.") {
      if case .holds(let holding) = $0 { holding.count } else { nil }
    }
    v.required("message", "The reason as a phrase.") { reason in
      if case .holds(let holding) = reason {
        "holds \(holding.text)"
      } else {
        reason.text ?? reason.kind
      }
    }
  }
}

/// The kind of a reason.
private struct ReasonWord: FactValue {
  let rawValue: String

  static var form: FactForm {
    .word(
      SourceHolding.Kind.allCases.map(\.rawValue) + ["warned"]
        + PhotoReport.Status.allCases.map(\.rawValue)
        + ["output-existed", "finished-before", "link", "not-regular", "changed", "io"])
  }

  func write<W: FactWriter>(to writer: inout W) { writer.text(rawValue) }
}
