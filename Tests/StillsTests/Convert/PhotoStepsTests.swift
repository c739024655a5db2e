// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

/// What comes next for a file, asked of a value: no thread, and nothing decoded.
struct PhotoStepsTests {
  private func steps(
    _ fixture: String, _ options: ConvertOptions = ConvertOptions(),
    output: (any PhotoOutput)? = MemoryDestination()
  ) throws -> PhotoSteps {
    let source = MemorySource(try Fixture.bytes(fixture))
    return PhotoSteps(
      PhotoRequest(name: fixture, open: { source }, output: { _ in output }), options, workers: 2)
  }

  /// A recipe that came to nothing.
  private func made(_ recipe: Recipe, refusal: MediaError? = nil) -> PhotoSteps.Made {
    PhotoSteps.Made(
      size: recipe.size, maker: recipe.maker,
      outcome: PictureJob.Outcome(refusal: refusal))
  }

  private func recipe(_ step: PhotoSteps.Step) throws -> (recipe: Recipe, isPass: Bool) {
    guard case .decode(let recipe, _) = step else { throw Unexpected() }
    return (recipe, recipe.maker?.encoder is any FirstPass)
  }

  private struct Unexpected: Error {}

  private func isDone(_ step: PhotoSteps.Step) -> Bool {
    if case .done = step { true } else { false }
  }

  @Test
  func `it opens nothing where the output is there already`() {
    let request = PhotoRequest(
      name: "photo", open: { throw Unexpected() }, output: { _ in nil })
    var steps = PhotoSteps(request, ConvertOptions(), workers: 1)
    #expect(isDone(steps.open()))
    #expect(steps.report.status == .skipped)
  }

  @Test
  func `it decodes nothing of a JPEG that stays one`() throws {
    let output = MemoryDestination()
    var steps = try steps("420.jpg", output: output)
    #expect(isDone(steps.open()))
    #expect(steps.report.status == .converted && steps.report.isCopied)
    #expect(try output.bytes == Fixture.bytes("420.jpg"))
  }

  @Test
  func `it ends with the reason for which a picture was not made`() throws {
    var steps = try steps("photo.heic")
    let (picture, isPass) = try recipe(steps.open())
    #expect(!isPass)
    let refusal = MediaError(.corrupt, "tile 3 is damaged")
    #expect(isDone(steps.close(made(picture, refusal: refusal))))
    #expect(steps.report.status == .failed && steps.report.failure == refusal)
    #expect(steps.report.outputs.isEmpty)
  }

  @Test
  func `it goes on without a gain map that cannot be decoded, unless that was asked for`() throws {
    let refusal = MediaError(.corrupt, "the map is damaged")
    for isStrict in [false, true] {
      var options = ConvertOptions()
      options.isStrictAboutHDR = isStrict
      var steps = try steps("gain-map-samsung.heic", options)
      let first = steps.open()
      guard case .decode(let map, let ahead) = first else { throw Unexpected() }
      #expect(map.maker?.encoder is any FirstPass)
      // The picture itself is decoded meanwhile, and nothing is known of what is made of it.
      #expect(ahead != nil && ahead?.maker == nil)
      let next = steps.close(made(map, refusal: refusal))
      guard !isStrict else {
        #expect(isDone(next))
        #expect(steps.report.failure?.detail.contains("the map is damaged") == true)
        continue
      }
      guard case .goOn(let maker) = next else { throw Unexpected() }
      #expect(!(maker.encoder is any FirstPass))
      #expect(steps.report.warnings.contains { $0.contains("the map is damaged") })
    }
  }

  @Test
  func `it looks for the brightest light of a PQ picture before anything is made of it`() throws {
    var steps = try steps("still-pq.heic")
    let (peak, isPass) = try recipe(steps.open())
    #expect(isPass)
    let refusal = MediaError(.incomplete, "is not whole")
    #expect(isDone(steps.close(made(peak, refusal: refusal))))
    #expect(steps.report.failure == refusal)
  }

  @Test
  func `it takes out the other parts where one is broken, and fails all the same`() throws {
    var options = ConvertOptions()
    var parts = PartChoice()
    parts.roles = [.depth, .exif]
    options.job = .parts(parts)
    var steps = try steps("depth.heic", options)
    var step = steps.open()
    var count = 0
    let refusal = MediaError(.corrupt, "is damaged")
    while case .decode(let recipe, _) = step, count < 10 {
      count += 1
      step = steps.close(made(recipe, refusal: refusal))
    }
    #expect(isDone(step))
    #expect(count >= 1)
    #expect(steps.report.failure == refusal)
  }
}
