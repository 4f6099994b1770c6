import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Authentication, byPassword } from '../../../lib/core/authentication.ts'
import { ServiceError } from '../../../lib/core/errors.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { changeSignInRules, type SignInRulesChange } from '../../../lib/organizations/admission/changeSignInRules.ts'
import { createMemberAdmission } from '../../../lib/organizations/admission/memberAdmission.ts'
import type { Role, SignInRules } from '../../../lib/organizations/ports.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 10, 21)
const organizationId: OrganizationId = organizationIdSchema.parse('5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b')
const people = ['11111111', '22222222', '33333333'].map((part) =>
  userIdSchema.parse(`${part}-2222-4333-8444-555555555555`),
)
const roles: readonly Role[] = ['owner', 'owner', 'member']
const clients = ['console', 'partner', 'other'] as const

interface Token {
  readonly who: number
  readonly client: (typeof clients)[number]
  readonly authentication: Authentication
  usedAt: number
}

/** Two owners, of whom either may be hostile, a member, and thieves of their tokens: all act as they like. */
function openGame() {
  let now = start
  let rules: SignInRules = {}
  const factors = people.map(() => false)
  const tokens: Token[] = []
  /** What happens between the read of a save and its write. */
  let meanwhile = () => {}

  const indexOf = (userId: UserId) => people.indexOf(userId)
  const clock = { now: () => now, sync: async () => {} }
  const admitMember = createMemberAdmission({ clock, admit: async () => {} })
  const callerOf = ({ who, client, authentication }: Token) => ({
    ...{ userId: people[who] as UserId, securityRev: 0, authentication, clientId: client },
    isFirstParty: client === 'console',
  })

  async function read(_: OrganizationId, caller: ReturnType<typeof callerOf>) {
    const callerHasSecondFactor = factors[indexOf(caller.userId)] ?? false
    const organization = { id: organizationId, name: 'Acme', createdAt: '2026-11-21T00:00:00Z', signInRules: rules }
    await admitMember(caller, {
      ...{ organizationId, throttle: undefined, signInRules: rules, isMember: true, callerHasSecondFactor },
    })
    return { organization, callerHasSecondFactor, roleOf: () => roles[indexOf(caller.userId)] }
  }

  const outcomeOf = async (run: () => Promise<unknown>): Promise<string> => {
    try {
      await run()
      return 'served'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error.code
    }
  }

  const deps = {
    ...{ clock, ids: { uuid: () => 'id' } },
    organizations: { read: (id: OrganizationId, caller: never) => read(id, caller) },
    clients: {
      find: async (id: string) => ({ clientId: id, grantTypes: ['authorization_code'] }) as unknown as OAuthClient,
    },
    signInRules: {
      async replace(
        _: OrganizationId,
        { by, from, to }: { by: { userId: UserId }; from: SignInRules; to: SignInRules },
      ) {
        meanwhile()
        meanwhile = () => {}
        const mayWrite = to.secondFactorFrom === undefined || factors[indexOf(by.userId)]
        if (JSON.stringify(from) !== JSON.stringify(rules) || !mayWrite) return 'conflict' as const
        rules = to
        return 'written' as const
      },
    },
  }

  return {
    factors,
    tokens,
    rules: () => rules,
    advance: (by: number) => {
      now += by
    },
    /** As hosted pages do: with the second factor, if the account has one. */
    signIn(who: number, client: (typeof clients)[number]): Token {
      const methods = factors[who] ? (['pwd', 'otp', 'mfa'] as const) : byPassword
      const token = { who, client, authentication: { at: now, methods }, usedAt: now }
      tokens.push(token)
      return token
    },
    refresh(token: Token): Token {
      const pause = Math.floor((now - token.usedAt) / 1000)
      const idleSeconds = Math.max(pause, token.authentication.idleSeconds ?? 0)
      const next = { ...token, usedAt: now, authentication: { ...token.authentication, idleSeconds } }
      tokens.push(next)
      return next
    },
    read: (token: Token) => outcomeOf(() => read(organizationId, callerOf(token))),
    save(token: Token, change: SignInRulesChange, between: () => void = () => {}) {
      meanwhile = between
      return outcomeOf(() => changeSignInRules(deps as never, { organizationId, caller: callerOf(token), change }))
    },
    /** Whether the rules are met, by the words of the contract. */
    meets({ who, client, authentication: { at, methods, idleSeconds = 0 } }: Token): boolean {
      const { secondFactorFrom = Number.POSITIVE_INFINITY, maxSessionDays, idleHours, allowedClients } = rules
      return (
        (client === 'console' || allowedClients === undefined || allowedClients.includes(client)) &&
        (now < secondFactorFrom || (factors[who] === true && methods.some((method) => method === 'mfa'))) &&
        (maxSessionDays === undefined || Math.floor(now / 1000) - Math.floor(at / 1000) <= maxSessionDays * 86_400) &&
        (idleHours === undefined || idleSeconds < idleHours * 3600)
      )
    },
  }
}

const rule = {
  secondFactorFrom: fc.constantFrom(null, start - day, start + day, start + 40 * day),
  maxSessionDays: fc.constantFrom(null, 1, 7),
  idleHours: fc.constantFrom(null, 1, 12),
  allowedClients: fc.constantFrom<null | string[]>(null, [], ['partner']),
}
const who = fc.nat(people.length - 1)
const change = fc.record(rule, { requiredKeys: [] })
const step = fc.oneof(
  fc.record({ kind: fc.constant('sign_in' as const), who, client: fc.constantFrom(...clients) }),
  fc.record({ kind: fc.constant('factor' as const), who, has: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(0.1, 1, 11, 13, 25, 200) }),
  fc.record({ kind: fc.constant('refresh' as const), token: fc.nat(30) }),
  fc.record({ kind: fc.constant('save' as const), token: fc.nat(30), change, lose: fc.boolean() }),
)

describe('Owners who change rules, thieves with earlier tokens, and members', () => {
  // [threat 93.2]
  it('are served exactly while the rules are met, and no saved rule locks its owner out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const game = openGame()
        for (const person of people.keys()) game.signIn(person, 'console')
        for (const move of steps) {
          if (move.kind === 'sign_in') game.signIn(move.who, move.client)
          if (move.kind === 'factor') game.factors[move.who] = move.has
          if (move.kind === 'wait') game.advance(move.hours * hour)
          const token = 'token' in move ? game.tokens[move.token % game.tokens.length] : undefined
          if (move.kind === 'refresh' && token) game.refresh(token)
          if (move.kind === 'save' && token) {
            const before = game.rules()
            const lose = () => {
              game.factors[token.who] = false
            }
            const outcome = await game.save(token, move.change, move.lose ? lose : undefined)
            const isOwner = roles[token.who] === 'owner'
            if (outcome !== 'served') expect(game.rules()).toEqual(before)
            else if (game.rules() !== before) {
              expect(isOwner).toBe(true)
              expect(await game.read(token)).toBe('served')
              expect(game.rules().secondFactorFrom === undefined || game.factors[token.who]).toBe(true)
            }
          }
          for (const each of game.tokens) expect((await game.read(each)) === 'served').toBe(game.meets(each))
        }
        // Whatever was saved, an owner gets in again: with a factor and a new sign-in.
        game.factors[0] = true
        const again = game.signIn(0, 'console')
        expect(await game.read(again)).toBe('served')
        expect(await game.save(again, { secondFactorFrom: null })).toBe('served')
      }),
      { numRuns: 100, seed: 20_261_128 },
    )
  })
})
