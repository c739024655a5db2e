// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import Glibc

/// A message between a run and one of its worker processes.
struct WorkerMessage: SyntaxStructure {
  enum Kind: UInt8 {
    // From the run.
    /// A photo: its path, the folder in which it was found, and pairs of outputs that were made of it before.
    /// Its number in the run comes first among the numbers of this and every other message about it.
    case photo
    /// No further photo follows.
    case noMore
    /// Abandon what is being converted.
    case stop
    /// The owner of the requested output, in answer to `claim`.
    case answer

    // From the process.
    /// The report of a photo.
    case report
    /// May an output (the first word) be written for a photo?
    case claim
    /// A file, which the numbers tell from others, is about to become an output (the first word) of a photo.
    case finished
    /// An output (the first word) of a photo has a name (the second).
    case made
    /// A file (the first word) is being written for a photo, and is nothing unless it is finished.
    case begun
  }

  private(set) var kind = Kind.noMore
  private(set) var claim = OutputClaims.Claim.first
  private var texts: [FrameText] = []
  private(set) var numbers: [UInt64] = []
  /// Holds one report or none.
  private var reports: [ReportFrame] = []

  var words: [String] { texts.map(\.text) }
  var report: ReportFrame? { reports.first }

  init() {}

  init(_ kind: Kind, _ words: [String] = [], numbers: [UInt64] = []) {
    self.kind = kind
    self.numbers = numbers
    texts = words.map(FrameText.init)
  }

  /// Says something of a photo.
  init(_ kind: Kind, _ words: [String], of item: BatchItem, numbers: [UInt64] = []) {
    self.init(kind, words, numbers: [UInt64(item.number)] + numbers)
  }

  init(_ report: ReportFrame, of item: BatchItem) {
    self.init(.report, [], of: item)
    reports = [report]
  }

  init(answering claim: OutputClaims.Claim) {
    kind = .answer
    self.claim = claim
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var code = kind.rawValue
    try v.u(8, "kind", &code)
    guard let kind = Kind(rawValue: code) else {
      throw v.failure(.invalid, "kind", "is \(code), which is not known")
    }
    var answer = UInt8(OutputClaims.Claim.allCases.firstIndex(of: claim) ?? 0)
    try v.u(8, "claim", &answer)
    guard Int(answer) < OutputClaims.Claim.allCases.count else {
      throw v.failure(.invalid, "claim", "is \(answer), which is not known")
    }
    (self.kind, claim) = (kind, OutputClaims.Claim.allCases[Int(answer)])
    try v.list("words", &texts, count: v.count(32, "word_count", texts.count))
    try v.values(64, "numbers", &numbers, count: v.count(32, "number_count", numbers.count))
    try v.list("reports", &reports, count: v.count(32, "report_count", reports.count))
  }
}

/// Messages that come from a descriptor, put together from what each call of the system returns.
struct WorkerMessages {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  /// The number of bytes before these.
  private var consumed = 0

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for further bytes; `false` where none will come.
  mutating func receive() -> Bool {
    let (before, most) = (bytes.count, 1 << 14)
    bytes.append(contentsOf: repeatElement(0, count: most))
    var count: Int
    repeat {
      count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + before }, most)
      }
    } while count < 0 && errno == EINTR
    bytes.removeLast(most - max(count, 0))
    return count > 0
  }

  /// The next message that is whole; throws for what is none.
  mutating func next() throws(SyntaxError) -> WorkerMessage? {
    guard bytes.count >= MessageSize.bytes else { return nil }
    let size = MessageSize.size(bytes)
    guard size <= MessageSize.largest else {
      throw SyntaxError(
        .limit, field: "size", offset: consumed,
        detail: "of a message is \(size), at most "
          + "\(MessageSize.largest) are taken")
    }
    guard bytes.count - MessageSize.bytes >= size else { return nil }
    var reader = SyntaxReader(MemorySource(Array(bytes[MessageSize.bytes...].prefix(size))))
    var message = WorkerMessage()
    try message.syntax(&reader)
    bytes.removeFirst(MessageSize.bytes + size)
    consumed += MessageSize.bytes + size
    return message
  }
}
