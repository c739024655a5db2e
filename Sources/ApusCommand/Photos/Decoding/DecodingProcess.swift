// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills
import ApusThreads
import Glibc

/// A confined process in which one C library decodes, as the thread sees it for which it does so.
final class DecodingProcess {
  /// The library and its version.
  private(set) var name = ""
  private(set) var isEnded = false
  private let channel: DecodingChannel
  private let process: pid_t

  init(_ library: LoadedDecoder) throws(MediaError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw MediaError(FileError("make", "a pair of sockets"))
    }
    defer { close(ends[1]) }
    channel = DecodingChannel(descriptor: ends[0])
    let started = OwnProcess.start(
      [DecodeWorker.name, library.rawValue], descriptors: [(ends[1], DecodeWorker.channel)],
      isConfined: true)
    process = started.process
    guard started.code == 0 else {
      isEnded = true
      throw MediaError(FileError("start", "a process to decode in", code: started.code))
    }
    switch channel.receive(DecodeReply.self) {
    case .ready(let name): self.name = name
    case .failed(let failure):
      _ = end()
      throw failure
    case .picture, .done, nil: throw crash()
    }
  }

  deinit {
    close(channel.descriptor)
    guard !isEnded else { return }
    kill(process, SIGKILL)
    // A process with many libraries takes milliseconds to end, so another thread waits for it.
    let process = process
    let isStarted = Thread.start { _ = OwnProcess.wait(for: process) }
    if !isStarted { _ = OwnProcess.wait(for: process) }
  }

  /// Decodes a picture as `SalvagingDecoder.attempt` does.
  func decode(
    _ picture: CodedPicture, isStrict: Bool, threads: Int,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    let request = try DecodeRequest(picture, isStrict: isStrict, threads: threads)
    guard send(request, picture) else { throw crash() }
    var isHanded = false
    var refusal: MediaError?
    while let reply = channel.receive(DecodeReply.self) {
      switch reply {
      case .picture:
        guard !isHanded, let format = reply.format else { throw crash() }
        guard format.width * format.height <= picture.pixelLimit else {
          _ = end()
          throw MediaError(
            .limit,
            "decodes to \(format.width) × \(format.height) samples, where "
              + "\(picture.pixelLimit) are allowed")
        }
        guard let planes = channel.receivePicture(format) else { throw crash() }
        isHanded = true
        do throws(MediaError) { try unsafe body(planes.view) } catch { refusal = error }
      case .done:
        guard isHanded else { throw crash() }
        if let refusal { throw refusal }
        return
      case .failed(let failure): throw refusal ?? failure
      case .ready: throw crash()
      }
    }
    throw crash()
  }

  private func send(_ request: DecodeRequest, _ picture: CodedPicture) -> Bool {
    let writer = DescriptorWriter(channel.descriptor, name: "a process to decode in")
    do {
      try request.send(to: writer)
      for sample in picture.samples { try writer.write(sample.span) }
      try writer.flush()
      return true
    } catch {
      return false
    }
  }

  /// Ends it, if it has not, and says so: it is gone, or what it says makes no sense.
  private func crash() -> MediaError {
    let ending = end()
    return MediaError(
      ending.isFault ? .crash : .limit, "the process that decoded it \(ending.text)")
  }

  private func end() -> ProcessEnding {
    guard !isEnded else { return ProcessEnding(text: "is gone") }
    isEnded = true
    // One that is about to end keeps the status that it has.
    kill(process, SIGKILL)
    return ProcessEnding(status: OwnProcess.wait(for: process))
  }
}
