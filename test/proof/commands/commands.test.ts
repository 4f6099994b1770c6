import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { inNode } from '../../support/inNode.ts'
import { figures, playedSequences } from './playSequences.ts'

const SEED = 20_261_121
const kinds = [
  'organizations that pay by card',
  'an organization that is sent invoices beside another',
  'a person who works in the Dashboard',
] as const

describe('Whatever buyers, Stripe and the network do, one step after the other', () => {
  const playedKinds = z.record(z.literal(kinds), playedSequences)
  let played: z.infer<typeof playedKinds>
  beforeAll(async () => {
    played = await inNode('proof/commands/playEachKind.ts', ['4', String(SEED)], playedKinds)
  })

  // The deep tests play more, and show what is noticed.
  it.each(kinds)('is answered as the reference model allows and comes to rest, given %s', (kind) => {
    process.stdout.write(`commands: ${figures(played[kind], SEED)}\n`)
    expect(played[kind].failure).toBeNull()
  })
})
