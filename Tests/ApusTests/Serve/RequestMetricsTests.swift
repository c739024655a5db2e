// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

/// The counters as Prometheus reads them: its text format, version 0.0.4.
@Suite struct RequestMetricsTests {
  /// A reader of the format.
  struct Exposition {
    /// The type of each family.
    var types: [String: String] = [:]
    /// The values by the name with its labels, in order.
    var samples: [(name: String, value: Double)] = []

    init(_ text: String) throws {
      #expect(text.hasSuffix("\n"))
      var (helps, current): (Set<String>, String) = ([], "")
      for line in text.split(separator: "\n") {
        if let help = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*/) {
          current = String(help.1)
          #expect(helps.insert(current).inserted, "\(line)")
        } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
          #expect(type.1 == current, "\(line)")
          #expect(types.updateValue(String(type.2), forKey: current) == nil, "\(line)")
        } else {
          let sample = try #require(
            line.wholeMatch(of: /([a-z_]+)(\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (\S+)/),
            "\(line)")
          let suffixes = types[current] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
          #expect(suffixes.contains { sample.1 == current + $0 }, "\(line)")
          samples.append(("\(sample.1)\(sample.2 ?? "")", try #require(Double(sample.3))))
        }
      }
      #expect(helps == Set(types.keys))
      #expect(Set(samples.map(\.name)).count == samples.count)
    }

    subscript(name: String) -> Double? { samples.first { $0.name == name }?.value }
  }

  private static func exposition(
    _ metrics: RequestMetrics, _ queue: RequestQueue = RequestQueue(workers: 1, most: 1)
  ) throws -> Exposition {
    try Exposition(metrics.text(queue, (started: 9, processes: 2, resident: 4096)))
  }

  @Test func `it counts requests by route and status`() throws {
    let metrics = RequestMetrics()
    metrics.count("/v1/convert", 200, bytesIn: 10, bytesOut: 100)
    metrics.count("other", 404, bytesIn: 0, bytesOut: 5)
    metrics.count("/v1/convert", 200, bytesIn: 20, bytesOut: 200)
    metrics.count("/v1/convert", 422, bytesIn: 40, bytesOut: 7)
    metrics.abandoned()
    let found = try Self.exposition(metrics)
    #expect(
      found.samples.filter { $0.name.hasPrefix("apus_requests_total") }.map {
        "\($0.name) \($0.value)"
      }
        == [
          #"apus_requests_total{route="/v1/convert",status="200"} 2.0"#,
          #"apus_requests_total{route="/v1/convert",status="422"} 1.0"#,
          #"apus_requests_total{route="other",status="404"} 1.0"#,
        ])
    #expect(found["apus_body_bytes_total"] == 70)
    #expect(found["apus_answer_bytes_total"] == 312)
    #expect(found["apus_abandoned_total"] == 1)
  }

  @Test func `it tells of the queue and of the processes`() throws {
    let queue = RequestQueue(workers: 3, most: 8)
    for _ in 0..<2 { #expect(queue.add("a") { _ in }) }
    let found = try Self.exposition(RequestMetrics(), queue)
    let expected = [
      "apus_queue_length": 2, "apus_running": 0, "apus_workers": 3, "apus_processes": 2,
      "apus_process_starts_total": 9, "apus_process_resident_bytes": 4096,
      "apus_abandoned_total": 0,
    ]
    for (name, value) in expected { #expect(found[name] == Double(value), "\(name)") }
    #expect(found["apus_resident_bytes"] ?? 0 > 1_000_000)
    for (name, type) in found.types where type == "counter" { #expect(name.hasSuffix("_total")) }
    for (name, type) in found.types where type == "gauge" { #expect(!name.hasSuffix("_total")) }
  }

  @Test func `its histograms count what lasted no longer than each bound`() throws {
    let metrics = RequestMetrics()
    for (waiting, working) in [(0, 61), (0.005, 0.3), (0.0051, 60), (0.75, 0.25)] {
      metrics.timed(waiting: waiting, working: working)
    }
    let found = try Self.exposition(metrics)
    for (name, sum) in [("queue", 0.7601), ("work", 121.55)] {
      let family = "apus_\(name)_seconds"
      #expect(found.types[family] == "histogram")
      #expect(abs((found["\(family)_sum"] ?? 0) - sum) < 1e-9)
      #expect(found["\(family)_count"] == 4)
      #expect(found["\(family)_bucket{le=\"+Inf\"}"] == 4)
      let buckets = found.samples.filter { $0.name.hasPrefix("\(family)_bucket") }.map(\.value)
      #expect(buckets == buckets.sorted())
    }
    let bounds: [(String, Double, Double)] = [
      ("0.005", 2, 0), ("0.01", 3, 0), ("0.1", 3, 0), ("0.25", 3, 1), ("0.5", 3, 2), ("1.0", 4, 2),
      ("30.0", 4, 2), ("60.0", 4, 3),
    ]
    for (bound, queue, work) in bounds {
      #expect(found["apus_queue_seconds_bucket{le=\"\(bound)\"}"] == queue, "\(bound)")
      #expect(found["apus_work_seconds_bucket{le=\"\(bound)\"}"] == work, "\(bound)")
    }
  }
}
