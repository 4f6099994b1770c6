/** The anchor of a heading of `infra/runbook/alarms.md`, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number} -]/gu, '')
    .replaceAll(' ', '-')
}

/** An alarm's description: what is wrong, then a link to the heading of `infra/runbook/alarms.md` that says what to do. */
export function describeAlarm(says: string, heading: string): string {
  return `${says}. What to do: infra/runbook/alarms.md#${anchorOf(heading)}`
}
