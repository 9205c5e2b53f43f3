/// The dimensions of an image.
struct PixelSize: Equatable {
  let width: Int
  let height: Int
}
