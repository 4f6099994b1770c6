/** Names similar to `given`: names that contain it, or else names a few keystrokes away, the closest first. */
export function closestNames(given: string, names: readonly string[]): readonly string[] {
  const wanted = given.toLowerCase()
  const containing = names.filter((name) => wanted !== '' && name.toLowerCase().includes(wanted))
  if (containing.length > 0) return containing.slice(0, SHOWN)
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, SHOWN)
    .map(({ name }) => name)
}

const SHOWN = 3

/** The number of letters to add, remove or replace (Levenshtein's distance). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, second] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === second ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
