/// Four sections of a cascade side by side, one number each.
typealias Lanes = SIMD4<Float>
