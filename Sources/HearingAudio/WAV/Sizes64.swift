/// The contents of a `ds64` chunk. This chunk stores the sizes that do not fit into 32 bits (EBU
/// Tech 3306).
struct Sizes64 {
  /// At most this number of bytes is read: 28 bytes, and a table with up to 32 entries.
  static let maximumByteCount = 28 + 32 * entrySize

  private static let entrySize = 12
  private static let unknownSize = 0xFFFF_FFFF

  /// The size of the data chunk in bytes.
  let dataSize: Int

  /// Whether the sizes are unknown because the writer has not filled them in.
  let isOpen: Bool

  private var table: [(code: FourCharacterCode, size: Int)] = []

  /// Parses the chunk. If the chunk is too short, the sizes count as unknown.
  init(_ bytes: [UInt8]) {
    guard bytes.count >= 16 else {
      dataSize = 0
      isOpen = true
      return
    }
    let riffSize = bytes.integer(at: 0, as: UInt64.self)
    dataSize = bytes.integer(at: 8, as: UInt64.self)
    isOpen = dataSize == .max || (dataSize == 0 && riffSize == 0)
    for offset in stride(from: 28, through: bytes.count - Self.entrySize, by: Self.entrySize) {
      let size = bytes.integer(at: offset + 4, as: UInt64.self)
      table.append((FourCharacterCode(bytes, at: offset), size))
    }
  }

  /// The size in bytes of a chunk other than `data`. If `stated` is 2³² − 1, the table contains the
  /// size.
  func size(of code: FourCharacterCode, stated: Int) -> Int {
    guard stated == Self.unknownSize else { return stated }
    return table.first { $0.code == code }?.size ?? stated
  }
}
