import { describe, expect, it } from '@jest/globals'
import { inNode } from '../../support/inNode.ts'
import { figures, playedSequences } from './playSequences.ts'

const SEED = 20_261_121

describe('Whatever buyers, Stripe and the network do, one step after the other', () => {
  // The deep tests play more, and show what is noticed.
  it.each([
    ['organizations that pay by card', []],
    ['an organization that is sent invoices beside another', ['--invoices']],
    ['a person who works in the Dashboard', ['--dashboard']],
  ])('is answered as the reference model allows and comes to rest, given %s', async (_, flags) => {
    const args = ['--count', '10', '--seed', String(SEED), '--json', ...flags]
    const played = await inNode('proof/commands/runCommands.ts', args, playedSequences)
    process.stdout.write(`commands: ${figures(played, SEED)}\n`)
    expect(played.failure).toBeNull()
  })
})
