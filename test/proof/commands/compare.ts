import { isFree } from '../../../lib/billing/slot/slot.ts'
import { readEntitlements } from '../../../lib/billing/subscriptions/readEntitlements.ts'
import { type BookedSubscription, type Books, hasEnded } from './books.ts'
import { ownViolations } from './monitors.ts'
import { callers, organizationIds, productOfCode } from './places.ts'
import { type Code, codes, type Model, type Place } from './referenceModel.ts'
import type { Session } from './session.ts'

const places = [0, 1] as const

/** A line's subscriptions at the gateway, oldest first. */
export function booked(books: Books, organization: Place, code: Code): BookedSubscription[] {
  const own = ({ metadata }: BookedSubscription) =>
    metadata.organization_id === organizationIds[organization] && metadata.plan_code === code
  return books.subscriptions.filter(own)
}

/** First invoices of a line that were paid with money. */
export function paidFirst(books: Books, organization: Place, code: Code): number {
  const ids = booked(books, organization, code).map(({ id }) => id)
  return books.invoices.filter(
    ({ billing_reason, amount_paid, parent }) =>
      billing_reason === 'subscription_create' &&
      amount_paid > 0 &&
      ids.includes(String(parent?.subscription_details?.subscription)),
  ).length
}

/** Holds gateway, record and entitlements against the model wherever it is sure, and the money rules everywhere. */
export async function differences(model: Model, { world, touched, monitors }: Session): Promise<string[]> {
  const books = world.stripe.core.control.state()
  const { slots } = world.records.save()
  const found = [...ownViolations(world.violations, touched), ...monitors.observe()]
  for (const place of places) {
    const organizationId = organizationIds[place]
    const granted = await readEntitlements(world, { organizationId, caller: callers[0] })
    for (const code of codes) {
      const line = model.organizations[place].lines[code]
      if (line.unknown) continue
      const product = productOfCode(code)
      const slot = slots.find((row) => row.organizationId === organizationId && row.product === product)
      const here =
        !slot || isFree(slot) ? 'free' : slot.state === 'incomplete' || slot.state === 'pending' ? slot.state : 'live'
      const active = granted.find((row) => row.product === product)?.active
      const expected = {
        record: line.record,
        // A scheduled end takes effect by the clock, with or without its event.
        active: line.record === 'live' && !(line.purchase && world.clock.now() >= line.purchase.endsAt),
        gateway: line.purchase && line.purchase.state !== 'ended' ? line.purchase.state : 'nothing',
        charges: line.charges,
      }
      const seen = {
        record: here,
        active,
        gateway: gatewayState(books, place, code),
        charges: paidFirst(books, place, code),
      }
      if (JSON.stringify(seen) !== JSON.stringify(expected)) {
        found.push(`${code} of organization ${place} is ${JSON.stringify(seen)}, expected ${JSON.stringify(expected)}`)
      }
    }
  }
  return found
}

function gatewayState(books: Books, place: Place, code: Code): string {
  const held = booked(books, place, code).filter((row) => !hasEnded(row))
  if (held.length > 1) return `held ${held.length} times`
  const [status] = held.map((row) => row.status)
  return status === undefined ? 'nothing' : status === 'incomplete' ? 'incomplete' : 'live'
}
