// Reads and writes vectors of four or eight consecutive numbers. The memory address of a vector
// need not be a multiple of the vector size.

extension Row<Float> {
  /// The four numbers that begin at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func float4(at index: Int) -> SIMD4<Float> {
    check(index, 4)
    return unsafe UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Writes four numbers, beginning at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func setFloat4(_ value: SIMD4<Float>, at index: Int) {
    check(index, 4)
    unsafe UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// The eight numbers that begin at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func float8(at index: Int) -> SIMD8<Float> {
    check(index, 8)
    return unsafe UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// Writes eight numbers, beginning at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func setFloat8(_ value: SIMD8<Float>, at index: Int) {
    check(index, 8)
    unsafe UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: SIMD8<Float>.self)
  }
}

extension OwnedRow<Float> {
  /// The four numbers that begin at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func float4(at index: Int) -> SIMD4<Float> { row.float4(at: index) }

  /// Writes four numbers, beginning at `index`. The memory address of the numbers may have any
  /// alignment.
  @_transparent
  @usableFromInline package func setFloat4(_ value: SIMD4<Float>, at index: Int) {
    row.setFloat4(value, at: index)
  }
}
