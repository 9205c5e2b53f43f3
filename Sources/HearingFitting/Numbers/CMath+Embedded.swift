#if hasFeature(Embedded)
  // No module of Embedded Swift declares the C functions that `CMath` calls. Therefore the C
  // functions are declared here. On a microcontroller, the functions are linked from a C library.
  // In a browser, the functions come from JavaScript's `Math`.

  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp2") func exp2(_ x: Double) -> Double
  @_extern(c, "log2") func log2(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
#endif
