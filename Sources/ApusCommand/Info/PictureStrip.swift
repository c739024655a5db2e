// SPDX-License-Identifier: MIT

import ApusFacts
import ApusRecords
import HEVC

/// Pictures in decoding order, drawn side by side: a column for the size, the type, a mark below key frames.
struct PictureStrip {
  /// The number of characters of a line.
  let width: Int
  let palette: Palette
  /// The size that fills a column.
  var largest = 0
  private var row: [FrameFacts] = []
  private var first = 0

  init(width: Int, palette: Palette) {
    self.width = max(width - Self.margin, 8)
    self.palette = palette
  }

  /// The width of the margin, which has the number of the first picture.
  private static let margin = 9
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  mutating func add<Output: TextOutputStream>(_ picture: FrameFacts, to output: inout Output) {
    row.append(picture)
    if row.count == width { flush(to: &output) }
  }

  mutating func finish<Output: TextOutputStream>(to output: inout Output) {
    flush(to: &output)
    first = 0
  }

  private mutating func flush<Output: TextOutputStream>(to output: inout Output) {
    guard !row.isEmpty else { return }
    let number = String(first)
    let margin = String(repeating: " ", count: Self.margin)
    output.write(palette.place(String(margin.dropLast(number.count + 1)) + number) + " ")
    output.write(String(row.map(block)) + "\n")
    output.write(margin + row.map(letter).joined() + "\n")
    if row.contains(where: \.isKey) {
      var marks = row.map { $0.isKey ? "^" : " " }
      while marks.last == " " { marks.removeLast() }
      output.write(margin + marks.joined() + "\n")
    }
    first += row.count
    row.removeAll(keepingCapacity: true)
  }

  private func block(_ picture: FrameFacts) -> Character {
    let share = largest > 0 ? Double(picture.size) / Double(largest) : 0
    return Self.blocks[min(max(Int(share * 8), 0), 7)]
  }

  private func letter(_ picture: FrameFacts) -> String {
    switch picture.sliceType {
    case .i: palette.paint("I", .red)
    case .p: palette.paint("P", .blue)
    case .b: palette.paint("B", .green)
    case nil: "?"
    }
  }
}
