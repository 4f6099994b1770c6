import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { manifest } from '../../../infra/manifest.ts'
import { inNode } from '../../support/inNode.ts'

const atOnce = z.object({
  checked: z.number(),
  codes: z.array(z.string()),
  isRightAfterwards: z.boolean(),
  grownMib: z.number(),
})

describe('Hashing', () => {
  // [asvs 15.2.2]
  it('refuses the rest of 200 checks at once, in less memory than the smallest function has, and serves the next', async () => {
    const memory = manifest.filter(({ tables }) => tables.accounts !== undefined).map(({ memoryMb }) => memoryMb)
    const { grownMib, ...ended } = await inNode('users/accounts/checkAtOnce.ts', [], atOnce)
    expect(ended).toEqual({ checked: 66, codes: ['service_unavailable'], isRightAfterwards: true })
    // What a function is beside its hashes has the other half.
    expect(grownMib).toBeLessThan(Math.min(...memory) / 2)
  })
})
