// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC
public import ISOBMFF

extension FileType {
  /// Creates the brands of a file of pictures, the first of which is the primary one: ISO/IEC 23008-12, 10.2 and B.4;
  /// ISO/IEC 23000-22, 10.
  ///
  /// - Parameter isSequence: whether there is also a track of pictures.
  public init(of photos: [NewPhoto], isSequence: Bool = false) {
    self.init()
    let isMain = photos.first?.picture.isMain ?? true
    majorBrand = isMain ? "heic" : "heix"
    compatibleBrands = ["mif1", majorBrand]
    if photos.contains(where: { $0.picture.isMain != isMain }) {
      compatibleBrands.append(isMain ? "heix" : "heic")
    }
    if isSequence { compatibleBrands += ["msf1", isMain ? "hevc" : "hevx", "iso8"] }
    if photos.contains(where: \.hasToneMap) { compatibleBrands.append("tmap") }
    if photos.allSatisfy(\.picture.isMIAF) { compatibleBrands.append("miaf") }
  }
}

extension NewPhoto {
  /// Whether the file has a tone map: ISO/IEC 23008-12, 10.2.6.
  fileprivate var hasToneMap: Bool {
    auxiliaries.contains { if case .gainMap = $0.use { true } else { false } }
  }
}

extension NewPicture {
  /// Whether decoders of Main or Main Still Picture can decode it.
  fileprivate var isMain: Bool {
    let flags = record.generalProfileCompatibilityFlags
    return [1, 3].contains(record.generalProfileIDC) || flags >> 30 & 1 == 1 || flags >> 28 & 1 == 1
  }

  /// Whether the picture conforms to MIAF: a grid must not end within a colour sample: ISO/IEC 23000-22, 7.3.11.4.2.
  fileprivate var isMIAF: Bool {
    !isGrid || (width % (1 << chroma.shiftX) == 0 && height % (1 << chroma.shiftY) == 0)
  }
}
