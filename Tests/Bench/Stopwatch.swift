// SPDX-License-Identifier: MIT

/// The median time of so many runs in seconds, after one to warm up.
func median(runs: Int = 15, _ body: () throws -> Void) rethrows -> Double {
  try body()
  var times: [Double] = []
  for _ in 0..<runs {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    let (seconds, attoseconds) = (clock.now - start).components
    times.append(Double(seconds) + Double(attoseconds) * 1e-18)
  }
  return times.sorted()[runs / 2]
}

func report(_ name: String, _ value: Double, _ unit: String) {
  let scaled = (value * 1000).rounded() / 1000
  print("\(name)\t\(scaled)\t\(unit)")
}
