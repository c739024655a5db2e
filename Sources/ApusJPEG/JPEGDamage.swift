// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusJPEG

/// The damage in the entropy-coded data or the segments of a JPEG. libjpeg accepts codes that do not exist and runs
/// beyond the last coefficient, which ITU-T T.81 forbids (annexes F and G).
///
/// No sample is decoded to find it. An arithmetically coded JPEG is not checked, because libjpeg itself detects its
/// damage.
public struct JPEGDamage: Hashable, Sendable {
  /// The class of the damage; `incomplete` if the JPEG ends too early.
  public let kind: MediaError.Kind
  /// The offset from SOI of the byte at which the damage appears.
  public let offset: Int
  /// The description of the damage, without its offset.
  public let message: String

  /// Checks a JPEG; `nil` if it is intact.
  ///
  /// - Parameter next: returns the next bytes, at most as many as requested, and none at the end.
  public init?(
    reading next: @escaping (Int) throws(MediaError) -> [UInt8]
  ) throws(MediaError) {
    let feed = JPEGFeed(next)
    var damage = apus_jpeg_damage()
    let context = unsafe Unmanaged.passUnretained(feed).toOpaque()
    let outcome = unsafe apus_jpeg_walk(nil, 0, JPEGFeed.copy, context, &damage)
    try feed.check()
    self.init(outcome, damage)
  }

  /// Checks a JPEG in memory; `nil` if it is intact.
  @unsafe init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var damage = apus_jpeg_damage()
    let outcome = unsafe apus_jpeg_walk(bytes.baseAddress, bytes.count, nil, nil, &damage)
    self.init(outcome, damage)
  }

  private init?(_ outcome: CInt, _ damage: apus_jpeg_damage) {
    guard outcome != APUS_JPEG_OK else { return nil }
    kind = MediaError.Kind(jpeg: outcome)
    offset = damage.offset
    message = unsafe withUnsafeBytes(of: damage.message) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The damage as an error whose message includes the offset.
  public var error: MediaError { MediaError(kind, "at byte \(offset): \(message)") }
}
