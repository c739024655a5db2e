// SPDX-License-Identifier: MIT

/// Languages as RFC 5646 names them: with the two letters of ISO 639-1 where a language has them.
package enum LanguageTag {
  /// Returns the tag for the three letters of ISO 639-2, and a tag unchanged; `nil` if they name no language.
  package static func of(_ letters: String) -> String? {
    guard !["und", "mis", "mul", "zxx", ""].contains(letters) else { return nil }
    return short[letters] ?? letters
  }

  /// Returns the three letters of ISO 639-2 for a tag, the terminological ones if there are two forms; `und` if there
  /// are none.
  package static func letters(of tag: String) -> String {
    let language = String(tag.prefix { $0 != "-" }).lowercased()
    if language.utf8.count == 3, language.utf8.allSatisfy({ (0x61...0x7a).contains($0) }) {
      return language
    }
    return long[language] ?? "und"
  }

  /// The three letters for each two. If there are two forms, the terminological one is last in the table.
  private static let long: [String: String] = {
    var result: [String: String] = [:]
    for pair in table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      result[String(pair.suffix(2))] = String(pair.prefix(3))
    }
    return result
  }()

  /// Both forms of ISO 639-2, terminological and bibliographic.
  private static let short: [String: String] = {
    var result: [String: String] = [:]
    for pair in table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      result[String(pair.prefix(3))] = String(pair.suffix(2))
    }
    return result
  }()

  private static let table = """
    aaraa abkab afraf akaak albsq sqisq amham araar argan armhy hyehy asmas avaav aveae aymay azeaz bakba
    bambm baqeu euseu belbe benbn bihbh bisbi bosbs brebr bulbg burmy myamy catca chach chece chizh zhozh
    chucu chvcv corkw cosco crecr czecs cescs danda divdv dutnl nldnl dzodz engen epoeo estet eweee faofo
    fijfj finfi frefr frafr fryfy fulff geoka katka gerde deude glagd glega glggl glvgv greel ellel grngn
    gujgu hatht hauha hebhe herhz hinhi hmoho hrvhr hunhu iboig iceis islis idoio iiiii ikuiu ileie
    inaia indid ipkik itait javjv jpnja kalkl kankn kasks kaukr kazkk khmkm kikki kinrw kirky komkv konkg
    korko kuakj kurku laolo latla lavlv limli linln litlt ltzlb lublu luglg macmk mkdmk mahmh malml maomi
    mrimi marmr mayms msams mlgmg mltmt monmn nauna navnv nblnr ndend ndong nepne nnonn nobnb norno nyany
    ocioc ojioj orior ormom ossos panpa perfa fasfa plipi polpl porpt pusps quequ rohrm rumro ronro runrn
    rusru sagsg sansa sinsi slosk slksk slvsl smese smosm snasn sndsd somso sotst spaes srdsc srpsr sswss
    sunsu swasw swesv tahty tamta tattt telte tgktg tgltl thath tibbo bodbo tirti tonto tsntn tsots
    tuktk turtr twitw uigug ukruk urdur uzbuz venve vievi volvo welcy cymcy wlnwa wolwo xhoxh yidyi yoryo
    zhaza zulzu
    """
}
