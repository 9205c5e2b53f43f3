/// What a program was waited for in vain for.
struct Silence: Error {
  let what: String
}
