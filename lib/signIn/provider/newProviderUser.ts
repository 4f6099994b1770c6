import type { Clock } from '../../core/clock.ts'
import { type Ids, userIdSchema } from '../../core/ids.ts'
import type { User } from '../../users/ports.ts'
import { isReservedUsername, usernameSchema } from '../../users/username.ts'
import type { ExternalIdentity, Identities } from './ports.ts'

interface NewUserDeps {
  readonly identities: Pick<Identities, 'create'>
  readonly branding: { readonly name: string }
  readonly ids: Ids
  readonly clock: Clock
}

/** How many names are tried before a name that says nothing. */
const TRIES = 3

/**
 * Creates the account of a person whose address a provider vouches for. It has no password; a mail to the address sets one. The username is as
 * close to what the provider calls the person as it can be.
 * @returns undefined if the address or the identity has an account by now
 * @throws CommonError `service_unavailable`
 */
export async function createProviderUser(
  deps: NewUserDeps,
  {
    email,
    name,
    identity,
  }: { readonly email: string; readonly name: string | undefined; readonly identity: ExternalIdentity },
): Promise<User | undefined> {
  for (let attempt = 0; attempt <= TRIES; attempt++) {
    const id = userIdSchema.parse(deps.ids.uuid())
    const username = usernameFrom(deps, attempt < TRIES ? (name ?? email) : '', attempt === 0 ? '' : id.slice(0, 8))
    const flags = { isActive: true, isVerified: true, isSuperuser: false }
    const user = { id, email, username, ...flags, createdAt: deps.clock.now() }
    const outcome = await deps.identities.create(user, identity)
    if (outcome === 'created') return user
    if (outcome !== 'username_taken') return undefined
  }
  return undefined
}

/** Letters and digits of a name or of an address before its @-sign, as `usernameSchema` wants them. */
function usernameFrom({ branding, ids }: NewUserDeps, text: string, suffix: string): string {
  const plain = (text.split('@')[0] ?? '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 20)
    .replaceAll(/^-+|-+$/g, '')
  const username = [plain, suffix].filter((part) => part !== '').join('-')
  const isGood = usernameSchema.safeParse(username).success && !isReservedUsername(username, branding.name)
  return isGood ? username : `user-${ids.uuid().slice(0, 8)}`
}
