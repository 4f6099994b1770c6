import type { RequestedChange } from '../../billing/gateway/subscription.ts'
import { principalIdSchema } from '../../core/ids.ts'

const words = {
  schedule: 'Cancellation scheduled by user',
  cancel: 'Canceled by user',
  resume: 'Resumed by user',
} as const satisfies Record<RequestedChange['change'], string>

/**
 * The person who asked for a change of a subscription's end, as its `cancellation_details[comment]`. The call that makes the change writes
 * it. So every read of the change has it, even if the webhook is projected before the request writes.
 */
export function commentOf({ change, by }: RequestedChange): string {
  return `${words[change]} ${by}`
}

/** The person who asked, from a comment of `commentOf`; null for any other comment. */
export function readComment(comment: string | null | undefined): RequestedChange | null {
  for (const change of ['schedule', 'cancel', 'resume'] as const) {
    const start = `${words[change]} `
    const by = comment?.startsWith(start) ? principalIdSchema.safeParse(comment.slice(start.length)).data : undefined
    if (by !== undefined) return { change, by }
  }
  return null
}
