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

  /// The squared magnitudes of these numbers.
  @usableFromInline package var power: Float4 {
    @_transparent get { real * real + imaginary * imaginary }
  }

  /// The complex conjugates of these numbers, multiplied by other numbers.
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
