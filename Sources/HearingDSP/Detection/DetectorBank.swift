/// The band-passes of one channel that hear the input beside the signal path.
enum DetectorBank {
  /// Listens to `count` samples.
  ///
  /// - Parameter depth: vectors of four detectors, 1…3.
  @_noLocks @_noAllocation
  static func listen(
    depth: Int, _ samples: UnsafePointer<Float>, count: Int,
    _ detectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    switch depth {
    case 1: single(samples, count, detectors)
    case 2:
      single(samples, count, detectors)
      single(samples, count, detectors + 1)
    default: triple(samples, count, detectors)
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func single(
    _ samples: UnsafePointer<Float>, _ count: Int, _ d: UnsafeMutablePointer<DetectorLanes>
  ) {
    var (high, s1, t2) = (d[0].high, d[0].s1, d[0].t2)
    var (bandSum, lowSum) = (d[0].bandSum, d[0].lowSum)
    var index = 0
    while index < count {
      step(d, Lanes(repeating: samples[index]), &high, &s1, &t2, &bandSum, &lowSum)
      index += 1
    }
    (d[0].high, d[0].s1, d[0].t2) = (high, s1, t2)
    (d[0].bandSum, d[0].lowSum) = (bandSum, lowSum)
  }

  /// Three vectors side by side: one alone waits for its own results.
  @_noLocks @_noAllocation @inline(__always)
  private static func triple(
    _ samples: UnsafePointer<Float>, _ count: Int, _ d: UnsafeMutablePointer<DetectorLanes>
  ) {
    var (high0, s10, t20) = (d[0].high, d[0].s1, d[0].t2)
    var (band0, low0) = (d[0].bandSum, d[0].lowSum)
    var (high1, s11, t21) = (d[1].high, d[1].s1, d[1].t2)
    var (band1, low1) = (d[1].bandSum, d[1].lowSum)
    var (high2, s12, t22) = (d[2].high, d[2].s1, d[2].t2)
    var (band2, low2) = (d[2].bandSum, d[2].lowSum)
    var index = 0
    while index < count {
      let x = Lanes(repeating: samples[index])
      step(d, x, &high0, &s10, &t20, &band0, &low0)
      step(d + 1, x, &high1, &s11, &t21, &band1, &low1)
      step(d + 2, x, &high2, &s12, &t22, &band2, &low2)
      index += 1
    }
    (d[0].high, d[0].s1, d[0].t2) = (high0, s10, t20)
    (d[0].bandSum, d[0].lowSum) = (band0, low0)
    (d[1].high, d[1].s1, d[1].t2) = (high1, s11, t21)
    (d[1].bandSum, d[1].lowSum) = (band1, low1)
    (d[2].high, d[2].s1, d[2].t2) = (high2, s12, t22)
    (d[2].bandSum, d[2].lowSum) = (band2, low2)
  }

  /// One sample into four detectors.
  ///
  /// The low-pass, but for a factor, is the mean of its state before and after.
  @_noLocks @_noAllocation @inline(__always)
  private static func step(
    _ d: UnsafeMutablePointer<DetectorLanes>, _ input: Lanes, _ high: inout Lanes,
    _ s1: inout Lanes, _ t2: inout Lanes, _ bandSum: inout Lanes, _ lowSum: inout Lanes
  ) {
    let x = input - high
    high += d.pointee.h * x
    let v = d.pointee.a * (s1 - t2) + x
    s1 = v - s1
    let before = t2
    t2 = t2 + d.pointee.c * v
    let low = before + t2
    bandSum += v * v
    lowSum += low * low
  }
}
