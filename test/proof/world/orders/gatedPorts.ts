import type { GatewayListing } from '../../../../lib/billing/gateway/gatewayPorts.ts'
import type { PassRecords } from '../../../../lib/billing/reconcile/passContext.ts'
import type { BillingRecords, CustomerCipher, SlotListing } from '../../../../lib/billing/slot/ports.ts'
import { CommonError } from '../../../../lib/core/errors.ts'
import type { Users } from '../../../../lib/users/ports.ts'
import type { GatewayCalls } from '../../../billing/gatewayCalls.ts'
import { gated } from '../../../support/gated.ts'
import type { Enter } from './gate.ts'

const away = (): never => {
  throw new CommonError('service_unavailable')
}
const unknown = () => ({ kind: 'unknown', saved: false }) as const

export function gatedRecords(records: BillingRecords, enter: Enter): BillingRecords {
  return gated('records', records, enter, away)
}

/** A gateway whose calls pass the gate; `freezeSubscription` makes none. */
export function gatedGateway(gateway: GatewayCalls, enter: Enter): GatewayCalls {
  return { ...gated('gateway', gateway, enter, unknown), freezeSubscription: gateway.freezeSubscription }
}

export function gatedSlots(slots: SlotListing, enter: Enter): SlotListing {
  return gated('slots', slots, enter, away)
}

export function gatedPasses(passes: PassRecords, enter: Enter): PassRecords {
  return gated('passes', passes, enter, away)
}

export function gatedListing(listing: GatewayListing, enter: Enter): GatewayListing {
  return gated('listing', listing, enter, unknown)
}

export function gatedUsers(users: Pick<Users, 'find'>, enter: Enter): Pick<Users, 'find'> {
  return gated('users', users, enter, away)
}

/** A key service that binds a customer id to its organization, every call through the gate. Not encrypted, only bound. */
export function gatedCipher(enter: Enter): CustomerCipher {
  return {
    encrypt: (organizationId, customerId) =>
      enter('cipher.encrypt', async () => `${organizationId}|${customerId}`, away),
    decrypt: (organizationId, cipher) => enter('cipher.decrypt', async () => opened(organizationId, cipher), away),
  }
}

function opened(organizationId: string, cipher: string): string {
  const [owner, customerId] = cipher.split('|')
  if (owner !== organizationId || customerId === undefined) throw new Error('Encrypted for another organization')
  return customerId
}
