// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusMath

/// A decoded gain map to be applied, with its codes and their meaning.
///
/// Several threads may fill bands at once, each with separate rows; the map is read once all are complete.
@safe public final class GainMapSamples: @unchecked Sendable {
  /// The width of the map in samples.
  public let width: Int
  /// The height of the map in samples.
  public let height: Int
  /// The number of channels: 1, or 3 if red, green and blue have separate codes.
  public let channels: Int
  private let codes: UnsafeMutablePointer<UInt8>
  /// The logarithms of gains for each code, with the last one repeated.
  private let gains: [[Float]]
  let parameters: GainMapParameters

  /// - Parameter appleHeadroom: the headroom as a linear factor, if codes are Apple's.
  public init(
    width: Int, height: Int, channels: Int, parameters: GainMapParameters, appleHeadroom: Double?
  ) {
    self.width = width
    self.height = height
    self.channels = channels
    self.parameters = parameters
    unsafe codes = .allocate(capacity: width * height * channels)
    unsafe codes.initialize(repeating: 0, count: width * height * channels)
    gains = (0..<3).map { channel in
      let values = parameters.channels[min(channel, parameters.channels.count - 1)]
      let table = (0...255).map { code -> Float in
        let value = Double(code) / 255
        if let appleHeadroom {
          return Float(log2(1 + (appleHeadroom - 1) * TransferCurve.bt709.light(value)))
        }
        let span = values.maximum - values.minimum
        return Float(values.minimum + span * pow(value, 1 / values.gamma))
      }
      return table + [table[255]]
    }
  }

  deinit { unsafe codes.deallocate() }

  /// Stores rows of interleaved samples.
  @unsafe public func fill(_ band: PictureView, at top: Int) {
    let (rows, count) = unsafe (band.format.height, band.format.width)
    precondition(count == width * channels && top >= 0 && top + rows <= height)
    for row in 0..<rows {
      let line = unsafe band.line(row, ofPlane: 0).assumingMemoryBound(to: UInt8.self)
      unsafe (codes + (top + row) * count).update(from: line, count: count)
    }
  }

  /// Multiplies the light of a row: ISO 21496-1, 6.
  ///
  /// - Parameters:
  ///   - weight: the weight of the map, from -1 to 1.
  ///   - y: the index of the row in the whole picture.
  ///   - height: the height of the whole picture.
  func apply(
    weight: Float, to rows: borrowing ChannelRows, _ row: Int, width: Int, at y: Int,
    of height: Int
  ) {
    let scaleX = Float(self.width) / Float(width)
    let mapY = (Float(y) + 0.5) * Float(self.height) / Float(height) - 0.5
    let values = parameters.channels
    let isGrey = channels == 1 && values.count == 1
    for x in 0..<width {
      let mapX = (Float(x) + 0.5) * scaleX - 0.5
      var gain = exp2f(weight * self.gain(0, x: mapX, y: mapY))
      for channel in 0..<3 {
        if channel > 0, !isGrey { gain = exp2f(weight * self.gain(channel, x: mapX, y: mapY)) }
        let own = values[min(channel, values.count - 1)]
        let line = unsafe rows.value(row, channel)
        unsafe line[x] = (line[x] + Float(own.baseOffset)) * gain - Float(own.alternateOffset)
      }
    }
  }

  /// Returns the logarithm of the gain at a position in the picture to which the map belongs.
  func gain(_ channel: Int, x: Float, y: Float) -> Float {
    let column = min(max(x, 0), Float(width - 1))
    let row = min(max(y, 0), Float(height - 1))
    let (left, top) = (Int(column), Int(row))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (partX, partY) = (column - Float(left), row - Float(top))
    let plane = channels == 1 ? 0 : channel
    func code(_ x: Int, _ y: Int) -> Float {
      Float(unsafe codes[(y * width + x) * channels + plane])
    }
    let above = code(left, top) + partX * (code(right, top) - code(left, top))
    let below = code(left, bottom) + partX * (code(right, bottom) - code(left, bottom))
    let value = above + partY * (below - above)
    let whole = Int(value)
    let low = gains[channel][whole]
    return low + (value - Float(whole)) * (gains[channel][whole + 1] - low)
  }
}
