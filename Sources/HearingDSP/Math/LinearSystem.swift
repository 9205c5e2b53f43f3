/// Solves dense square systems of linear equations in double precision.
package enum LinearSystem {
  /// The inverse of a symmetric positive definite matrix with `size` rows and columns. The matrix
  /// and the inverse are stored in row-major order. The algorithm is Gauss–Jordan elimination with
  /// partial pivoting.
  ///
  /// If the magnitude of a pivot is below 10⁻¹², the pivot is replaced by 10⁻¹². Therefore the
  /// inverse contains no NaN, even if two equations are nearly identical.
  package static func inverse(_ matrix: [Double], size: Int) -> [Double] {
    var work = matrix
    var result = [Double](repeating: 0, count: size * size)
    for row in 0..<size { result[row * size + row] = 1 }
    for column in 0..<size { eliminate(column, &work, &result, size) }
    return result
  }

  /// Transforms one column of the matrix `work` into the same column of the identity matrix. All
  /// earlier columns have already been transformed.
  private static func eliminate(
    _ column: Int, _ work: inout [Double], _ result: inout [Double], _ size: Int
  ) {
    var best = column
    for row in column..<size
    where abs(work[row * size + column]) > abs(work[best * size + column]) {
      best = row
    }
    if best != column {
      for k in 0..<size {
        work.swapAt(best * size + k, column * size + k)
        result.swapAt(best * size + k, column * size + k)
      }
    }
    var pivot = work[column * size + column]
    if abs(pivot) < 1e-12 { pivot = 1e-12 }
    let pivotRow = column * size
    for k in column..<size { work[pivotRow + k] /= pivot }
    for k in 0..<size { result[pivotRow + k] /= pivot }
    for row in 0..<size where row != column {
      let factor = work[row * size + column]
      guard factor != 0 else { continue }
      let otherRow = row * size
      for k in column..<size { work[otherRow + k] -= factor * work[pivotRow + k] }
      for k in 0..<size { result[otherRow + k] -= factor * result[pivotRow + k] }
    }
  }
}
