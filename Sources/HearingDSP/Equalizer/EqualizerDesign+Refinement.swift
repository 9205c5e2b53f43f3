internal import HearingBuffers

// ``EqualizerDesign`` computes the section gains iteratively, with a constant matrix W. For the
// gains of typical prescriptions, this iteration converges. For target gains with notches or steep
// slopes, the iteration may not converge. If the iteration does not converge, the
// Levenberg–Marquardt method refines the section gains. The Levenberg–Marquardt method uses the
// derivatives of the response at the current section gains, instead of the constant matrix. The
// weight of the broadband stage is the same as in the matrix W.
extension EqualizerDesign {
  /// Refines the section gains in `sections` iteratively. A residual is the remaining gain error in
  /// dB at an anchor frequency.
  ///
  /// The refinement ends when the maximum residual is at most ``tolerance``, or after the maximum
  /// number of iterations. The refinement also ends when an iteration cannot reduce the sum of the
  /// squared residuals.
  mutating func refine() {
    var error = squaredResidual()
    var damping = Self.initialDamping
    for _ in 0..<Self.maximumRefinements where maximumResidual > Self.tolerance {
      let derivatives = derivatives()
      let before = sections
      var isBetter = false
      while !isBetter && damping < Self.maximumDamping {
        step(derivatives, damping: damping, from: before)
        _ = updateResiduals()
        let next = squaredResidual()
        isBetter = next < error
        damping *= isBetter ? 0.1 : 10
        if isBetter { error = next }
      }
      guard isBetter else {
        sections = before
        _ = updateResiduals()
        return
      }
      damping = max(damping, Self.minimumDamping)
    }
  }

  private var maximumResidual: Double { anchorResiduals.reduce(0) { max($0, abs($1)) } }

  private func squaredResidual() -> Double { anchorResiduals.reduce(0) { $0 + $1 * $1 } }

  /// Performs one iteration: sets `sections` to `start` + S Jᵀ (J S Jᵀ + λ I)⁻¹ r. In the formula,
  /// J is `jacobian`, λ is `damping`, r contains the residuals of `start`, and S contains the
  /// weights of the stages.
  private mutating func step(_ jacobian: [[Double]], damping: Double, from start: [Double]) {
    sections = start
    _ = updateResiduals()
    let count = jacobian.count
    let inverse = Self.inverseGram(of: jacobian, damping: damping)
    var weights = [Double](repeating: 0, count: count)
    for i in 0..<count {
      for j in 0..<count { weights[i] += inverse[i * count + j] * anchorResiduals[j] }
    }
    for stage in start.indices {
      var sum = 0.0
      for i in 0..<count { sum += jacobian[i][stage] * weights[i] }
      let change = (stage == 0 ? Self.broadbandPreference : 1) * sum
      sections[stage] = min(
        max(start[stage] + change, -Self.maximumGain), Self.maximumGain)
    }
  }

  /// The derivatives of the response in dB at each anchor frequency with respect to the gain in dB
  /// of each stage, `[anchor][stage]`.
  private func derivatives() -> [[Double]] {
    let roots = (1...2).map { CMath.power(10, sections[$0] / 40) }
    let amplitudes = plan.bells.indices.map {
      CMath.amplitude(decibels: sections[$0 + Self.sharedStages])
    }
    return warpedAnchors.map { warped in
      let shelves = zip([plan.lowShelf, plan.highShelf], roots).map { shelf, root in
        SectionResponse.lowShelfDerivative(
          ratio: warped / shelf.warped, quality: shelf.quality, root: root)
      }
      let bells = zip(plan.bells, amplitudes).map { bell, amplitude in
        SectionResponse.bellDerivative(
          ratio: warped / bell.warped, quality: bell.quality, amplitude: amplitude)
      }
      return [1] + shelves + bells
    }
  }

  private static let maximumRefinements = 60
  private static let initialDamping = 0.01
  private static let minimumDamping = 1e-9
  private static let maximumDamping = 1e9
}
