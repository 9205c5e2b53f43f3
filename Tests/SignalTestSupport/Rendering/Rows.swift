package import HearingBuffers

extension UnsafeMutableBufferPointer {
  /// A row that refers to the elements of this buffer.
  package var row: Row<Element> {
    baseAddress.map { Row($0, count: count) } ?? .empty
  }
}

extension UnsafeBufferPointer {
  /// A row that refers to the elements of this buffer. Callers must only read this row.
  package var row: Row<Element> {
    baseAddress.map { Row(reading: $0, count: count) } ?? .empty
  }
}

extension OwnedRow where Element: BitwiseCopyable {
  /// Creates a row with a copy of `elements`.
  package init(copying elements: [Element]) {
    self.init(count: elements.count) { elements[$0] }
  }
}

extension Row where Element: BitwiseCopyable {
  /// Writes `elements`, starting at index 0.
  package func write(_ elements: some Sequence<Element>) {
    for (index, element) in elements.enumerated() { self[index] = element }
  }
}
