// SPDX-License-Identifier: MIT

internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import Synchronization

/// The tags made from a sample, one for each form in which it is sent: made by one connection, they are sent by the
/// others too.
final class SharedTags: Sendable {
  /// The options on which the bytes of a tag depend, besides the sample.
  struct Form: Hashable {
    var dialect: HEVCDialect?
    var writesNanoseconds: Bool
    var place: FLVPlace
    /// Nanoseconds from decoding to presentation, which may differ where times of a stream had to be corrected.
    var offset: Int64

    /// Returns `nil` where nothing of the sample is sent, or its times are out of range.
    init?(of sample: CodedSample, _ placement: FLVPlacement, _ options: Packetizer.Options) {
      guard let place = placement.places[sample.track],
        let decode = sample.decodeTime.floored(to: 1_000_000_000),
        let presentation = sample.presentationTime.floored(to: 1_000_000_000)
      else { return nil }
      dialect = options.dialect
      writesNanoseconds = options.writesNanoseconds
      self.place = place
      offset = presentation &- decode
    }
  }

  private let tags = Mutex<[(form: Form, tag: OutgoingTag)]>([])

  subscript(form: Form) -> OutgoingTag? {
    get { tags.withLock { $0.first { $0.form == form }?.tag } }
    set {
      guard let newValue else { return }
      tags.withLock { $0.append((form, newValue)) }
    }
  }
}
