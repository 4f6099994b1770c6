import { describe, expect, it } from '@jest/globals'
import { withCalls } from '../../billing/gatewayCalls.ts'
import { inNode } from '../../support/inNode.ts'
import { figures, playedSequences, playSequences } from './playSequences.ts'
import type { Sabotage } from './session.ts'

const SEED = 20_261_121

const broken = {
  'a release of the coupon that is lost': (deps) => ({
    ...deps,
    records: {
      ...deps.records,
      commit: ({ redemption, ...change }) =>
        deps.records.commit(redemption && redemption.change !== 'release' ? { ...change, redemption } : change),
    },
  }),
  'an idempotency key that is drawn by chance': (deps) =>
    withCalls(deps, (calls) => ({
      createSubscription: (frozen, customer, key, limits) =>
        calls.createSubscription(frozen, customer, `${key}:${deps.ids.uuid()}`, limits),
    })),
  'an unknown outcome that is read as a refusal': (deps) =>
    withCalls(deps, (calls) => ({
      async createSubscription(...args) {
        const answer = await calls.createSubscription(...args)
        return answer.kind === 'unknown' ? { kind: 'refused', reason: 'other' } : answer
      },
    })),
  'a declined purchase that is left open at the gateway': (deps) =>
    withCalls(deps, (calls) => ({ cancelNow: (id) => calls.fetchSubscription(id) })),
  'a write that is not conditional on what was read': (deps, world) => ({
    ...deps,
    records: {
      ...deps.records,
      async commit(change) {
        if (await deps.records.commit(change)) world.records.overwrite(change.next)
        return null
      },
    },
  }),
} as const satisfies Record<string, Sabotage>

describe('Whatever buyers, Stripe and the network do, one step after the other', () => {
  it('is answered as the reference model allows, keeps every money rule and comes to rest', async () => {
    const played = await inNode(
      'proof/commands/runCommands.ts',
      ['--count', '100', '--seed', String(SEED), '--json'],
      playedSequences,
    )
    process.stdout.write(`commands: ${figures(played, SEED)}\n`)
    expect(played.failure).toBeNull()
    // Where most answers were open, little would be shown.
    expect(played.answers.exact).toBeGreaterThan(2 * (played.answers.faulty + played.answers.open))
  }, 240_000)

  it('costs no refund, no late charge and no lasting refusal where a person works in the Dashboard as well', async () => {
    const args = ['--count', '50', '--seed', String(SEED), '--json', '--dashboard']
    const played = await inNode('proof/commands/runCommands.ts', args, playedSequences)
    process.stdout.write(`commands beside the Dashboard: ${figures(played, SEED)}\n`)
    expect(played.failure).toBeNull()
  }, 240_000)

  it('is so, too, where one of the organizations is sent invoices', async () => {
    const args = ['--count', '40', '--seed', String(SEED), '--json', '--invoices']
    const played = await inNode('proof/commands/runCommands.ts', args, playedSequences)
    process.stdout.write(`commands by invoice: ${figures(played, SEED)}\n`)
    expect(played.failure).toBeNull()
    expect(played.answers.exact).toBeGreaterThan(2 * (played.answers.faulty + played.answers.open))
  }, 240_000)

  it('plays the same sequences for the same seed', async () => {
    expect(await playSequences(20, 5)).toEqual(await playSequences(20, 5))
  })

  it.each(Object.entries(broken))(
    'notices %s, and reports the shortest sequence',
    async (_, sabotage) => {
      const { failure } = await playSequences(1000, SEED, { sabotage })
      expect(failure).toContain(`seed ${SEED}, after `)
      expect(failure).toContain('checkout {')
    },
    120_000,
  )
})
