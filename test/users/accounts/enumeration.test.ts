import { describe, expect, it } from '@jest/globals'
import { type Action, strangerIn, type worlds } from './strangersWorld.ts'

const requests = [
  'registers with the name',
  'registers with another name',
  'registers with a name that is taken',
  'registers the name elsewhere',
  'asks for a reset',
  'asks for a verification',
  'signs in',
  'invites the address',
  'asks to change to the address',
  'renames to the name',
  'uses the link in the last mail',
] as const satisfies readonly Action[]

const forms = [
  'sends the form for an account',
  'sends the form for a password',
  'sends the form for a verification',
] as const satisfies readonly Action[]

/** Every sequence of so many of these. */
function sequences(of: readonly Action[], length: number): Action[][] {
  return length === 0 ? [[]] : sequences(of, length - 1).flatMap((before) => of.map((last) => [...before, last]))
}

async function seen(world: keyof typeof worlds, sequence: readonly Action[], options: { hasLittleMail?: boolean }) {
  const stranger = await strangerIn(world, options)
  const all: string[] = []
  for (const action of sequence) all.push(await stranger.sees(action))
  return all.join('\n')
}

/** The sequences of which something differs from the world with nothing at the address. */
async function differing(world: keyof typeof worlds, all: readonly Action[][], options = {}): Promise<string[]> {
  const different: string[] = []
  for (const sequence of all) {
    if ((await seen(world, sequence, options)) !== (await seen('nothing', sequence, options))) {
      different.push(sequence.join(', '))
    }
  }
  return different
}

describe.each([
  'an account',
  'an account that was switched off',
  'a registration',
  'a registration that has ended',
] as const)('Given %s at an address', (world) => {
  // [asvs 6.3.8]
  it('a stranger sees no difference in any sequence of 3 requests: no answer, no work, no mail', async () => {
    const all = sequences(requests, 3)
    expect(all).toHaveLength(1331)
    expect(await differing(world, all)).toEqual([])
  })

  it('nor in any sequence of 2 with the forms of the pages, nor where the budgets of mail are used up', async () => {
    const all = sequences([...requests, ...forms], 2)
    expect(await differing(world, all)).toEqual([])
    expect(await differing(world, all, { hasLittleMail: true })).toEqual([])
  })
})

describe('The comparison', () => {
  it('goes through every request of a stranger, and knows one from the other', async () => {
    const { actions } = await strangerIn('nothing')
    expect(new Set(actions)).toEqual(new Set([...requests, ...forms]))
    const outcomes = new Set<string>()
    for (const action of [...requests, ...forms]) outcomes.add(await seen('nothing', [action], {}))
    expect(outcomes.size).toBe(11)
  })
})
