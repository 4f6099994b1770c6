import type { OpenIdClient, ProviderIdentity, ProviderLogout } from '../../../lib/signIn/ports.ts'

/** What is wrong with an id_token or a logout token. */
export const forgeries = ['issuer', 'audience', 'nonce', 'signature', 'expired'] as const
export type Forgery = (typeof forgeries)[number]

/** What whoever runs a provider says of a person. */
export interface Assertion {
  readonly subject: string
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly hasTwoFactors: boolean
  /** Unix milliseconds; undefined if it does not say. */
  readonly signedInAt: number | undefined
  readonly forged?: Forgery | undefined
}

/** A provider as it is now. The name of a key stands for the key. */
interface Provider {
  isDown: boolean
  keys: string[]
  secrets: string[]
}

interface Claims extends ProviderIdentity {
  readonly audience: string
  readonly nonce: string
  readonly key: string
  readonly validUntil: number
}

interface LogoutClaims extends ProviderLogout {
  readonly issuer: string
  readonly audience: string
  readonly key: string
  readonly at: number
}

/** As `openIdClient.ts` allows for. */
const FRESH_MILLISECONDS = 600_000
const LOGOUT_MILLISECONDS = 600_000

/**
 * Providers without cryptography: a token is its claims and the name of the key that signed it. `OpenIdClient` checks them as the contract of that
 * port says; `test/signIn/provider` checks the real one.
 * @param checks false: everything that a provider sends is taken
 */
export function createScriptedProviders(now: () => number, { checks = true } = {}) {
  const providers = new Map<string, Provider>()
  const answers = new Map<string, Claims>()
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  const providerAt = (issuer: string): Provider => {
    const found = providers.get(issuer) ?? { isDown: false, keys: [`${issuer} key 1`], secrets: ['secret'] }
    providers.set(issuer, found)
    return found
  }
  const refused = (reason: string) => ({ kind: 'refused', fault: 'answer_refused', reason }) as const
  const unreachable = { kind: 'refused', fault: 'unreachable', reason: 'timeout' } as const

  const openId: OpenIdClient = {
    discover: async (issuer) => (providerAt(issuer).isDown ? { kind: 'refused', fault: 'timeout' } : { kind: 'found' }),
    async authorizationUrl({ issuer, clientId }, { state, nonce, isFresh }) {
      if (providerAt(issuer).isDown) return { kind: 'unreachable', fault: 'timeout' }
      const query = new URLSearchParams({ client_id: clientId, state, nonce, ...(isFresh && { prompt: 'login' }) })
      return { kind: 'leads_to', url: `${issuer}/authorize?${query}` }
    },
    async exchange({ issuer, clientId, clientSecret }, { callback, state, nonce, isFresh }) {
      const query = new URL(callback).searchParams
      const { isDown, keys, secrets } = providerAt(issuer)
      if (isDown) return unreachable
      if (query.get('error') !== null) return { kind: 'refused', fault: 'denied', reason: 'error_answer' }
      const claims = answers.get(query.get('code') ?? '')
      if (claims === undefined || !secrets.includes(clientSecret)) return refused('invalid_grant')
      const isOlder = claims.signedInAt === undefined || now() - claims.signedInAt > FRESH_MILLISECONDS
      const isOwn = claims.issuer === issuer && claims.audience === clientId && keys.includes(claims.key)
      const isAnswer = claims.nonce === nonce && query.get('state') === state && now() < claims.validUntil
      if (checks && (!isOwn || !isAnswer || (isFresh && isOlder))) return refused('id_token')
      return { kind: 'proven', identity: { ...claims, issuer } }
    },
    async readLogout({ issuer, clientId }, token) {
      const claims: LogoutClaims = JSON.parse(token)
      const { isDown, keys } = providerAt(issuer)
      if (checks && claims.issuer !== issuer) return refused('other_issuer')
      if (isDown) return unreachable
      const isOwn = claims.audience === clientId && keys.includes(claims.key)
      if (checks && (!isOwn || now() - claims.at > LOGOUT_MILLISECONDS)) return refused('logout_token')
      return { kind: 'proven', logout: claims }
    },
  }

  const newestKey = (issuer: string, forged: Forgery | undefined) =>
    forged === 'signature' ? 'a key of somebody else' : (providerAt(issuer).keys.at(-1) ?? '')

  return {
    openId,
    /** What the browser brings back from the address that it was sent to. */
    answer(url: string, { forged, email, ...said }: Assertion): string {
      const { origin, searchParams } = new URL(url)
      const code = `code ${next()}`
      answers.set(code, {
        ...said,
        email,
        name: email?.split('@')[0],
        sessionId: `session ${next()}`,
        issuer: forged === 'issuer' ? 'https://idp.other.example' : origin,
        audience: forged === 'audience' ? 'another client' : (searchParams.get('client_id') ?? ''),
        nonce: forged === 'nonce' ? 'another' : (searchParams.get('nonce') ?? ''),
        key: newestKey(origin, forged),
        validUntil: now() + (forged === 'expired' ? -1 : 300_000),
      })
      return `${new URLSearchParams({ code, state: searchParams.get('state') ?? '' })}`
    },
    logoutToken(issuer: string, { subject, forged }: { subject: string; forged?: Forgery | undefined }): string {
      const claims: LogoutClaims = {
        tokenId: `logout ${next()}`,
        subject,
        sessionId: undefined,
        issuer: forged === 'issuer' ? 'https://idp.other.example' : issuer,
        audience: forged === 'audience' ? 'another client' : 'service',
        key: newestKey(issuer, forged),
        at: forged === 'expired' || forged === 'nonce' ? now() - 2 * LOGOUT_MILLISECONDS : now(),
      }
      return JSON.stringify(claims)
    },
    setDown(issuer: string, isDown: boolean) {
      providerAt(issuer).isDown = isDown
    },
    /** Signs by a new key from now on; tokens of the earlier key stay good. */
    rotateKey(issuer: string) {
      const { keys } = providerAt(issuer)
      keys.push(`${issuer} key ${keys.length + 1}`)
    },
    /** Takes no key but the newest. */
    retireKeys(issuer: string) {
      const { keys } = providerAt(issuer)
      keys.splice(0, keys.length - 1)
    },
    addSecret(issuer: string, secret: string) {
      providerAt(issuer).secrets.push(secret)
    },
    retireSecrets(issuer: string) {
      const { secrets } = providerAt(issuer)
      secrets.splice(0, secrets.length - 1)
    },
  }
}

export type ScriptedProviders = ReturnType<typeof createScriptedProviders>
