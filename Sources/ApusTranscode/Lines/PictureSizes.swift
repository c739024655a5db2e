// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The sizes of the decoded pictures of a stream: pictures after the first are scaled to the size in which that was
/// encoded.
struct PictureSizes {
  private var first: (width: Int, height: Int)?
  private var last: (width: Int, height: Int)?
  /// The first changes; further ones are only counted.
  private var changes: [String] = []
  private var count = 0

  private static let most = 4

  mutating func add(width: Int, height: Int, at time: RationalTime) {
    guard let last else {
      (first, self.last) = ((width, height), (width, height))
      return
    }
    guard last != (width, height) else { return }
    self.last = (width, height)
    count += 1
    guard changes.count < Self.most else { return }
    let milliseconds = time.rounded(to: 1000).map { ", from \($0) ms on" } ?? ""
    changes.append("\(width)x\(height)\(milliseconds)")
  }

  /// Returns a description of the changes; nothing if all pictures have one size.
  ///
  /// - Parameter size: the size of the encoded pictures, if known.
  func words(codedAs size: (width: Int, height: Int)?) -> [String] {
    guard let first, count > 0 else { return [] }
    let more = count > changes.count ? "; and \(count - changes.count) more changes" : ""
    let end = size.map { ", and all are encoded as \($0.width)x\($0.height)" } ?? ""
    return [
      "its pictures change from \(first.width)x\(first.height) to "
        + changes.joined(separator: "; ") + more + end
    ]
  }
}
