/// What four detectors of one channel remember from sample to sample.
struct DetectorState {
  /// State of the high-pass and of the band-pass.
  var high: Lanes = .zero
  var s1: Lanes = .zero
  var t2: Lanes = .zero

  /// Squares added up since the last sub-block edge.
  var bandSum: Lanes = .zero
  var lowSum: Lanes = .zero

  /// Takes a sample in.
  @_noLocks @_noAllocation @inline(__always)
  mutating func hear(_ sample: Float, _ detectors: UnsafePointer<DetectorLanes>) {
    let x = Lanes(repeating: sample) - high
    high += detectors.pointee.h * x
    let v = detectors.pointee.a * (s1 - t2) + x
    s1 = v - s1
    t2 = t2 + detectors.pointee.c * v
  }

  /// Takes a sample in and adds up its squares.
  ///
  /// The low-pass, but for a factor, is the mean of its state before and after.
  @_noLocks @_noAllocation @inline(__always)
  mutating func count(_ sample: Float, _ detectors: UnsafePointer<DetectorLanes>) {
    let x = Lanes(repeating: sample) - high
    high += detectors.pointee.h * x
    let v = detectors.pointee.a * (s1 - t2) + x
    s1 = v - s1
    let before = t2
    t2 = t2 + detectors.pointee.c * v
    let low = before + t2
    bandSum += v * v
    lowSum += low * low
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    high = .zero
    s1 = .zero
    t2 = .zero
    bandSum = .zero
    lowSum = .zero
  }

  /// Sets states too small to be heard to zero, before they become denormal and slow.
  @_noLocks @_noAllocation @inline(__always)
  mutating func flush() {
    high = high.withoutTraces
    s1 = s1.withoutTraces
    t2 = t2.withoutTraces
  }
}
