// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusFFmpeg
internal import ApusMedia
internal import ISOBMFF

/// The steps between decoder and encoders that rungs share: pictures are tone mapped or not, and filtered once for all.
final class PictureBranch {
  private var toneMapping: ToneMapping?
  private let filter: VideoFilter?
  private let rungs: [PictureRung]

  /// - Parameters:
  ///   - first: the first picture, as it was decoded.
  ///   - matrix: the rotation of the track when it is shown.
  init(
    _ rungs: [PictureRung], for first: VideoFrame, matrix: TransformationMatrix, frameRate: Fraction
  ) throws(MediaError) {
    self.rungs = rungs
    var frame = first
    if let mapped = rungs.first(where: \.video.isToneMapped) {
      var mapping = ToneMapping(
        bitDepth: mapped.video.bitDepth, depths: try mapped.choice.bitDepths(),
        frameRate: frameRate)
      frame = try mapping.mapped(first)
      toneMapping = mapping
    }
    // All rungs use the same filters.
    let chain = try rungs.first.map { rung throws(MediaError) in
      try FilterChain(rung.video, for: frame, matrix: matrix)
    }
    filter =
      try chain.flatMap { chain throws(MediaError) in
        chain.description.isEmpty ? nil : try VideoFilter(chain.description, frameRate: frameRate)
      }
    for rung in rungs { try rung.expect(frame) }
  }

  /// Returns the branches of a stream that begins with a picture: rungs that are tone mapped are separate from those
  /// that keep HDR. If the picture is not HDR, all share one branch, and HDR that comes later is mapped for all.
  static func all(
    of rungs: [PictureRung], for first: VideoFrame, matrix: TransformationMatrix,
    frameRate: Fraction
  ) throws(MediaError) -> [PictureBranch] {
    var groups = [rungs]
    if first.traits.colour?.isHDR ?? false {
      groups = [rungs.filter { !$0.video.isToneMapped }, rungs.filter(\.video.isToneMapped)]
    }
    var branches: [PictureBranch] = []
    for group in groups where !group.isEmpty {
      branches.append(
        try PictureBranch(group, for: first, matrix: matrix, frameRate: frameRate))
    }
    return branches
  }

  /// Adds a decoded picture.
  func push(_ decoded: VideoFrame) throws(MediaError) {
    for rung in rungs { rung.note(decoded) }
    let frame = try toneMapping?.mapped(decoded) ?? decoded
    guard let filter else { return try pass(frame) }
    try filter.push(frame)
    try pull(filter)
  }

  /// Marks the end of the pictures.
  func finish() throws(MediaError) {
    if let filter {
      try filter.finish()
      try pull(filter)
    }
    for rung in rungs { try rung.finish() }
  }

  private func pull(_ filter: VideoFilter) throws(MediaError) {
    while let frame = try filter.next() { try pass(frame) }
  }

  private func pass(_ frame: VideoFrame) throws(MediaError) {
    for rung in rungs { try rung.push(frame, rate: filter?.frameRate) }
  }
}
