// SPDX-License-Identifier: MIT

public import Media
internal import Synchronization

/// Finds how bright a PQ or HLG picture is: in a first pass over its bands, in any order and by any workers.
public final class PeakMeter: Sendable {
  private let reader: ChannelReader
  private let curve: HDRCurve
  private let primaries: Primaries
  /// How often the greatest of red, green and blue has a place on the scale of PQ.
  private let counts = Mutex([Int](repeating: 0, count: PeakMeter.places))

  private static let places = 4096

  /// `nil` for pictures that are not HDR.
  public init?(_ format: PictureFormat, colour: ColourDescription) throws(PictureError) {
    guard colour.isHDR else { return nil }
    let matrix: MatrixCoefficients =
      format.chroma == .monochrome ? .bt601 : try MatrixCoefficients(of: colour)
    reader = ChannelReader(
      format, matrix.decoding(bitDepth: format.bitDepth, isFullRange: colour.isFullRange),
      channels: 3)
    curve = colour.transfer == 16 ? .pq : .hlg
    primaries = Primaries(codePoint: colour.primaries) ?? .bt709
  }

  /// Adds the light of a band.
  @unsafe public func add(_ band: PictureView) {
    let rows = ChannelRows(reader)
    let tables = HDRTables(curve, primaries, tone: ToneCurve(peak: 0))
    let scale = LightTable(count: Self.places) { root in
      PQ.value(HLG.peak * root * root * root * root)
    }
    var found = [Int](repeating: 0, count: Self.places)
    let (width, height) = unsafe (reader.format.width, band.format.height)
    for top in stride(from: 0, to: height, by: 2) {
      let count = min(2, height - top)
      unsafe rows.readColours(band, top: top, count: count, widening: 0..<3)
      unsafe rows.readChannels(band, top: top, count: count, channels: 0..<3)
      for row in 0..<count {
        let greatest = unsafe rows.spare(0)
        unsafe tables.light(
          rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: width, spare: greatest)
        if curve == .hlg { unsafe scale.look(up: greatest, count: width) }
        for x in 0..<width {
          let place = unsafe min(max(greatest[x], 0), 1) * Float(Self.places - 1)
          found[Int(place.rounded())] += 1
        }
      }
    }
    counts.withLock { counts in
      for place in counts.indices { counts[place] += found[place] }
    }
  }

  /// The luminance in cd/m² that a part of the picture lies below or at; 0 where nothing was added.
  public func luminance(above part: Double) -> Double {
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
