import type { RequestedChange } from '../../billing/gateway/subscription.ts'
import { principalIdSchema } from '../../core/ids.ts'

const words = {
  schedule: 'Cancellation scheduled by user',
  cancel: 'Canceled by user',
  resume: 'Resumed by user',
} as const satisfies Record<RequestedChange['change'], string>

/**
 * Who asked for a change of when a subscription ends, as its `cancellation_details[comment]`: the call that makes the change writes it, so
 * that every read of the change has it, also where the webhook is projected before the request writes.
 */
export function commentOf({ change, by }: RequestedChange): string {
  return `${words[change]} ${by}`
}

/** Who asked, from a comment that `commentOf` wrote; null for any other one. */
export function readComment(comment: string | null | undefined): RequestedChange | null {
  for (const change of ['schedule', 'cancel', 'resume'] as const) {
    const start = `${words[change]} `
    const by = comment?.startsWith(start) ? principalIdSchema.safeParse(comment.slice(start.length)).data : undefined
    if (by !== undefined) return { change, by }
  }
  return null
}
