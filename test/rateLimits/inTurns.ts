const AT_ONCE = 30

/** Sends a request so many times, a few at once, so that a slow machine is never mistaken for a store that is away. */
export async function inTurns<Answer>(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < count) {
    const turn = Math.min(AT_ONCE, count - answers.length)
    answers.push(...(await Promise.all(Array.from({ length: turn }, send))))
  }
  return answers
}
