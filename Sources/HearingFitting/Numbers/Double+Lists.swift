extension [Double] {
  /// The mean of a list that is not empty.
  var mean: Double { reduce(0, +) / Double(count) }

  /// The index of the first element of a rising list that is at least `value`, or the number of
  /// elements if there is none.
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
