#if hasFeature(Embedded)
  // Declares the C library functions that `CMath` calls. The declarations are for platforms without
  // a Swift module for the C library. On a microcontroller, the functions are linked from a C
  // library. In a browser, the functions come from the `Math` object of JavaScript.

  @_extern(c, "tan") func tan(_ x: Double) -> Double
  @_extern(c, "atan") func atan(_ x: Double) -> Double
  @_extern(c, "cos") func cos(_ x: Double) -> Double
  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
  @_extern(c, "log2") func log2(_ x: Double) -> Double
#endif
