// SPDX-License-Identifier: MIT

import ApusDe265
import ApusFFmpeg
import ApusIntra
import ApusMedia
import Glibc

/// The coded pictures of one photo, changed and decoded.
final class Trial {
  private let name: String
  private let pictures: [CodedPicture]
  private let framing: UnitFraming
  private let decoder = IntraDecoder()
  /// Decoded before anything was changed, as far as they were needed.
  private var whole: [Int: Decoded] = [:]

  init(_ name: String, _ pictures: [CodedPicture]) throws {
    guard let first = pictures.first, let framing = UnitFraming(first) else {
      throw MediaError(.misuse, "\(name) holds no HEVC picture")
    }
    (self.name, self.pictures, self.framing) = (name, pictures, framing)
  }

  func run(_ count: Int, seed: UInt64, findings folder: String, _ tally: inout Tally) throws {
    var dice = Dice(seed)
    for number in 0..<count {
      let index = Int.random(in: pictures.indices, using: &dice)
      let change = Change.allCases[number % Change.allCases.count]
      let damaged = try damaged(pictures[index], change, &dice)
      let undamaged = try undamaged(index)
      let decoded = Decoded(damaged, by: decoder)
      var (outcome, words) = (Outcome.refused, "")
      if decoded.error == nil {
        outcome = decoded == undamaged ? .same : .agreed
        if outcome == .agreed {
          words = try doubts(damaged, decoded)
          if !words.isEmpty { outcome = .finding }
        }
      }
      tally.add(name, change, outcome)
      if outcome == .finding {
        print("\(name), \(number), picture \(index), \(change.rawValue): \(words)")
        try keep(damaged, at: "\(folder)/\(name)-\(number)")
      }
    }
    // What damaged pictures leave behind does not touch the next one.
    for (index, undamaged) in whole where Decoded(pictures[index], by: decoder) != undamaged {
      throw MediaError(.misuse, "\(name), picture \(index) is another after damaged ones")
    }
  }

  private func undamaged(_ index: Int) throws -> Decoded {
    if let known = whole[index] { return known }
    let decoded = Decoded(pictures[index], by: decoder)
    if let error = decoded.error { throw error.inside("\(name), picture \(index) ") }
    whole[index] = decoded
    return decoded
  }

  /// The picture with one of its slice segments changed.
  private func damaged(_ picture: CodedPicture, _ change: Change, _ dice: inout Dice) throws
    -> CodedPicture
  {
    var units = units(of: picture)
    let slices = units.indices.filter { units[$0][0] >> 1 & 63 < 32 }
    let donor = pictures[Int.random(in: pictures.indices, using: &dice)]
    guard let slice = slices.randomElement(using: &dice),
      let other = self.units(of: donor).first(where: { $0[0] >> 1 & 63 < 32 })
    else { throw MediaError(.misuse, "\(name) has a picture without slices") }
    change.apply(to: &units[slice], other, &dice)
    var changed = picture
    changed.samples = [
      units.flatMap { unit in
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
      }
    ]
    return changed
  }

  private func units(of picture: CodedPicture) -> [[UInt8]] {
    framing.units(of: picture.samples[0]).map { Array(picture.samples[0][$0]) }
  }

  /// What others see in a picture that ours took: nothing where they see the same and complain of nothing.
  private func doubts(_ picture: CodedPicture, _ decoded: Decoded) throws -> String {
    let others: [any PictureDecoder] = [try FFmpegDecoder(), try De265Decoder()]
    let seen = others.map { ($0.name, Decoded(picture, by: $0)) }
    guard seen.contains(where: { $0.1 != decoded }) else { return "" }
    return seen.map { "\($0.0): \(decoded.difference(to: $0.1))" }.joined(separator: "; ")
  }

  /// In the form of seeds of the fuzz target `intra`.
  private func keep(_ picture: CodedPicture, at path: String) throws {
    let size = picture.configuration.count
    let bytes =
      [UInt8(size >> 8 & 255), UInt8(size & 255)] + picture.configuration + picture.samples[0]
    guard let file = unsafe fopen(path, "wb") else {
      throw MediaError(.io, "\(path) cannot be written")
    }
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }
}
