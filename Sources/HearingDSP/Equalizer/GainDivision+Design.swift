extension GainDivision {
  /// The division that `design` makes, in single precision.
  init(_ design: EqualizerDesign) {
    let plan = design.plan
    self.init(
      anchorCount: plan.anchors.count,
      sectionCount: 4 * LaneTarget.vectorCount(bandCount: plan.bells.count))
    let octavesPerDecibel = Elementary.octaves(decibels: 1)
    let places = LaneTarget.places(bandCount: plan.bells.count)
    for (anchor, frequency) in plan.anchors.enumerated() {
      broadband[anchor] = Float(design.share(ofStage: 0, anchor: anchor) * octavesPerDecibel)
      let warped = Elementary.tangent(.pi * frequency / plan.sampleRate)
      for (section, prototype) in ([plan.lowShelf, plan.highShelf] + plan.bells).enumerated() {
        let slot = places[section]
        columns[slot / 12 * anchorCount + anchor][slot % 12] = Float(
          design.share(ofStage: section + 1, anchor: anchor) * octavesPerDecibel / 2)
        let place = anchor / 12 * sectionCount + slot
        let square = (warped / prototype.warped) * (warped / prototype.warped)
        let band = square / (prototype.quality * prototype.quality)
        if section < LaneTarget.shelfCount {
          skirts[place][anchor % 12] = Float(square)
          bands[place][anchor % 12] = Float(band)
        } else {
          let skirt = (1 - square) * (1 - square)
          skirts[place][anchor % 12] = Float(skirt / (skirt + band))
          bands[place][anchor % 12] = Float(band / (skirt + band))
        }
      }
    }
  }
}
