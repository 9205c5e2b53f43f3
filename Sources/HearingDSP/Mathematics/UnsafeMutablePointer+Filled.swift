extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Memory for `count` elements, all of them `value`; whoever asks for it deallocates it.
  package static func filled(_ value: Pointee, count: Int) -> Self {
    let pointer = allocate(capacity: count)
    pointer.initialize(repeating: value, count: count)
    return pointer
  }
}
