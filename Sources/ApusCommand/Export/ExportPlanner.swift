// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusSamples
import ApusStills
import ApusTranscode

/// The pictures that an export copies.
enum ExportImages: String, CaseIterable, ArgumentValue {
  /// HEIF becomes JPEG.
  case compatible
  case current
}

/// Decides how each file of an export is handled.
struct ExportPlanner: FilePlanner {
  /// This is `nil` if only `images` and `preset` decide.
  var receiver: Receiver?
  var images: ExportImages
  /// The settings for videos that are not copied; without a receiver, for all videos.
  var preset: TranscodePreset?
  var limits: Limits
  private let videos = LiveVideos()

  init(
    receiver: Receiver? = nil, images: ExportImages = .compatible,
    preset: TranscodePreset? = nil, limits: Limits = Limits()
  ) {
    self.receiver = receiver
    self.images = images
    self.preset = preset
    self.limits = limits
  }

  /// The purpose of a run with these settings, for its journal.
  var purpose: String {
    let pictures = receiver == nil ? "images \(images.rawValue)" : "a receiver \(receiverWords)"
    return "export \(pictures)" + (preset.map { " video \($0.rawValue)" } ?? "")
  }

  private var receiverWords: String {
    guard let receiver else { return "" }
    let lists = [receiver.images, receiver.containers, receiver.video, receiver.audio]
      .map { $0?.joined(separator: ",") ?? "any" }
    let bound = receiver.bound.map { "\($0.longSide)x\($0.shortSide)" } ?? "any"
    return
      (lists + [
        receiver.bitDepth.map(String.init) ?? "any", bound, receiver.takesHDR ? "hdr" : "sdr",
        receiver.needsAppleHEVC ? "apple" : "any",
      ]).joined(separator: ";")
  }

  func decision(on name: InputName) -> FileDecision {
    var decision = decided(name)
    // A folder that cannot be listed is reported where its files are opened.
    do { decision.orphan = try videos.orphan(name.path) } catch {}
    return decision
  }

  private func decided(_ name: InputName) -> FileDecision {
    let ending = name.path.pathExtension
    if receiver == .any || receiver == nil && images == .current && preset == nil {
      return FileDecision(action: .copy, kind: "anything", pathExtension: ending)
    }
    guard FileIdentity(name.path)?.isRegular != false else {
      let reason = "is not a regular file, and can be read only once"
      return FileDecision(
        action: .refuse, kind: "unreadable", reasons: [reason], pathExtension: ending)
    }
    let facts: ExportFacts
    do {
      facts = try ExportFacts(of: try name.opened(limits), limits: limits)
    } catch {
      // The job itself reports what is wrong; what cannot be understood can be copied.
      if PhotoKinds.heif.contains(name.path) {
        return FileDecision(
          action: .convert, kind: "unreadable", reasons: ["\(error)"], pathExtension: "jpg")
      }
      let action: FileDecision.Action = receiver == nil ? .copy : .refuse
      return FileDecision(
        action: action, kind: "unreadable", reasons: ["\(error)"], pathExtension: ending)
    }
    var decision = FileDecision(action: .copy, kind: facts.name, pathExtension: ending)
    switch facts {
    case .image(let format, let isAnimated):
      decide(&decision, image: format)
      if isAnimated, case .convert = decision.action {
        decision.losses = ["is an animation; the JPEG holds only one picture"]
      }
    case .movie(let movie): decide(&decision, movie)
    case .other: break
    }
    return decision
  }

  private func decide(_ decision: inout FileDecision, image format: String) {
    guard let receiver else {
      guard images == .compatible, format == "heic" || format == "avif" else { return }
      (decision.action, decision.pathExtension) = (.convert, "jpg")
      decision.reasons = ["pictures are \(format)"]
      return
    }
    guard let accepted = receiver.images, !accepted.contains(format) else { return }
    decision.reasons = ["pictures are \(format); accepted: \(accepted.joined(separator: ", "))"]
    if format == "heic" || format == "avif", accepted.contains("jpeg") {
      (decision.action, decision.pathExtension) = (.convert, "jpg")
    } else {
      decision.action = .refuse
      decision.reasons.append("Apus does not convert \(format)")
    }
  }

  private func decide(_ decision: inout FileDecision, _ movie: MovieAbilities) {
    guard let receiver else {
      guard let preset, !movie.video.isEmpty else { return }
      decision.action = .job(VideoJob(settings: preset.settings, limits: limits))
      decision.pathExtension = RemuxTarget.mp4.pathExtension
      decision.reasons = ["videos are encoded as \(preset.rawValue)"]
      return
    }
    let needs = ReceiverNeeds(receiver, movie)
    guard !needs.reasons.isEmpty else { return }
    decision.reasons = needs.reasons
    if let settings = needs.settings(preset) {
      decision.action = .job(VideoJob(settings: settings, limits: limits))
      decision.pathExtension = RemuxTarget.mp4.pathExtension
    } else {
      decision.action = .refuse
      decision.reasons.append(needs.obstacle)
    }
  }
}
