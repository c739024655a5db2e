// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC
internal import ISOBMFF

extension CodedTrack {
  /// Returns, as text, the information in boxes of a movie on how its pictures are shown that is lost in other
  /// containers and when pictures are re-encoded; `nil` if there is none.
  ///
  /// - Parameter name: the track's name in messages.
  package func displayLoss(as name: String) -> String? {
    guard kind == .video else { return nil }
    let inEntries = details.sampleEntries.flatMap(\.node.children)
    var words: [String] = []
    for node in inEntries + details.boxes {
      guard let word = Self.word(for: node), !words.contains(word) else { continue }
      words.append(word)
    }
    guard !words.isEmpty else { return nil }
    return "\(name) has \(words.joined(separator: ", ")), left out here"
  }

  /// Returns the loss of two views in one picture, declared as in Matroska, in other containers; `nil` for a single
  /// view.
  package func stereoLoss(as name: String, in target: RemuxTarget) -> String? {
    let mode = details.tags.first { $0.name.lowercased() == "stereo_mode" }?.value ?? "mono"
    guard kind == .video, !target.isMatroska, mode != "mono" else { return nil }
    return "\(name) shows two views (\(mode)), which \(target.title) cannot store"
  }

  /// Returns, as text, the loss of the sample shape if only the coded pictures can store it; `nil` if they do, and
  /// where samples are square.
  package func shapeLoss(as name: String, in target: String) -> String? {
    guard kind == .video, let shape = picture.sampleAspect, shape.horizontal != shape.vertical
    else {
      return nil
    }
    var coded = PictureTraits()
    switch format {
    case .hevc(let record): coded.complete(from: StreamHeaders(record))
    case .avc(let record): coded.complete(fromAVC: record)
    case .other("vp08", _), .other("vp09", _), .other("av01", _): break
    case .aac, .other: return nil
    }
    guard coded.sampleAspect != shape else { return nil }
    return
      "\(name) has a sample aspect ratio of \(shape.horizontal):\(shape.vertical), which \(target) cannot store"
  }

  /// The losses when its pictures are re-encoded, as text. The dependencies between samples (`sdtp`) do not count,
  /// because they describe the old samples.
  package func lossesInCoding(keepsDolbyVision: Bool) -> [String] {
    [keepsDolbyVision ? nil : dolbyVisionLossInCoding, displayLoss(as: name)].compactMap(\.self)
  }

  private static func word(for node: Node) -> String? {
    switch node.type {
    case "clap": "a clean aperture (clap)"
    case "st3d": "the arrangement of two views (st3d)"
    case "sv3d": "spherical video (sv3d)"
    case "vexu": "spatial video (vexu)"
    case "hfov": "a field of view (hfov)"
    case "uuid" where SphericalVideoXML.userTypes.contains { $0.bytes == node.header.userType }:
      "spherical video (uuid)"
    default: nil
    }
  }
}
