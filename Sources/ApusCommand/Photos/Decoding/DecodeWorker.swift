// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills
import CApusSandbox
import Glibc

/// `apus decode-worker`: a process that decodes pictures with one C library, and gives up everything else before it gets the
/// first one.
struct DecodeWorker: Verb {
  static let name = "decode-worker"
  static let summary = "decode pictures for another process"
  static let examples: [Example] = []

  /// The descriptor by which it finds the process that started it.
  static let channel: Int32 = 3

  var library = LoadedDecoder.libavcodec

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("LIBRARY", &library, "what decodes")
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    Confinement.prepare(closingFrom: Self.channel + 1)
    // The input and the output of the user are not for this process.
    let nothing = FileSystem.open("/dev/null", O_RDWR)
    guard nothing >= 0 else { throw FileError("open", "/dev/null") }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO] { dup2(nothing, descriptor) }
    close(nothing)

    let channel = DecodingChannel(descriptor: Self.channel)
    let writer = DescriptorWriter(Self.channel, name: "the process that decodes")
    do {
      // Loaded before, since it may be in a folder that only the system knows of.
      let decoder = try library.load(salvaging: false, threads: 1)
      try Confinement.begin(IsolationLimits(addressMebibytes: .max), nil)
      try send(.ready(decoder.name), to: writer)
      try serve(channel, writer, decoder)
      return .done
    } catch {
      try send(.failed(MediaError(error)), to: writer)
      return .failed
    }
  }

  /// Decodes until nothing more comes.
  private func serve(
    _ channel: DecodingChannel, _ writer: DescriptorWriter, _ first: any SalvagingDecoder
  ) throws {
    // By the number of their threads.
    var decoders = [1: first]
    while let request = channel.receive(DecodeRequest.self), var picture = request.picture() {
      for size in request.sampleSizes {
        guard let sample = channel.receive(count: size) else { return }
        picture.samples.append(sample)
      }
      do throws(MediaError) {
        let threads = request.threads
        if decoders[threads] == nil {
          decoders[threads] = try library.load(salvaging: false, threads: threads)
        }
        try unsafe decoders[threads]?.attempt(picture, isStrict: request.isStrict) {
          view throws(MediaError) in
          do {
            try unsafe DecodeReply.picture(view.format).send(to: writer)
            try unsafe channel.send(view, to: writer)
          } catch {
            throw MediaError(error)
          }
        }
        try send(.done, to: writer)
      } catch {
        try send(.failed(error), to: writer)
      }
    }
  }

  /// Sends a message and what was gathered before it.
  private func send(_ reply: DecodeReply, to writer: DescriptorWriter) throws(MediaError) {
    do {
      try reply.send(to: writer)
      try writer.flush()
    } catch {
      throw MediaError(error)
    }
  }
}

extension LoadedDecoder: ArgumentValue {}
