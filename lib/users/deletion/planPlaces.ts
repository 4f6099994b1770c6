import type { Clock } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import type { Ids } from '../../core/ids.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import { UserError } from '../errors.ts'
import type { OwnPlace, PlacePlan } from './ports.ts'

/** A transaction has at most 100 items: 3 for the account, 7 for each organization erased, 3 for each organization handed over. */
const MAX_ERASED = 10
const MAX_HANDED_OVER = 8

/**
 * Decides what happens to the organizations that the caller owns. Organizations that are already being deleted are handed over as well if
 * they have another owner, who may restore them; otherwise they stay as they are.
 * @throws UserError `sole_owner`, `organization_subscribed`, `too_many_organizations`
 */
export function planPlaces(
  deps: { readonly ids: Pick<Ids, 'uuid'>; readonly clock: Clock },
  { userId }: Pick<Caller, 'userId'>,
  places: readonly OwnPlace[],
): PlacePlan {
  const owned = places.filter(({ role }) => role === 'owner')
  const alone = owned.filter(({ owners, isBeingDeleted }) => owners === 1 && !isBeingDeleted)
  if (alone.some(({ hasOtherMembers }) => hasOtherMembers)) throw new UserError('sole_owner')
  if (alone.some(({ isSubscribed }) => isSubscribed)) throw new UserError('organization_subscribed')
  const handedOver = owned.filter(({ owners }) => owners > 1)
  if (alone.length > MAX_ERASED || handedOver.length > MAX_HANDED_OVER) throw new UserError('too_many_organizations')
  const entryOf = (place: OwnPlace, done: Pick<AuditEntry, 'action' | 'target' | 'detail'>): AuditEntry => ({
    ...{ organizationId: place.organizationId, id: deps.ids.uuid(), at: deps.clock.now() },
    actor: { type: 'user', id: userId },
    ...done,
  })
  return {
    erased: alone,
    handedOver,
    entries: [
      ...alone.map((place) =>
        entryOf(place, { action: 'organization.deletion_scheduled', target: place.organizationId, detail: {} }),
      ),
      ...handedOver.map((place) =>
        entryOf(place, {
          action: 'member.role_changed',
          target: userId,
          detail: { from: 'owner', to: 'billing_admin' },
        }),
      ),
    ],
  }
}
