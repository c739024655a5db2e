// SPDX-License-Identifier: MIT

internal import ApusIntra
internal import ApusMedia
internal import ApusThreads

/// Decodes HEVC pictures with the built-in decoder, and with libavcodec those that it does not support.
///
/// A picture is handed on only if it is unsupported: damage stays an error, whatever libavcodec would decode. Salvaging
/// a damaged picture on request is done by libavcodec.
final class AutomaticDecoder: SalvagingDecoder, SharingDecoder {
  let isSalvaging: Bool
  /// The decoder of the last picture.
  private(set) var use = CodecUse(name: "intra")
  var name: String { use.name }

  var idleWorkers: (any IdleWorkers)? {
    get { intra.idleWorkers }
    set { intra.idleWorkers = newValue }
  }

  private let threads: Int
  private let intra = IntraDecoder()
  private let libraries: LibraryDecoders
  private var loaded: [LoadedDecoder: any SalvagingDecoder] = [:]

  /// - Parameter threads: the number of threads that libavcodec may use within one picture.
  init(salvaging: Bool, threads: Int, _ libraries: LibraryDecoders) {
    isSalvaging = salvaging
    self.threads = threads
    self.libraries = libraries
  }

  func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    var reason: String?
    if isStrict {
      var isHanded = false
      use = CodecUse(name: intra.name)
      do throws(MediaError) {
        return try unsafe intra.attempt(picture, isStrict: true) { view throws(MediaError) in
          isHanded = true
          try unsafe body(view)
        }
      } catch {
        guard error.kind == .unsupported, !isHanded else { throw error }
        reason = error.message
      }
    }
    do throws(MediaError) {
      let library = try library(isStrict && picture.samples.count > 1 ? .agreement : .libavcodec)
      use = CodecUse(name: library.name, reason: reason)
      try unsafe library.attempt(picture, isStrict: isStrict, body)
    } catch {
      guard error.kind == .missing, let reason else { throw error }
      throw error.inside("\(reason); ")
    }
  }

  private func library(_ choice: LoadedDecoder) throws(MediaError) -> any SalvagingDecoder {
    if let library = loaded[choice] { return library }
    let library = try libraries.decoder(choice, salvaging: isSalvaging, threads: threads)
    loaded[choice] = library
    return library
  }
}
