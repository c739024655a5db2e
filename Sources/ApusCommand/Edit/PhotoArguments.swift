// SPDX-License-Identifier: MIT

import ApusMetadata
import ApusStills
import ISOBMFF

/// A value to set: a field of a box, or a property of a photo by its name.
enum SetArgument: ArgumentValue {
  case field(FieldChange)
  case property(PhotoProperty, String)

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    let name = String(argument[..<equals])
    if let property = PhotoProperty(rawValue: name) {
      let value = String(argument[argument.index(after: equals)...])
      guard property.change(to: value) != nil else { return nil }
      self = .property(property, value)
    } else if let change = FieldChange(argument: argument) {
      self = .field(change)
    } else {
      return nil
    }
  }

  static let expected =
    "PATH/FIELD=VALUE, such as moov/mvhd/timescale=1000; title=, caption=, creator= or copyright=TEXT; "
    + "keywords=A,B; rating=-1 to 5; date=2024-01-31T12:00:00+01:00 or +2h; zone=+01:00; "
    + "gps=48.8584,2.2945,35"

  var argument: String {
    switch self {
    case .field(let change): change.argument
    case .property(let property, let value): "\(property.rawValue)=\(value)"
    }
  }
}

/// A property of a photo that `--set` names.
enum PhotoProperty: String {
  case title, caption, creator, copyright, keywords, rating, date, zone, gps

  /// Returns the change that a value means; `nil` if the property cannot have it.
  func change(to value: String) -> ((inout MetadataEdits) -> Void)? {
    switch self {
    case .title: return { $0.texts.title = value }
    case .caption: return { $0.texts.caption = value }
    case .creator: return { $0.texts.creator = value }
    case .copyright: return { $0.texts.copyright = value }
    case .keywords:
      let words = value.split(separator: ",").map { String($0.trimmingBlanks) }
      return { $0.texts.keywords = words.filter { !$0.isEmpty } }
    case .rating:
      guard let rating = Int(value), (-1...5).contains(rating) else { return nil }
      return { $0.rating = rating }
    case .date:
      guard let change = Self.timeChange(value) else { return nil }
      return { $0.time = change }
    case .zone:
      guard let zone = PhotoTime.zone(value) else { return nil }
      return { $0.zone = zone }
    case .gps:
      let numbers = value.split(separator: ",").map { Double($0.trimmingBlanks) }
      guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
        numbers.allSatisfy({ $0 != nil }),
        let position = ExifPosition(
          latitude: latitude, longitude: longitude, altitude: numbers.count > 2 ? numbers[2] : nil)
      else { return nil }
      return { $0.position = position }
    }
  }

  /// A time, or `+2h` and `-1h30m` to shift it.
  private static func timeChange(_ value: String) -> MetadataEdits.TimeChange? {
    if value.first == "+" || value.first == "-" {
      guard value.last?.isLetter == true, let time = MediaTime(argument: String(value.dropFirst()))
      else { return nil }
      let seconds = Int(time.milliseconds / 1000)
      return .shift(value.first == "-" ? -seconds : seconds)
    }
    return PhotoTime(value).map { .set($0) }
  }
}

/// Something to remove: a box by its path, or a part of a photo by its name.
enum RemovalArgument: ArgumentValue {
  case box(BoxPath)
  case part(PhotoEdits.Part)

  init?(argument: String) {
    if let part = PhotoEdits.Part(rawValue: argument) {
      self = .part(part)
    } else if let path = BoxPath(argument) {
      self = .box(path)
    } else {
      return nil
    }
  }

  static let expected =
    "the path of a box, or " + PhotoEdits.Part.allCases.map(\.rawValue).joined(separator: ", ")

  var argument: String {
    switch self {
    case .box(let path): path.description
    case .part(let part): part.rawValue
    }
  }
}

/// Something to strip: a kind of metadata, or what a phone adds to a photo.
enum StripArgument: ArgumentValue {
  case metadata(MetadataEdits.Strip)
  case part(PhotoEdits.Part)

  private static let parts: [PhotoEdits.Part] = [.motion, .trailer, .c2pa]

  init?(argument: String) {
    if let kind = MetadataEdits.Strip(rawValue: argument) {
      self = .metadata(kind)
    } else if let part = PhotoEdits.Part(rawValue: argument), Self.parts.contains(part) {
      self = .part(part)
    } else {
      return nil
    }
  }

  static let expected =
    (MetadataEdits.Strip.allCases.map(\.rawValue) + parts.map(\.rawValue)).joined(separator: ", ")

  var argument: String {
    switch self {
    case .metadata(let kind): kind.rawValue
    case .part(let part): part.rawValue
    }
  }
}

/// The forms in which the gain map of a photo is described without re-encoding it.
enum EditedGainMap: String, CaseIterable, ArgumentValue {
  case both
}

/// The longer side of a thumbnail that is added to a photo; by default it depends on the kind of file.
struct AddedThumbnail: ArgumentValue {
  var side: ThumbnailSide?

  init() {}
  init?(argument: String) {
    guard argument != "auto" else { return }
    guard let side = ThumbnailSide(argument: argument) else { return nil }
    self.side = side
  }

  static var expected: String { ThumbnailSide.expected }
  var argument: String { side?.argument ?? "auto" }
}

extension Substring {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
