/// The power spectrum of the last 32 ms at 8 kHz, 31.25 Hz a line.
///
/// 256 samples under a Hann window are 128 complex numbers; four transforms of 32 run side by side
/// in the lanes, and a last step of radix four joins them. Powers are scaled so that their sum is
/// the mean square.
struct VoiceSpectrum {
  /// Samples that are looked at.
  static var windowLength: Int {
    @_noLocks @_noAllocation @inline(__always) get { 256 }
  }

  /// Numbers that are kept.
  static var storage: Int { 256 + 32 + 256 + 256 + 256 + 512 + 136 }

  let window: UnsafeMutablePointer<Float>
  /// Cosine and sine of the turns within the transforms of 32.
  let turns: UnsafeMutablePointer<Float>
  /// Turns between them: 32 vectors of cosines, 32 of sines.
  let joints: UnsafeMutablePointer<Float>
  /// Turns by which even and odd samples are joined: 128 cosines, 128 sines.
  let halves: UnsafeMutablePointer<Float>
  /// Real and imaginary parts on the way.
  private let work: UnsafeMutablePointer<Float>
  /// Result of the complex transform, forwards and backwards.
  private let complex: UnsafeMutablePointer<Float>

  /// Power of line k at place k, 0…128.
  let power: UnsafeMutablePointer<Float>

  init(store: inout FloatStore) {
    window = store.take(256)
    turns = store.take(32)
    joints = store.take(256)
    halves = store.take(256)
    work = store.take(256)
    complex = store.take(512)
    power = store.take(136)
    design()
  }

  /// Computes the powers of 256 samples.
  @_noLocks @_noAllocation
  func analyze(_ samples: UnsafeMutablePointer<Float>) {
    transform(samples)
    join()
    separate()
  }

  /// Four transforms of 32, row k of the result at the place of k's bits reversed.
  @_noLocks @_noAllocation
  private func transform(_ samples: UnsafeMutablePointer<Float>) {
    let real = work
    let imaginary = work + 128
    for row in 0..<32 {
      let first = samples.lanes(at: 8 * row) * window.lanes(at: 8 * row)
      let second = samples.lanes(at: 8 * row + 4) * window.lanes(at: 8 * row + 4)
      real.setLanes(Lanes(lowHalf: first.evenHalf, highHalf: second.evenHalf), at: 4 * row)
      imaginary.setLanes(Lanes(lowHalf: first.oddHalf, highHalf: second.oddHalf), at: 4 * row)
    }
    var half = 16
    while half >= 1 {
      var start = 0
      while start < 32 {
        for index in 0..<half {
          let one = 4 * (start + index)
          let other = one + 4 * half
          let cosine = turns[index * (16 / half)]
          let sine = turns[index * (16 / half) + 16]
          let a = real.lanes(at: one)
          let b = imaginary.lanes(at: one)
          let c = real.lanes(at: other)
          let d = imaginary.lanes(at: other)
          real.setLanes(a + c, at: one)
          imaginary.setLanes(b + d, at: one)
          let x = a - c
          let y = b - d
          real.setLanes(x * cosine - y * sine, at: other)
          imaginary.setLanes(x * sine + y * cosine, at: other)
        }
        start += 2 * half
      }
      half /= 2
    }
  }

  /// One transform of 128 out of the four of 32.
  @_noLocks @_noAllocation
  private func join() {
    for row in 0..<32 {
      let place = 4 * Self.reversed(row)
      let a = work.lanes(at: place)
      let b = work.lanes(at: place + 128)
      let cosine = joints.lanes(at: 4 * row)
      let sine = joints.lanes(at: 4 * row + 128)
      let re = a * cosine - b * sine
      let im = a * sine + b * cosine
      let evenRe = re[0] + re[2]
      let evenIm = im[0] + im[2]
      let crossRe = re[0] - re[2]
      let crossIm = im[0] - im[2]
      let oddRe = re[1] + re[3]
      let oddIm = im[1] + im[3]
      let turnRe = im[1] - im[3]
      let turnIm = re[3] - re[1]
      set(row, evenRe + oddRe, evenIm + oddIm)
      set(row + 32, crossRe + turnRe, crossIm + turnIm)
      set(row + 64, evenRe - oddRe, evenIm - oddIm)
      set(row + 96, crossRe - turnRe, crossIm - turnIm)
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func set(_ line: Int, _ real: Float, _ imaginary: Float) {
    let mirrored = (128 - line) & 127
    complex[line] = real
    complex[line + 128] = imaginary
    complex[mirrored + 256] = real
    complex[mirrored + 384] = imaginary
  }

  /// Powers of the real samples out of the complex transform.
  @_noLocks @_noAllocation
  private func separate() {
    var line = 0
    while line < 128 {
      let a = complex.lanes(at: line)
      let b = complex.lanes(at: line + 128)
      let c = complex.lanes(at: line + 256)
      let d = complex.lanes(at: line + 384)
      let oddRe = b + d
      let oddIm = c - a
      let cosine = halves.lanes(at: line)
      let sine = halves.lanes(at: line + 128)
      let re = a + c + oddRe * cosine - oddIm * sine
      let im = b - d + oddRe * sine + oddIm * cosine
      power.setLanes((re * re + im * im) * 0.25, at: line)
      line += 4
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func reversed(_ row: Int) -> Int {
    let ends = (row & 1) << 4 | (row & 16) >> 4
    let inner = (row & 2) << 2 | (row & 8) >> 2
    return ends | inner | (row & 4)
  }
}
