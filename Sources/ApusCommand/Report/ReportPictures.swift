// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusReport
import ApusStills
import Glibc
import Synchronization

/// Makes thumbnails of a photo and its parts: depth, gain map, mattes, thumbnail.
struct ReportPictures {
  private let source: any ByteSource
  private let limits: Limits

  private static let side = 640
  private static let partSide = 320
  private static let most = 12

  init(_ source: any ByteSource, limits: Limits) {
    self.source = source
    self.limits = limits
  }

  var all: [ReportPicture] {
    var options = ConvertOptions()
    options.hdr = .drop
    options.strip = .all
    options.quality = 80
    options.longestSide = Self.side
    options.boxLimits = limits
    let pictures = made(options, onlyPrimary: true)
    options.longestSide = Self.partSide
    var parts = PartChoice()
    parts.roles = [.thumbnail, .alpha, .depth, .gainmap, .matte]
    parts.showsNumbers = true
    options.job = .parts(parts)
    return Array((pictures + made(options, onlyPrimary: false)).prefix(Self.most))
  }

  private func made(_ options: ConvertOptions, onlyPrimary: Bool) -> [ReportPicture] {
    let engine = PhotoEngine(options, workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let outputs = Mutex<[(PictureRole, GatheredPicture)]>([])
    let source = source
    let request = PhotoRequest(
      name: "picture", open: { source },
      output: { role in
        if onlyPrimary, role != .primary { return nil }
        let output = GatheredPicture()
        outputs.withLock { $0.append((role, output)) }
        return output
      })
    _ = engine.reportAndWait(of: request)
    return outputs.withLock { outputs in
      outputs.compactMap { role, output in
        guard output.isWhole, output.bytes.starts(with: [0xff, 0xd8]) else { return nil }
        return ReportPicture(Self.title(of: role), jpeg: output.bytes)
      }
    }
  }

  private static func title(of role: PictureRole) -> String {
    switch role {
    case .primary: "the picture"
    case .other(let number): "picture \(number)"
    case .video: "the video"
    case .part(let name, _): name.with(" ", for: ".").with(" ", for: "-")
    }
  }
}

/// A picture in memory.
private final class GatheredPicture: PhotoOutput {
  private struct State: Sendable {
    var bytes: [UInt8] = []
    var isWhole = false
  }

  private let state = Mutex(State())

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var isWhole: Bool { state.withLock { $0.isWhole } }

  func write(_ bytes: Span<UInt8>) {
    let copy = bytes.indices.map { bytes[$0] }
    state.withLock { $0.bytes += copy }
  }

  func amend(_ bytes: Span<UInt8>, at offset: Int) {
    let copy = bytes.indices.map { bytes[$0] }
    state.withLock { state in
      for (index, byte) in copy.enumerated() where offset + index < state.bytes.count {
        state.bytes[offset + index] = byte
      }
    }
  }

  func written() -> any ByteSource { MemorySource(bytes) }

  func commit() -> String? {
    state.withLock { $0.isWhole = true }
    return ""
  }
}
