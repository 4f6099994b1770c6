import * as z from 'zod/mini'

/**
 * The member by which an event asks a schedule's function for no run: the check of a release, sent to a version before it is in service. The
 * function has then started with its settings; it reads its secret and what a run reads first, and does nothing of what it finds.
 */
export const releaseCheck = z._default(z.boolean(), false)

/** A function's answer to such a check. If something cannot be read, the function throws, as a run would. */
export const releaseCheckReport = z.object({ release_check: z.literal('passed') })

/** Waits for what a check reads. Rejects as the first of it does. */
export async function passCheck(...reads: readonly Promise<unknown>[]): Promise<z.output<typeof releaseCheckReport>> {
  await Promise.all(reads)
  return { release_check: 'passed' }
}

const checks = new Set<() => Promise<unknown>>()

/** Adds to what this function does before its version gets traffic, beside its answer to a request without credentials. */
export function checkBeforeTraffic(check: () => Promise<unknown>): void {
  checks.add(check)
}

/** Whether an endpoint's event is the check of a release. No caller can say so: API Gateway and Lambda URLs make events without this member. */
export function isReleaseCheck(event: object): boolean {
  return 'release_check' in event && event.release_check === true
}

/**
 * Whether the check asks for a read that the version must serve, instead of a refusal. Only functions that the environment gives a reader
 * (`RELEASE_READER`) take it for one.
 */
export function isReleaseRead(event: object): boolean {
  return isReleaseCheck(event) && 'release_read' in event && event.release_read === true
}

/** Does what was added. Rejects as the first of it does. */
export async function runChecks(): Promise<void> {
  await Promise.all([...checks].map((check) => check()))
}
