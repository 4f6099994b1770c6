const MAX_LENGTH = 72

/** Subjects that git writes, or takes away when commits are put together. */
const written = /^(Merge |Revert "|fixup! |squash! |amend! )/

/** What is wrong with the subject of a commit: nothing, or sentences for its author. */
export function subjectFaults(subject: string): string[] {
  if (written.test(subject)) return []
  return [
    ...(subject.length > MAX_LENGTH ? [`It has ${subject.length} characters; at most ${MAX_LENGTH} fit a line.`] : []),
    ...(/\band\b/i.test(subject) ? ['It says two things with “and”: make two commits, or name what both serve.'] : []),
  ]
}
