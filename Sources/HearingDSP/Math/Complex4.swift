/// Four complex numbers.
@usableFromInline
package struct Complex4: BitwiseCopyable {
  @usableFromInline package let real: Float4
  @usableFromInline package let imaginary: Float4

  @_transparent
  @usableFromInline package init(real: Float4, imaginary: Float4) {
    self.real = real
    self.imaginary = imaginary
  }

  /// The squared magnitudes of the four numbers.
  @usableFromInline package var power: Float4 {
    @_transparent get { real * real + imaginary * imaginary }
  }

  /// The four numbers multiplied by −i, which is a rotation by −90°.
  @inline(__always)
  var turned: Complex4 { Complex4(real: imaginary, imaginary: Float4.zero - real) }

  /// The complex conjugates of the four numbers, in reverse order.
  @inline(__always)
  var mirrored: Complex4 {
    let (a, b) = (real, Float4.zero - imaginary)
    return Complex4(
      real: Float4(a[3], a[2], a[1], a[0]), imaginary: Float4(b[3], b[2], b[1], b[0]))
  }

  /// The complex conjugates of the four numbers, multiplied by the numbers of `other`.
  @_transparent
  @usableFromInline package func conjugate(times other: Complex4) -> Complex4 {
    Complex4(
      real: real * other.real + imaginary * other.imaginary,
      imaginary: real * other.imaginary - imaginary * other.real)
  }

  @_transparent
  @usableFromInline package static func + (one: Complex4, other: Complex4) -> Complex4 {
    Complex4(real: one.real + other.real, imaginary: one.imaginary + other.imaginary)
  }

  @_transparent
  @usableFromInline package static func - (one: Complex4, other: Complex4) -> Complex4 {
    Complex4(real: one.real - other.real, imaginary: one.imaginary - other.imaginary)
  }

  @_transparent
  @usableFromInline package static func * (one: Complex4, factor: Float4) -> Complex4 {
    Complex4(real: one.real * factor, imaginary: one.imaginary * factor)
  }

  @_transparent
  @usableFromInline package static func * (one: Complex4, other: Complex4) -> Complex4 {
    Complex4(
      real: one.real * other.real - one.imaginary * other.imaginary,
      imaginary: one.real * other.imaginary + one.imaginary * other.real)
  }
}
