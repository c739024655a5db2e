// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import Glibc

/// A message from a run to one of its worker processes.
enum WorkerRequest: ProcessMessage {
  /// A photo to convert.
  case photo(WorkerItem)
  /// No further photo follows.
  case noMore
  /// Abandon what is being converted.
  case stop
  /// The answer to a claim.
  case answer(OutputClaims.Claim)
}

/// A photo as it is named to a worker process.
struct WorkerItem: Codable {
  let number: Int
  let name: InputName
  let fields: NameFields
  let wasCutShort: Bool
  let made: [String: String]

  init(_ item: BatchItem) {
    (number, name, fields) = (item.number, item.name, item.fields)
    (wasCutShort, made) = (item.wasCutShort, item.made)
  }

  func item(_ planner: (any FilePlanner)?) -> BatchItem {
    var item = BatchItem(name, number: number, fields, planner?.decision(on: name))
    (item.wasCutShort, item.made) = (wasCutShort, made)
    return item
  }
}

/// A message from a worker process to its run, about the photo with this number.
struct WorkerReply: ProcessMessage {
  enum Event: Codable {
    /// The photo is finished.
    case report(PhotoReport)
    /// The process asks whether it may write an output.
    case claim(String)
    case output(OutputState)
  }

  let item: Int
  let event: Event
}

/// Messages that come from a descriptor, put together from what each call of the system returns.
struct WorkerMessages<Message: ProcessMessage> {
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

  /// Returns the next complete message, or `nil` if there is none; throws if the bytes are not a message.
  mutating func next() throws(SyntaxError) -> Message? {
    guard bytes.count >= MessageSize.bytes else { return nil }
    let size = MessageSize.size(bytes)
    guard size <= MessageSize.largest else {
      throw SyntaxError(
        .limit, field: "size", offset: consumed,
        detail: "of a message is \(size), at most "
          + "\(MessageSize.largest) are taken")
    }
    guard bytes.count - MessageSize.bytes >= size else { return nil }
    let message: Message
    do {
      message = try Message(message: Array(bytes[MessageSize.bytes...].prefix(size)))
    } catch {
      throw SyntaxError(
        .invalid, field: "message", offset: consumed, detail: "cannot be read: \(error)")
    }
    bytes.removeFirst(MessageSize.bytes + size)
    consumed += MessageSize.bytes + size
    return message
  }
}
