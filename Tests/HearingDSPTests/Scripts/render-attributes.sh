#!/bin/sh
# Checks that the compiler refuses faults in the render path. The entry points of the render path
# have the attributes @_noLocks and @_noAllocation, and the compiler follows every call from them.
# The script adds four faults to functions that the entry points call: an allocation, an array, a
# class and a lock. It also adds an array to the gain solver, three or more calls below the entry
# point of the processor. Each fault is in a separate function, and the compiler must report each
# fault separately. Run the script from the package's folder.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy="$scratch/HearingDSP"
cp -R Sources/HearingDSP "$copy"
"$(dirname "$0")/memory-module.sh" "$scratch"
place="$copy/Path/RenderKernel.swift"

compiles() {
  find "$copy" -name '*.swift' -print0 | xargs -0 swiftc -swift-version 6 -parse-as-library -wmo -module-name HearingDSP \
    -package-name hearingprocessing -I "$scratch" -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -emit-sil -o "$scratch/sil" > "$copy/log" 2>&1
}

# Each fault is in a separate function, so that no diagnostic hides another. All these functions are
# called at the start of processing a block.
cat >> "$place" <<'END'

final class PlantedClass { var value = 0 }

extension RenderKernel {
  func plantedAllocation(_ count: Int) {
    let planted = UnsafeMutablePointer<Float>.allocate(capacity: count); planted.deallocate() // an allocation
  }

  func plantedArray(_ count: Int) {
    var planted = [Float](); planted.append(Float(count)); _ = planted // an array
  }

  func plantedClass(_ count: Int) {
    let planted = PlantedClass(); planted.value = count // a class
  }

  func plantedLock(_ count: Int) {
    ControlLock(count).withLock { $0 = 1 }
  }
}
END
# Adds an entry point for each fault, with the attributes of the render path.
awk '{ print } /^struct RenderKernel: ~Copyable {/ && !done {
  split("Allocation Array Class Lock", faults, " ")
  for (i = 1; i <= 4; i++) {
    print "  @_noLocks @_noAllocation"
    print "  mutating func enter" faults[i] "(_ count: Int) { planted" faults[i] "(count); process(frameCount: count) }"
  }
  done = 1 }' "$place" > "$copy/planted" && mv "$copy/planted" "$place"
# Adds an array to the gain solver. The solver is called for every block, more than three calls
# below the entry point.
deep="$copy/Compression/GainSolver.swift"
awk '{ print } /func solve\(/ { inside = 1 }
  inside && /{$/ { print "    var deep = [Float](); deep.append(0) // three calls below"; inside = 0 }' "$deep" > "$copy/planted" \
  && mv "$copy/planted" "$deep"
grep -q enterLock "$place" && grep -q "three calls below" "$deep" || { echo "no place found to plant anything" >&2; exit 1; }

if compiles; then
  echo "faults planted in the render path compile" >&2
  exit 1
fi
status=0
# Usage: expect FAULT MESSAGE. Checks for a diagnostic at the line that ends with the comment "//
# FAULT".
expect() {
  line=$(grep -n "// $1\$" "$place" | cut -d: -f1)
  if grep -E "RenderKernel.swift:$line:[0-9]+: error: .*($2)" "$copy/log" > /dev/null; then
    echo "$1 in the render path: refused"
  else
    echo "$1 in the render path is not refused, or for another reason" >&2
    status=1
  fi
}
expect "an allocation" 'cause an? (de)?allocation'
expect "an array" 'allocation|locking|metadata'
expect "a class" 'allocation|locking'
line=$(grep -n "// three calls below\$" "$deep" | cut -d: -f1)
if grep -E "GainSolver.swift:$line:[0-9]+: error: .*(allocation|locking|metadata)" "$copy/log" > /dev/null \
  && grep -E "BandGain(Processor|Renderer).swift:[0-9]+:[0-9]+: note: called from here" "$copy/log" > /dev/null; then
  echo "an array far below the entry: refused, and the way to it is named"
else
  echo "an array far below the entry is not refused, or the way to it is not named" >&2
  status=1
fi
# The compiler reports this diagnostic at the definition of the lock.
if grep -E "ControlLock.swift:[0-9]+:[0-9]+: error: .*(allocation|locks)" "$copy/log" > /dev/null; then
  echo "a lock in the render path: refused"
else
  echo "a lock in the render path is not refused, or for another reason" >&2
  status=1
fi
[ "$status" = 0 ] || { grep error: "$copy/log" >&2; exit 1; }
echo "the compiler holds the render path to its attributes"
