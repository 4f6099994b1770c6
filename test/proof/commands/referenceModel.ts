import type { GatewayName } from '../../../lib/billing/gateway/gatewayName.ts'

const HOUR = 3_600_000
/** An incomplete purchase expires after 23 hours. */
const EXPIRY = 23 * HOUR
/** Until when a card that asks for authentication at every payment surely keeps its subscription alive. */
export const FIRST_PERIOD = 27 * 24 * HOUR

/** How long after its period began a purchase by invoice surely lives that is not paid: it ends 30 days after its due date, which is 30 days later. */
export const UNPAID = 59 * 24 * HOUR

export const codes = ['base_ota', 'addon_monitoring', 'addon_crash_reporting'] as const
export type Code = (typeof codes)[number]
export type Card = 'good' | 'declining' | 'secure'
/** Organizations and users by their place; both users own both organizations. */
export type Place = 0 | 1

/** What the gateway holds for the latest purchase of a line. Times are Unix milliseconds. */
export interface Purchase {
  state: 'live' | 'incomplete' | 'ended'
  /** The subscription's own card. */
  card: Card
  /** The card of the latest attempt to pay the first invoice. */
  tried: Card
  /** Whose coupon it took. */
  couponOf: Place | null
  /** Whether it holds its coupon for good: once it is paid or, where it is paid later, granted. */
  paid: boolean
  /** The state of its 3-D Secure step. */
  step: 'none' | 'waiting' | 'failed'
  startedAt: number
  /** When a scheduled cancellation takes effect. */
  endsAt: number
  /** Past this, whether its renewals could be paid is not predicted. */
  steadyUntil: number
}

/** One product of one organization, as a user may expect it. */
export interface Line {
  /** Nothing is predicted until it is looked up at the gateway: a fault hid what came of something. */
  unknown: boolean
  /** A person changed it in the Dashboard: nothing is predicted of it any more, and the monitors alone hold it. */
  byHand: boolean
  /** What the service knows, which follows the gateway by webhooks and by asking. */
  record: 'free' | 'live' | 'incomplete'
  /** Whether the service remembers an ended subscription. */
  everHeld: boolean
  purchase: Purchase | null
  /** First payments that were made. */
  charges: number
}

export interface Organization {
  gateway: GatewayName
  customer: 'present' | 'deleted' | 'none' | 'unknown'
  /** Whether the customer can buy: it has its three cards, the good one as the default, or what an invoice needs. */
  ready: boolean
  lines: Record<Code, Line>
}

/** The gateway of each organization. */
export type Served = readonly [GatewayName, GatewayName]
export const byCard: Served = ['card', 'card']

/** The small truth that the service is held to. */
export interface Model {
  organizations: [Organization, Organization]
  /** Whether a user's coupon is taken. */
  coupons: ['free' | 'taken' | 'unknown', 'free' | 'taken' | 'unknown']
}

/** @param served the gateways of the two organizations */
export function createModel(served: Served = byCard): Model {
  const line = (): Line => ({
    unknown: false,
    byHand: false,
    record: 'free',
    everHeld: false,
    purchase: null,
    charges: 0,
  })
  const organization = (gateway: GatewayName): Organization => ({
    gateway,
    customer: 'present',
    ready: true,
    lines: { base_ota: line(), addon_monitoring: line(), addon_crash_reporting: line() },
  })
  return { organizations: [organization(served[0]), organization(served[1])], coupons: ['free', 'free'] }
}

export const linesOf = (organization: Organization) => codes.map((code) => organization.lines[code])
export const allLines = ({ organizations }: Model) => organizations.flatMap(linesOf)

/** Nothing is known of this line any more, nor of the coupon that it may hold. */
export function forget(model: Model, line: Line, user?: Place): void {
  line.unknown = true
  if (user !== undefined) model.coupons[user] = 'unknown'
  const holder = line.purchase?.couponOf
  if (holder !== undefined && holder !== null && !line.purchase?.paid) model.coupons[holder] = 'unknown'
}

/** What time brings about at the gateway. */
export function tick(model: Model, now: number): void {
  for (const line of allLines(model)) {
    const { purchase } = line
    if (line.unknown || !purchase || purchase.state === 'ended') continue
    const expired = purchase.state === 'incomplete' && now >= purchase.startedAt + EXPIRY
    if (purchase.state === 'live' && now > purchase.steadyUntil) forget(model, line)
    else if (expired || now >= purchase.endsAt) purchase.state = 'ended'
  }
}

/** The service learns what the gateway holds. A purchase that was never paid gives its coupon back. */
export function learn(model: Model, line: Line): void {
  const { purchase } = line
  if (!purchase || line.unknown || line.record === 'free') return
  if (purchase.state !== 'ended') {
    line.record = purchase.state
    return
  }
  line.record = 'free'
  line.everHeld = true
  if (purchase.couponOf !== null && !purchase.paid) model.coupons[purchase.couponOf] = 'free'
}

/** Whatever the service has not learned yet, it may learn at any moment. */
export function doubtNews(model: Model): void {
  for (const organization of model.organizations) {
    if (organization.customer === 'deleted') organization.customer = 'unknown'
    for (const line of linesOf(organization)) {
      const isNews = line.purchase?.state !== line.record
      if (line.record !== 'free' && isNews) forget(model, line)
    }
  }
}

/** The service forgets a customer that is gone once nothing is held. */
export function forgetCustomer(organization: Organization): void {
  if (linesOf(organization).some(({ unknown }) => unknown)) organization.customer = 'unknown'
  else if (linesOf(organization).every(({ record }) => record === 'free')) organization.customer = 'none'
}
