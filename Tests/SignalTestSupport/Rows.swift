package import HearingBuffers

extension UnsafeMutableBufferPointer {
  /// The elements as a row.
  package var row: Row<Element> {
    baseAddress.map { Row($0, count: count) } ?? .empty
  }
}

extension UnsafeBufferPointer {
  /// The elements as a row that must only be read.
  package var row: Row<Element> {
    baseAddress.map { Row(reading: $0, count: count) } ?? .empty
  }
}

extension OwnedRow where Element: BitwiseCopyable {
  /// A copy of `elements`.
  package init(copying elements: [Element]) {
    self.init(count: elements.count) { elements[$0] }
  }
}

extension Row where Element: BitwiseCopyable {
  /// Writes `elements` from index 0 on.
  package func write(_ elements: some Sequence<Element>) {
    for (index, element) in elements.enumerated() { self[index] = element }
  }
}
