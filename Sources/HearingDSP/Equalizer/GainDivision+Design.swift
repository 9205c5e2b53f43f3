extension GainDivision {
  /// The division that `design` makes, in single precision.
  init(_ design: EqualizerDesign) {
    let plan = design.plan
    self.init(
      anchorCount: plan.anchors.count,
      vectorCount: LaneTarget.vectorCount(bandCount: plan.bells.count))
    let octavesPerDecibel = Elementary.binaryLogarithm(10) / 20
    for (anchor, frequency) in plan.anchors.enumerated() {
      broadband[anchor] = Float(design.share(ofStage: 0, anchor: anchor) * octavesPerDecibel)
      let warped = Elementary.tangent(.pi * frequency / plan.sampleRate)
      for (index, shelf) in [plan.lowShelf, plan.highShelf].enumerated() {
        let ratio = warped / shelf.warped
        shelfSquares[anchor][index] = Float(ratio * ratio)
        shelfBands[anchor][index] = Float(ratio * ratio / (shelf.quality * shelf.quality))
      }
      for section in 0..<plan.bells.count + LaneTarget.shelfCount {
        let place = anchor * vectorCount + section / 4
        columns[place][section % 4] = Float(
          design.share(ofStage: section + 1, anchor: anchor) * octavesPerDecibel / 2)
        guard section >= LaneTarget.shelfCount else { continue }
        let bell = plan.bells[section - LaneTarget.shelfCount]
        let square = (warped / bell.warped) * (warped / bell.warped)
        let skirt = (1 - square) * (1 - square)
        let band = square / (bell.quality * bell.quality)
        skirts[place][section % 4] = Float(skirt / (skirt + band))
      }
    }
  }
}
