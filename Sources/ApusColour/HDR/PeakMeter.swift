// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusPixel
internal import Synchronization

/// Measures the brightness of a PQ or HLG picture in a first pass over its bands, in any order and by any worker.
public final class PeakMeter: Sendable {
  private let reader: ChannelReader
  private let curve: HDRCurve
  private let tables: HDRTables
  /// The index on the scale of PQ by the fourth root of HLG's light.
  private let scale: LightTable
  /// The histogram of the greatest of red, green and blue on the scale of PQ.
  private let counts: Mutex<[Int]>

  private static let places = 4096

  /// Creates a meter; `nil` for pictures that are not HDR.
  public init?(_ format: PictureFormat, colour: ColourDescription) throws(MediaError) {
    guard colour.isHDR else { return nil }
    let matrix = try MatrixCoefficients(of: colour, for: format)
    reader = ChannelReader(
      format, matrix.decoding(bitDepth: format.bitDepth, isFullRange: colour.isFullRange),
      channels: 3)
    curve = colour.transfer == 16 ? .pq : .hlg
    tables = HDRTables(curve, tone: ToneCurve(peak: 0))
    scale = LightTable(count: Self.places) { PQ.value(HLG.peak * $0 * $0 * $0 * $0) }
    // Last, because a picture that is not HDR needs no counts.
    counts = Mutex([Int](repeating: 0, count: Self.places))
  }

  /// Adds the light of a band.
  @unsafe public func add(_ band: PictureView) {
    var format = reader.format
    format.height = unsafe band.format.height
    precondition(unsafe band.format == format)
    let rows = ChannelRows(reader)
    // Four counts for each index: see `apus_count_light`.
    var found = [SIMD4<UInt32>](repeating: .zero, count: Self.places)
    let (width, height) = (format.width, format.height)
    for top in stride(from: 0, to: height, by: 2) {
      let count = min(2, height - top)
      unsafe rows.readColours(band, top: top, count: count, widening: 0..<3)
      unsafe rows.readChannels(band, top: top, count: count, channels: 0..<3)
      for row in 0..<count {
        let greatest = unsafe rows.spare(0)
        unsafe tables.measure(rows, row, count: width)
        if curve == .hlg { unsafe scale.look(up: greatest, count: width) }
        unsafe LightKernels.spread(greatest, count: width, over: Float(Self.places - 1))
        unsafe found.withUnsafeMutableBufferPointer { found in
          guard let base = found.baseAddress else { return }
          let counts = unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt32.self)
          let start = unsafe apus_count_light(LightKernels.wide, greatest, width, counts)
          for x in start..<width {
            // Rounds to the nearest without calling the C library.
            let place = unsafe greatest[x]
            let below = Int(place)
            let nearest = place - Float(below) < 0.5 ? below : below &+ 1
            unsafe counts[nearest &* 4 &+ x & 3] &+= 1
          }
        }
      }
    }
    counts.withLock { counts in
      for place in counts.indices { counts[place] += Int(found[place].wrappedSum()) }
    }
  }

  /// Returns the luminance in cd/m² at or below which a fraction of the picture lies; 0 if nothing was added.
  public func quantile(_ part: Double) -> Double {
    counts.withLock { counts in
      let total = counts.reduce(0, +)
      guard total > 0 else { return 0 }
      var below = 0
      for place in counts.indices {
        below += counts[place]
        if Double(below) >= part * Double(total) {
          return PQ.luminance(Double(place) / Double(Self.places - 1))
        }
      }
      return 10000
    }
  }
}
