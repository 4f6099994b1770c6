/** The anchor of a heading of `infra/README.md`, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number} -]/gu, '')
    .replaceAll(' ', '-')
}

/** An alarm's description: what is wrong, and at its end where to read what to do, a heading of `infra/README.md`. */
export function describeAlarm(says: string, heading: string): string {
  return `${says}. What to do: infra/README.md#${anchorOf(heading)}`
}
