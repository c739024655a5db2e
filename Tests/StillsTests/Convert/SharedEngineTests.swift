// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import Synchronization
import TestSupport
import Testing

@testable import ApusStills

/// One engine that many threads and tasks use at the same time.
@Suite struct SharedEngineTests {
  static let names = ["photo.heic", "grid-odd.heic", "overlay.heic", "identity.heic"]

  @Test(arguments: [1, 2, 4])
  func `it converts for 64 tasks at once what it converts for each alone`(workers: Int) async throws
  {
    let expected = try Self.names.map { name in
      PhotoEngine(ConvertOptions(), workers: 1).convertAndWait(
        MemorySource(try Fixture.bytes(name))
      ).bytes
    }
    let photos = try Self.names.map(Fixture.bytes)
    let engine = PhotoEngine(ConvertOptions(), workers: workers)
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          try await engine.convert(photos[index % photos.count]).bytes
            == expected[index % expected.count]
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(count == 64)
    #expect(engine.scheduler.idleWorkers.count <= workers)
  }

  @Test(arguments: [1, 3])
  func `it converts for threads that wait, each of which works too`(workers: Int) throws {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: workers)
    let expected = engine.convertAndWait(MemorySource(photo)).bytes
    let right = Atomic(0)
    let threads = (0..<16).compactMap { _ in
      Thread {
        let isRight = engine.convertAndWait(MemorySource(photo)).bytes == expected
        right.add(isRight ? 1 : 0, ordering: .relaxed)
      }
    }
    for thread in threads { thread.join() }
    #expect(right.load(ordering: .relaxed) == 16)
    #expect(engine.scheduler.idleWorkers.count <= workers)
  }

  @Test
  func `it keeps its workers from call to call, until they are let go of`() throws {
    let photo = MemorySource(try Fixture.bytes("photo.heic"))
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    _ = engine.convertAndWait(photo)
    let workers = engine.scheduler.idleWorkers
    _ = engine.convertAndWait(photo)
    #expect(workers.count == 1)
    #expect(engine.scheduler.idleWorkers == workers)
    engine.releaseMemory()
    #expect(engine.scheduler.idleWorkers.isEmpty)
  }

  @Test(arguments: [1, 2])
  func `it converts for a caller that is inside a report`(workers: Int) throws {
    let photo = MemorySource(try Fixture.bytes("photo.heic"))
    let engine = PhotoEngine(ConvertOptions(), workers: workers)
    let waiting = Mutex(Array(repeating: photo, count: 3)[...])
    let sizes = Mutex<[Int]>([])
    engine.run(
      next: {
        waiting.withLock { $0.popFirst() }.map { photo in
          PhotoRequest(name: "photo", open: { photo }, output: { _ in MemoryDestination() })
        }
      },
      report: { _ in
        let bytes = engine.convertAndWait(photo).bytes
        sizes.withLock { $0.append(bytes.count) }
      })
    let found = sizes.withLock { $0 }
    #expect(found.count == 3)
    #expect(Set(found).count == 1 && found[0] > 0)
  }

  @Test(arguments: [1, 2])
  func `it converts a photo alone before a batch ends`(workers: Int) throws {
    let photo = try Fixture.bytes("grid-odd.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: workers)
    let isDone = Atomic(false)
    let begun = Atomic(0)
    // A thread, and no task: the tasks of other tests may keep one waiting for longer than any batch lasts.
    engine.run(
      next: {
        let count = begun.add(1, ordering: .relaxed).newValue
        if count == 2 {
          let isStarted = Thread.start {
            _ = engine.convertAndWait(MemorySource(photo))
            isDone.store(true, ordering: .relaxed)
          }
          #expect(isStarted)
        }
        guard !isDone.load(ordering: .relaxed), count < 2000 else { return nil }
        return PhotoRequest(
          name: "photo", open: { MemorySource(photo) }, output: { _ in MemoryDestination() })
      }, report: { _ in })
    #expect(begun.load(ordering: .relaxed) < 2000)
  }

  @Test
  func `it stops a task that is cancelled while it waits for its turn, and no other`() async throws
  {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    let gate = Gate()
    let held = Task { try await engine.convert(GatedSource(photo, gate)) }
    await gate.isWaitedFor()
    let cancelled = Task { try await engine.convert(photo) }
    cancelled.cancel()
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { try result.get() }
    gate.open()
    #expect(try await held.value.report.status == .converted)
    #expect(try await engine.convert(photo).report.status == .converted)
  }

  @Test
  func `it stops a task that is cancelled while it is worked on, and no other`() async throws {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 2)
    let gate = Gate()
    let cancelled = Task { try await engine.convert(GatedSource(photo, gate)) }
    await gate.isWaitedFor()
    #expect(try await engine.convert(photo).report.status == .converted)
    cancelled.cancel()
    gate.open()
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try await engine.convert(photo).report.status == .converted)
  }

  @Test
  func `it begins nothing for a task that was cancelled before`() async throws {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await engine.convert(photo)
    }
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(engine.scheduler.idleWorkers.count == 0)
  }

  @Test
  func `it ends every call when it is stopped, and serves the next`() async throws {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 2)
    let gate = Gate()
    let tasks = (0..<8).map { _ in
      Task { try await engine.convert(GatedSource(photo, gate)) }
    }
    await gate.isWaitedFor()
    engine.stop()
    gate.open()
    for task in tasks {
      let result = await task.result
      guard case .failure(let error) = result else { continue }
      #expect(error is CancellationError)
    }
    #expect(try await engine.convert(photo).report.status == .converted)
  }

  @Test
  func `it reports progress that rises to the end of the last pass`() async throws {
    var options = ConvertOptions()
    options.makesThumbnail = true
    let engine = PhotoEngine(options, workers: 2)
    let seen = Mutex<[PhotoProgress]>([])
    _ = try await engine.convert(try Fixture.bytes("photo.heic"), name: "a photo") { progress in
      seen.withLock { $0.append(progress) }
    }
    let values = seen.withLock { $0 }
    let isRising = zip(values, values.dropFirst()).allSatisfy { one, two in
      (one.pass, one.fraction) < (two.pass, two.fraction)
    }
    #expect(isRising)
    #expect(values.first == PhotoProgress(name: "a photo", pass: 1, fraction: 0))
    #expect(values.last == PhotoProgress(name: "a photo", pass: 2, fraction: 1))
  }

  @Test
  func `it gives reports of a batch as a sequence`() async throws {
    let photos = try Self.names.map { (name: $0, bytes: try Fixture.bytes($0)) }
    let requests = photos.map { photo in
      PhotoRequest(
        name: photo.name, open: { MemorySource(photo.bytes) }, output: { _ in MemoryDestination() })
    }
    let engine = PhotoEngine(ConvertOptions(), workers: 2)
    var names: Set<String> = []
    for await report in engine.reports(of: requests) {
      #expect(report.status == .converted)
      names.insert(report.input)
    }
    #expect(names == Set(Self.names))
  }

  @Test(
    arguments: ["photo.heic", "alpha.heic", "gain-map-samsung.heic", "overlay.heic"])
  func `it makes several sizes of one decoding, each as it is made alone`(name: String) async throws
  {
    let photo = MemorySource(try Fixture.bytes(name))
    let sides = [60, 31, 8, 60]
    for format in [OutputFormat.jpeg, .png] {
      var options = ConvertOptions()
      options.format = format
      let made = try await PhotoEngine(options, workers: 2).convert(photo, longestSides: sides)
      var pictures: Set<Int> = []
      for (side, one) in zip(sides, made) {
        options.longestSide = side
        let (report, bytes) = PhotoEngine(options, workers: 2).convertAndWait(photo)
        #expect(one.bytes == bytes && !bytes.isEmpty, "\(side)")
        #expect(one.report.outputs.map(\.width) == report.outputs.map(\.width))
        // Its map is decoded for each, for it is another picture.
        if name != "gain-map-samsung.heic" {
          #expect(one.report.decodedPictures == report.decodedPictures)
        }
        pictures.insert(one.report.decodedPictures)
      }
      #expect(pictures.count == 1)
    }
  }

  @Test
  func `it makes a size that is larger than the picture as large as that`() async throws {
    let photo = MemorySource(try Fixture.bytes("photo.heic"))
    let engine = PhotoEngine(ConvertOptions(), workers: 2)
    let made = try await engine.convert(photo, longestSides: [100, 5000])
    let whole = try await engine.convert(photo).bytes
    #expect(made.map { $0.report.outputs[0].width } == [100, 320])
    #expect(made[1].bytes == whole)
  }

  @Test(
    arguments: [
      ("malformed/tile-flipped.heic", "damaged"), ("malformed/tile-missing.heic", "damaged"),
      ("420.jpg", "converted"),
    ])
  func `it throws why a photo is not converted, by kind`(name: String, kind: String) async throws {
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    let bytes = try Fixture.bytes(name)
    #expect(await outcome(of: bytes, by: engine) == kind)
  }

  @Test
  func `it throws that text is no photo, and that bytes are too few to be one`() async {
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    #expect(await outcome(of: Array("no photo".utf8), by: engine) == "unsupported")
    #expect(await outcome(of: [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70], by: engine) != "converted")
  }

  @Test
  func `it converts one photo with options of its own`() async throws {
    let photo = try Fixture.bytes("photo.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 2)
    var options = ConvertOptions()
    options.format = .png
    let own = try await engine.convert(photo, options: options).bytes
    #expect(own == PhotoEngine(options, workers: 1).convertAndWait(MemorySource(photo)).bytes)
    #expect(try await engine.convert(photo).bytes.starts(with: [0xff, 0xd8]))
  }

  private func outcome(of bytes: [UInt8], by engine: PhotoEngine) async -> String {
    do {
      return try await engine.convert(bytes).report.status.rawValue
    } catch {
      let error = MediaError(error)
      return error.isDamage ? "damaged" : error.kind.rawValue
    }
  }
}

/// What threads wait for.
private final class Gate: Sendable {
  private let state = Monitor((isOpen: false, waiting: 0))

  func open() { state.change { $0.isOpen = true } }

  func pass() {
    state.change { $0.waiting += 1 }
    state.wait { $0.isOpen ? () : nil }
  }

  /// Returns when somebody waits.
  func isWaitedFor() async { await reaches { $0.waiting > 0 } }

  /// Returns when it is open.
  func isOpened() async { await reaches { $0.isOpen } }

  private func reaches(
    _ condition: @escaping @Sendable ((isOpen: Bool, waiting: Int)) -> Bool
  ) async {
    await withCheckedContinuation { continuation in
      let isStarted = Thread.start {
        self.state.wait { condition($0) ? () : nil }
        continuation.resume()
      }
      if !isStarted { continuation.resume() }
    }
  }
}

/// A source that can be looked at once a gate is open.
private final class GatedSource: ByteSource {
  private let source: MemorySource
  private let gate: Gate

  init(_ bytes: [UInt8], _ gate: Gate) {
    source = MemorySource(bytes)
    self.gate = gate
  }

  var count: Int {
    gate.pass()
    return source.count
  }

  var resident: [UInt8]? { source.resident }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    try source.read(range, into: &output)
  }
}
