// SPDX-License-Identifier: MIT

/// A language as three 5-bit letters (ISO/IEC 14496-12, 8.4.2.3), or a QuickTime language number.
public struct Language: Hashable, Sendable, CustomStringConvertible {
  /// The code: three letters of 5 bits each, or a number below 0x400 in QuickTime's files.
  public var code: UInt16
  public init(code: UInt16) { self.code = code }

  /// Creates a language from three letters such as `deu`; `nil` for anything else.
  public init?(letters: String) {
    let bytes = Array(letters.utf8)
    guard bytes.count == 3, bytes.allSatisfy({ (0x61...0x7a).contains($0) }) else { return nil }
    code = bytes.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }

  /// Returns the three letters of ISO 639-2 (terminology codes); `und` if the code means no language.
  ///
  /// - Parameter isQuickTime: whether 0 is English, as in QuickTime's files. In other files it means unspecified.
  public func letters(isQuickTime: Bool) -> String {
    if code < 0x400 {
      guard code > 0 || isQuickTime, Int(code) < Self.macintosh.count else { return "und" }
      return String(Self.macintosh[Int(code)])
    }
    guard letters.allSatisfy({ (1...26).contains($0) }) else { return "und" }
    return String(decoding: letters.map { $0 + 0x60 }, as: UTF8.self)
  }

  /// The languages of Macintosh codes, in order: QuickTime File Format Specification, "Language Code Values".
  private static let macintosh = """
    eng fra deu ita nld swe spa dan por nor heb jpn ara fin ell isl mlt tur hrv zho urd hin tha kor lit pol hun est
    lav sme fao fas rus zho nld gle sqi ron ces slk slv yid srp mkd bul ukr bel uzb kaz aze aze hye kat ron kir tgk
    tuk mon mon pus kur kas snd bod nep san mar ben asm guj pan ori mal kan tam tel sin mya khm lao vie ind tgl msa
    msa amh tir orm som swa kin run nya mlg epo und und und und und und und und und und und und und und und und und
    und und und und und und und und und und und und und und und und cym eus cat lat que grn aym tat uig dzo jav
    """.split { $0 == " " || $0 == "\n" }

  public var description: String {
    guard code >= 0x400, code != 0x7fff else { return String(code) }
    return String(decoding: letters.map { $0 + 0x60 }, as: UTF8.self)
  }

  /// The letters by their places in the alphabet, from 1.
  private var letters: [UInt8] {
    [UInt16(10), 5, 0].map { shift -> UInt8 in UInt8(code >> shift & 31) }
  }
}
