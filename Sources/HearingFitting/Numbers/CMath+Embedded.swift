#if hasFeature(Embedded)
  // Declares the C functions that `CMath` calls, because no module of Embedded Swift declares them.
  // On a microcontroller, a C library provides them to the linker. In a browser, JavaScript's
  // `Math` provides them.

  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp2") func exp2(_ x: Double) -> Double
  @_extern(c, "log2") func log2(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
#endif
