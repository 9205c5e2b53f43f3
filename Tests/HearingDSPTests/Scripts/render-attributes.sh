#!/bin/sh
# The compiler holds the render path to its attributes: an allocation, a lock or a class planted there does not compile.
# Run from the package's folder.
set -eu

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R Sources/HearingDSP/. "$copy"
place="$copy/Rendering/Rendering.swift"

compiles() {
  find "$copy" -name '*.swift' -print0 | xargs -0 swiftc -swift-version 6 -parse-as-library -wmo -module-name HearingDSP -package-name hearing \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -emit-sil -o /dev/null > "$copy/log" 2>&1
}

compiles || { cat "$copy/log" >&2; echo "the module does not compile as it is" >&2; exit 1; }

# plant NAME CODE MESSAGE: as the first thing that rendering does.
plant() {
  cp "$place" "$copy/saved"
  awk -v code="$2" '{ print } /guard frameCount > 0 else { return }/ && !done { print code; done = 1 }' \
    "$copy/saved" > "$place"
  cmp -s "$place" "$copy/saved" && { echo "no place found to plant anything" >&2; exit 1; }
  if compiles; then
    echo "$1 in the render path compiles" >&2
    exit 1
  fi
  grep -qE "$3" "$copy/log" || { cat "$copy/log" >&2; echo "$1 is refused for another reason" >&2; exit 1; }
  echo "$1 in the render path: refused"
  cp "$copy/saved" "$place"
}

plant "an allocation" \
  'let planted = UnsafeMutablePointer<Float>.allocate(capacity: frameCount); planted.deallocate()' 'cause an? (de)?allocation'
plant "an array" 'var planted = [Float](); planted.append(1); _ = planted' 'allocation|locking|metadata'
plant "a class" 'final class Planted { var value = 0 }; let planted = Planted(); planted.value = frameCount' 'allocation|locking'
plant "a lock" 'ControlLock(0).withLock { $0 = 1 }' 'allocation|locking|not available'
echo "the compiler holds the render path to its attributes"
