// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A conversion with real numbers: another matrix, interleaved pixels, alpha, other light. It is created once for a
/// picture, and applied by `BandPass`.
final class PixelConversion: Sendable {
  let reader: ChannelReader
  let target: TargetSamples
  let light: LightTransform?
  let interpolation: ColourInterpolation
  /// The height of the whole picture.
  let height: Int
  /// The matrix and offsets from R′G′B′ after `light` to the channels of the output; without light, the reader produces
  /// those directly.
  let mixing: [SIMD4<Float>]
  let alpha: AlphaDescription?
  /// The background, in units of the output.
  let background: SIMD3<Float>
  let zero: SIMD3<Float>
  /// The offsets added before rounding, by rows of the dither pattern.
  let offsets: [Float]

  init(
    _ format: PictureFormat, _ decoding: Affine3, target: TargetSamples, light: LightTransform?,
    interpolation: ColourInterpolation, alpha: AlphaDescription?
  ) {
    let encoding = target.encoding
    reader =
      light == nil
      ? ChannelReader(format, decoding.then(encoding), channels: target.channelCount)
      : ChannelReader(format, decoding, channels: 3)
    mixing = (0..<target.channelCount).map {
      SIMD4<Float>(SIMD4<Double>(encoding.matrix.rows[$0], encoding.offset[$0]))
    }
    self.target = target
    self.light = light
    self.interpolation = interpolation
    height = format.height
    self.alpha = alpha
    let behind = (alpha?.background ?? []) + [255, 255, 255]
    let colour = SIMD3<Double>(behind.prefix(3).map { Double($0) / 255 })
    background = SIMD3<Float>(encoding.matrix * colour + encoding.offset)
    zero = SIMD3<Float>(encoding.offset)
    // Values from a tone curve change more steeply than the original codes, so dithering would add nothing.
    let isDithered = format.bitDepth > target.bitDepth && light?.isToneMapping != true
    offsets = isDithered ? Dither.offsets : Dither.noOffsets
  }

  /// - Parameter y: the index of the first row in the whole picture.
  @unsafe func convert(
    _ band: PictureView, alpha: PictureView?, edges: ColourEdges, at y: Int, into output: Picture
  ) {
    if target.bitDepth == 8 {
      unsafe BandPass<UInt8>(self, band, alpha: alpha, edges: edges, at: y, into: output).run()
    } else {
      unsafe BandPass<UInt16>(self, band, alpha: alpha, edges: edges, at: y, into: output).run()
      if target.bitDepth < 16 { output.clamp() }
    }
  }
}

extension TargetSamples {
  /// The number of colour channels, without alpha.
  var channelCount: Int {
    switch self {
    case .jpeg(let chroma): chroma == .monochrome ? 1 : 3
    case .coded(let coded): coded.chroma == .monochrome ? 1 : 3
    case .planes: 3
    case .pixels(let layout, _): layout.colourCount
    }
  }

  /// The transformation from R′G′B′ to the channels in their units. Grey is BT.601 luma.
  var encoding: Affine3 {
    let ycc = MatrixCoefficients.bt601.fromRGB
    let top = Double(1 << bitDepth - 1)
    switch self {
    case .coded(let coded): return coded.encoding
    case .jpeg, .planes:
      return Affine3(ycc).then(
        Affine3(Matrix3(diagonal: [255, 255, 255]), offset: [0, 128, 128]))
    case .pixels(.grey, _), .pixels(.greyAlpha, _):
      return Affine3(ycc).then(Affine3(Matrix3(diagonal: [top, top, top])))
    case .pixels: return Affine3(Matrix3(diagonal: [top, top, top]))
    }
  }
}

extension Picture {
  /// Limits words to the maximum code of their bit depth.
  fileprivate func clamp() {
    let largest = UInt16(truncatingIfNeeded: 1 << format.bitDepth - 1)
    for plane in 0..<format.planeCount {
      let count = format.width(ofPlane: plane)
      for row in 0..<format.height(ofPlane: plane) {
        let line = unsafe (self.plane(plane) + row * strides[plane])
          .assumingMemoryBound(to: UInt16.self)
        for column in 0..<count { unsafe line[column] = min(line[column], largest) }
      }
    }
  }
}
