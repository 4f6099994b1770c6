import { isDeepStrictEqual } from 'node:util'
import pRetry from 'p-retry'
import * as z from 'zod'
import type { Scene } from './scene.ts'

const received = z.object({ events: z.array(z.object({ body: z.string() })) })
const sent = z.object({
  type: z.string(),
  organization_id: z.string(),
  sequence: z.int().nullable(),
  data: z.looseObject({ product: z.string().optional(), active: z.boolean().optional() }),
})

interface Entitlement {
  readonly product: string
  readonly active: boolean
}

/**
 * Shows the events that another system received.
 * @param entitlements what the API answers
 * @throws Error if the events do not lead to the same entitlements within 30 seconds
 */
export async function receiveEvents(
  { info, title, note }: Pick<Scene, 'info' | 'title' | 'note'>,
  organizationId: string,
  entitlements: readonly Entitlement[],
): Promise<void> {
  title('What another system heard')
  note(`The stack has a receiver of its own, which checks the signature of each event: ${info.events.url}`)
  const active = entitlements.flatMap((each) => (each.active ? [each.product] : [])).sort()
  const read = async () => {
    const answer = received.parse(await (await fetch(`${info.events.url}.json`)).json())
    const events = answer.events
      .map(({ body }) => sent.parse(JSON.parse(body)))
      .filter((event) => event.organization_id === organizationId)
      .sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0))
    const copy = new Map<string | undefined, boolean | undefined>()
    for (const { type, data } of events) if (type === 'entitlement.changed') copy.set(data.product, data.active)
    const known = [...copy].flatMap(([product, isActive]) => (isActive ? [product] : [])).sort()
    if (!isDeepStrictEqual(known, active)) throw new Error(`The events say ${known}, and the API ${active}`)
    return events
  }
  const events = await pRetry(read, { retries: 300, factor: 1, minTimeout: 100 })
  note(events.map(({ sequence, type, data }) => `${sequence}. ${type} ${data.product ?? ''}`).join('\n'))
}
