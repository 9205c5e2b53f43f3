internal import HearingDSP
internal import HearingBuffers

/// Eight SIMD vectors of partial sums. The vectors fit into the registers of the processor.
///
/// One loop that updates eight sums is faster than eight loops that update one sum each. In a loop
/// with a single sum, each addition must wait for the result of the previous addition.
struct EightSums {
  private var (a, b, c, d) = (Float4.zero, Float4.zero, Float4.zero, Float4.zero)
  private var (e, f, g, h) = (Float4.zero, Float4.zero, Float4.zero, Float4.zero)

  /// Adds a product to each of the eight sums: a vector of `row`, multiplied by `factor`. The
  /// vector for the first sum begins at index `first`. The vector for each following sum begins
  /// `step` elements after the beginning of the previous vector.
  @inline(__always)
  mutating func add(_ row: Row<Float>, at first: Int, step: Int, times factor: Float4) {
    a += row.float4(at: first) * factor
    b += row.float4(at: first &+ step) * factor
    c += row.float4(at: first &+ 2 &* step) * factor
    d += row.float4(at: first &+ 3 &* step) * factor
    e += row.float4(at: first &+ 4 &* step) * factor
    f += row.float4(at: first &+ 5 &* step) * factor
    g += row.float4(at: first &+ 6 &* step) * factor
    h += row.float4(at: first &+ 7 &* step) * factor
  }

  /// Writes the sums one after the other to the first 32 elements of `row`.
  @inline(__always)
  func write(to row: Row<Float>) {
    row.setFloat4(a, at: 0)
    row.setFloat4(b, at: 4)
    row.setFloat4(c, at: 8)
    row.setFloat4(d, at: 12)
    row.setFloat4(e, at: 16)
    row.setFloat4(f, at: 20)
    row.setFloat4(g, at: 24)
    row.setFloat4(h, at: 28)
  }
}
