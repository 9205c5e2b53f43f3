extension UnsafePointer<Float> {
  /// The four numbers from `index` on, at any alignment.
  @_noLocks @_noAllocation @inline(__always)
  @inlinable package func float4(at index: Int) -> Float4 {
    UnsafeRawPointer(self + index).loadUnaligned(as: Float4.self)
  }
}

extension UnsafeMutablePointer<Float> {
  /// The four numbers from `index` on, at any alignment.
  @_noLocks @_noAllocation @inline(__always)
  @inlinable package func float4(at index: Int) -> Float4 {
    UnsafeRawPointer(self + index).loadUnaligned(as: Float4.self)
  }

  /// Writes four numbers from `index` on, at any alignment.
  @_noLocks @_noAllocation @inline(__always)
  @inlinable package func setFloat4(_ value: Float4, at index: Int) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: Float4.self)
  }
}
