// SPDX-License-Identifier: MIT

public import ApusMedia

/// The similarity of the pictures in a written video to those that its encoder got.
public struct VideoQuality: Sendable {
  /// The rung of a ladder, if it is one.
  public internal(set) var rung: Ladder.Rung?
  /// The size of the compared pictures in pixels; 0 before the first.
  public internal(set) var size: (width: Int, height: Int) = (0, 0)
  /// The number of pictures that were compared.
  public private(set) var count = 0
  /// The times of pictures that the encoder got but that are not in the written video.
  public private(set) var missing: [RationalTime] = []
  /// The times of pictures in the written video that the encoder did not get.
  public private(set) var extra: [RationalTime] = []
  /// The total numbers of missing and extra pictures, of which only the first are listed.
  public private(set) var missingCount = 0
  /// The total number of extra pictures, of which only the first are listed.
  public private(set) var extraCount = 0
  /// The pictures with the largest errors, the worst first.
  public private(set) var worst: [PictureLikeness] = []
  /// The picture with the lowest structural similarity.
  public private(set) var leastSimilar: PictureLikeness?

  private var errors: [Double] = []
  private var error = 0.0
  private var similarities: [(sum: Double, count: Int)] = []
  private var similarity = (sum: 0.0, count: 0)

  /// The number of pictures listed.
  private static let listed = 5

  /// The ratio for the mean error of each plane, in decibels.
  public var psnrOfPlanes: [Double] {
    errors.map { PictureLikeness.decibels($0 / Double(max(count, 1))) }
  }
  /// The ratio for the mean error of all samples, in decibels.
  public var psnr: Double { PictureLikeness.decibels(error / Double(max(count, 1))) }
  /// The mean similarity of each plane; `nil` for planes of fewer than 8 × 8 samples.
  public var similarityOfPlanes: [Double?] {
    similarities.map { $0.count > 0 ? $0.sum / Double($0.count) : nil }
  }
  /// The mean similarity of all planes, weighted by their numbers of samples.
  public var meanSimilarity: Double? {
    similarity.count > 0 ? similarity.sum / Double(similarity.count) : nil
  }

  mutating func add(_ picture: PictureLikeness) {
    count += 1
    if errors.isEmpty {
      errors = picture.errors.map { _ in 0 }
      similarities = picture.errors.map { _ in (0, 0) }
    }
    for plane in picture.errors.indices {
      errors[plane] += picture.errors[plane]
      guard let similarity = picture.similarities[plane] else { continue }
      similarities[plane].sum += similarity
      similarities[plane].count += 1
    }
    error += picture.error
    if let similarity = picture.similarity {
      self.similarity.sum += similarity
      self.similarity.count += 1
      if leastSimilar?.similarity.map({ similarity < $0 }) ?? true { leastSimilar = picture }
    }
    let place = worst.firstIndex { $0.error < picture.error } ?? worst.count
    worst.insert(picture, at: place)
    if worst.count > Self.listed { worst.removeLast() }
  }

  mutating func addMissing(at time: RationalTime) {
    missingCount += 1
    if missing.count < Self.listed { missing.append(time) }
  }

  mutating func addExtra(at time: RationalTime) {
    extraCount += 1
    if extra.count < Self.listed { extra.append(time) }
  }
}
