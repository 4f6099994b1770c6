/** Milliseconds that an answer waits at most: handing work to the machine takes a fraction of a millisecond. */
const LONGEST = 10

const unfinished = new Set<Promise<void>>()

/** Lets the answer of the running invocation wait for `work`, which never rejects: Lambda stops a function as soon as it has answered. */
export function finishBeforeAnswer(work: Promise<void>): void {
  unfinished.add(work)
  void work.then(() => unfinished.delete(work))
}

/** Resolves when that work is done, or after 10 ms; at once if there is none. */
export async function lastWork(): Promise<void> {
  if (unfinished.size === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LONGEST)
    void Promise.all(unfinished).then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
