import * as z from 'zod/mini'
import { cancellationReasonSchema, type RequestedChange } from '../../billing/gateway/subscription.ts'
import { principalIdSchema } from '../../core/ids.ts'

const words = {
  schedule: 'Cancellation scheduled by user',
  cancel: 'Canceled by user',
  resume: 'Resumed by user',
} as const satisfies Record<RequestedChange['change'], string>

/** Before the reason. */
const REASON = ', reason '
/** Before the time (Unix seconds) after which payments go back. */
const REFUND = ', refund what was paid after'

const secondsSchema = z.coerce.number().check(z.int())

/**
 * The person who asked for a change of a subscription's end, and the reason, as its `cancellation_details[comment]`. The call that makes the change writes
 * it. So every read of the change has it, even if the webhook is projected before the request writes.
 */
export function commentOf({ change, by, reason, refundAfter }: RequestedChange): string {
  const why = reason === undefined ? '' : REASON + reason
  return `${words[change]} ${by}${why}${refundAfter === undefined ? '' : `${REFUND} ${refundAfter}`}`
}

/** The person who asked and the reason, from a comment of `commentOf`; null for any other comment. */
export function readComment(comment: string | null | undefined): RequestedChange | null {
  for (const change of ['schedule', 'cancel', 'resume'] as const) {
    const start = `${words[change]} `
    if (!comment?.startsWith(start)) continue
    const [asked = '', after] = comment.slice(start.length).split(REFUND)
    const [id, why] = asked.split(REASON)
    const by = principalIdSchema.safeParse(id).data
    const reason = cancellationReasonSchema.safeParse(why).data
    const refundAfter = secondsSchema.safeParse(after).data
    if (by !== undefined)
      return { change, by, ...(reason && { reason }), ...(refundAfter !== undefined && { refundAfter }) }
  }
  return null
}
