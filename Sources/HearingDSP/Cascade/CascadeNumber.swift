/// What a section filters: one sample, or one for each of four sections side by side.
protocol CascadeNumber {
  static func + (one: Self, other: Self) -> Self
  static func - (one: Self, other: Self) -> Self
  static func * (one: Self, other: Self) -> Self
}

extension Float: CascadeNumber {}
extension SIMD4<Float>: CascadeNumber {}
