// SPDX-License-Identifier: MIT

internal import ApusMedia

extension PictureFormat {
  /// Returns the losses compared with the source, as text; of the size, only what makes sides even counts.
  func losses(from source: PictureFormat) -> [String] {
    var losses: [String] = []
    // A rotation swaps the sides of pictures.
    let sides = [(source.width, source.height), (source.height, source.width)]
    let isCut = sides.contains { side in
      let (columns, rows) = (side.0 - width, side.1 - height)
      return (columns, rows) != (0, 0) && (0...1).contains(columns) && (0...1).contains(rows)
    }
    if isCut {
      losses.append(
        "pictures of \(source.width)x\(source.height) are cut to \(width)x\(height), because encoded "
          + "sizes are even")
    }
    if chroma.rawValue < source.chroma.rawValue {
      losses.append(
        "colours are subsampled from \(source.chroma.ratio) to \(chroma.ratio)")
    }
    if bitDepth < source.bitDepth {
      losses.append("samples of \(source.bitDepth) bits are encoded with \(bitDepth)")
    }
    return losses
  }
}

extension Chroma {
  fileprivate var ratio: String { name.map(String.init).joined(separator: ":") }
}
