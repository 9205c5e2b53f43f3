#if hasFeature(Embedded)
  /// Replaces the `Codable` of the standard library, because Embedded Swift has no encoders and
  /// decoders. The replacement protocol has no requirements.
  protocol Codable {}

  // These declarations are necessary, because no module of Embedded Swift declares the C functions
  // that `CMath` calls. On a microcontroller, the functions are linked from a C library. In a
  // browser, the functions come from JavaScript.

  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log") func log(_ x: Double) -> Double
  @_extern(c, "log2") func log2(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
  @_extern(c, "sin") func sin(_ x: Double) -> Double
  @_extern(c, "cos") func cos(_ x: Double) -> Double
  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "erfc") func erfc(_ x: Double) -> Double
#endif
