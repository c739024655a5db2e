// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

/// What is read again before an output gets its name.
@Suite struct OutputCheckTests {
  /// An output of which something else is read than was written.
  private final class Changed: PhotoOutput {
    private let memory = MemoryDestination()
    private let change: @Sendable ([UInt8]) -> [UInt8]

    init(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.change = change }

    func write(_ bytes: Span<UInt8>) throws { try memory.write(bytes) }
    func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
      try memory.amend(bytes, at: offset)
    }
    func written() throws -> any ByteSource { MemorySource(change(memory.bytes)) }
    func commit() throws -> String? { "memory" }
  }

  private func report(
    _ name: String, _ format: OutputFormat, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> PhotoReport {
    var options = ConvertOptions()
    options.format = format
    options.verifies = true
    let request = PhotoRequest(
      name: name,
      open: {
        do { return try Fixture.source(name) } catch { throw MediaError(.io, "\(error)") }
      }, output: { _ in Changed(change) })
    return PhotoEngine(options, workers: 2).reportAndWait(of: request)
  }

  @Test(
    arguments: [OutputFormat.jpeg, .png, .heic],
    ["photo.heic", "alpha.heic", "still-10bit.heic", "still-400.heic"])
  func `it takes what was written, and nothing else`(format: OutputFormat, name: String) {
    #expect(report(name, format) { $0 }.status == .converted)
    #expect(report(name, format) { Array($0.dropLast($0.count / 3)) }.status == .failed)
  }

  @Test
  func `it compares the samples of a PNG`() throws {
    // Of the same sides.
    let engine = PhotoEngine(Self.png, workers: 1)
    let other = engine.convertAndWait(try Fixture.source("alpha.heic")).bytes
    #expect(engine.convertAndWait(try Fixture.source("still-96x72.heic")).bytes != other)
    let report = report("still-96x72.heic", .png) { _ in other }
    #expect(report.status == .failed)
    #expect(report.failure?.description.contains("samples") == true)
  }

  private static let png: ConvertOptions = {
    var options = ConvertOptions()
    options.format = .png
    return options
  }()
}
