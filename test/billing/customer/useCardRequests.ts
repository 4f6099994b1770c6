import * as z from 'zod'
import { useCleanStack } from '../useCleanStack.ts'

/** Payment methods as the list of them answers. */
export const cards = z.object({ payment_methods: z.array(z.looseObject({ id: z.string(), is_default: z.boolean() })) })

/** A stack, and requests of the demo's owner about the cards of an organization. */
export function useCardRequests() {
  const bed = useCleanStack()

  async function send(method: 'GET' | 'POST' | 'DELETE', path: string, organizationId: string) {
    const token = await bed.stack.token()
    return bed.stack.client.send({ method, path: `/api/billing/${path}?organization_id=${organizationId}`, token })
  }
  const list = (organizationId: string) => send('GET', 'payment-methods', organizationId)
  return {
    bed,
    send,
    list,
    makeDefault: (organizationId: string, card: string) =>
      send('POST', `payment-methods/${card}/default`, organizationId),
    remove: (organizationId: string, card: string) => send('DELETE', `payment-methods/${card}`, organizationId),
    async defaultOf(organizationId: string): Promise<string | undefined> {
      return cards.parse((await list(organizationId)).body).payment_methods.find(({ is_default }) => is_default)?.id
    },
    /** The card of each of the organization's active subscriptions, without repetitions. */
    async ownCards(organizationId: string) {
      const all = (await bed.stack.subscriptions(organizationId)).filter(({ status }) => status === 'active')
      return [...new Set(all.map(({ default_payment_method }) => default_payment_method))]
    },
  }
}
