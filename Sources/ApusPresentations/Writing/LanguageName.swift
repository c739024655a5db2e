// SPDX-License-Identifier: MIT

/// The names of languages in those languages themselves, from which their speakers choose.
enum LanguageName {
  /// Returns the name for a tag of RFC 5646; the tag itself where no name is known.
  static func of(_ tag: String) -> String { names[tag] ?? tag }

  private static let names = [
    "ar": "العربية", "bg": "Български", "bn": "বাংলা", "ca": "Català",
    "cs": "Čeština", "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά",
    "en": "English", "es": "Español", "et": "Eesti", "eu": "Euskara", "fa": "فارسی",
    "fi": "Suomi", "fr": "Français", "ga": "Gaeilge", "gl": "Galego", "he": "עברית",
    "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "id": "Bahasa Indonesia",
    "is": "Íslenska", "it": "Italiano", "ja": "日本語", "ko": "한국어", "lt": "Lietuvių",
    "lv": "Latviešu", "ms": "Bahasa Melayu", "nb": "Norsk bokmål", "nl": "Nederlands",
    "no": "Norsk", "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский",
    "sk": "Slovenčina", "sl": "Slovenščina", "sr": "Српски", "sv": "Svenska",
    "ta": "தமிழ்", "te": "తెలుగు", "th": "ไทย", "tr": "Türkçe",
    "uk": "Українська", "ur": "اردو", "vi": "Tiếng Việt", "zh": "中文",
  ]
}
