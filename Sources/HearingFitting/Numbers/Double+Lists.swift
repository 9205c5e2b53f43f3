extension [Double] {
  /// The mean of a list that is not empty.
  var mean: Double { reduce(0, +) / Double(count) }

  /// In a rising list, the index of the first element that is at least `value`. If all elements are
  /// less than `value`, the result is the number of elements.
  func firstIndex(notBelow value: Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
