import type { SendWebhook } from '../../events/delivery/ports.ts'
import type { EndpointUrlDeps } from '../../events/endpointUrl.ts'
import { createCheckedRequest } from '../outbound/checkedRequest.ts'

/** Milliseconds for an attempt in all. */
const BUDGET = 10_000

/** How much of an answer is read, in bytes. */
const BODY_LIMIT = 1024

/** Sends webhooks to servers of strangers, each by a checked request. A longer or broken body is cut: the status counts. */
export function createWebhookSender(deps: EndpointUrlDeps, { budget = BUDGET } = {}): SendWebhook {
  const send = createCheckedRequest(deps, { budget, bodyLimit: BODY_LIMIT })
  return async (request) => {
    const answer = await send({ ...request, method: 'POST' })
    if (answer.kind === 'not_answered') return answer
    return { kind: answer.kind, status: answer.status, body: answer.body.toString('utf8') }
  }
}
