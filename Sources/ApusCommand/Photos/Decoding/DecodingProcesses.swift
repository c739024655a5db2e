// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills

/// The confined processes in which C libraries decode for one thread, one process for each library. They are started when they
/// are needed, and used until the thread ends.
final class DecodingProcesses: DecodingHost {
  private var processes: [LoadedDecoder: DecodingProcess] = [:]

  static var isPossible: Bool { WorkerProcess.isPossible && Confinement.isPossible }

  func decoder(
    _ library: LoadedDecoder, salvaging: Bool, threads: Int
  ) throws(MediaError) -> any SalvagingDecoder {
    let name = try process(library).name
    return ConfinedDecoder(self, library, name: name, salvaging: salvaging, threads: threads)
  }

  /// The process of a library. A picture that ends one costs the next picture a new one.
  fileprivate func process(_ library: LoadedDecoder) throws(MediaError) -> DecodingProcess {
    if let process = processes[library], !process.isEnded { return process }
    let process = try DecodingProcess(library)
    processes[library] = process
    return process
  }
}

/// A C library that decodes in a confined process.
private final class ConfinedDecoder: SalvagingDecoder {
  let name: String
  let isSalvaging: Bool
  private let processes: DecodingProcesses
  private let library: LoadedDecoder
  private let threads: Int

  init(
    _ processes: DecodingProcesses, _ library: LoadedDecoder, name: String, salvaging: Bool,
    threads: Int
  ) {
    self.processes = processes
    self.library = library
    self.name = name
    isSalvaging = salvaging
    self.threads = threads
  }

  func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    let process = try processes.process(library)
    try unsafe process.decode(picture, isStrict: isStrict, threads: threads, body)
  }
}
