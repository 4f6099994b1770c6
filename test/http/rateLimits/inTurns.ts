const AT_ONCE = 30

/** Sends a request `count` times, 30 at once, so that the store does not time out on a slow machine. */
export async function inTurns<Answer>(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < count) {
    const turn = Math.min(AT_ONCE, count - answers.length)
    answers.push(...(await Promise.all(Array.from({ length: turn }, send))))
  }
  return answers
}
