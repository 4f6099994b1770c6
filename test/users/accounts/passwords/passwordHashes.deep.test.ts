import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { bundleContents } from '../../../../infra/bench/bundleContents.ts'
import { type BundledFunctions, bundleFunctions } from '../../../../infra/bench/bundleFunctions.ts'
import { manifest } from '../../../../infra/manifest.ts'
import { inNode } from '../../../support/inNode.ts'

const atOnce = z.object({
  checked: z.number(),
  codes: z.array(z.string()),
  isRightAfterwards: z.boolean(),
  grownMib: z.number(),
})

let bundles: BundledFunctions
beforeAll(async () => {
  bundles = await bundleFunctions()
})
afterAll(() => bundles?.close())

describe('Hashing', () => {
  // [asvs 15.2.2] [threat 15.5b]
  it('refuses the rest of 200 checks at once, in half the memory of the smallest function that hashes, and serves the next', async () => {
    const hashing = manifest.filter(({ name }) =>
      bundleContents(bundles.metafile, name).files.has('lib/adapters/passwords/argon2idPasswords.ts'),
    )
    expect(hashing.map(({ name }) => name)).toContain('oauth-authorize-submit')
    const { grownMib, ...ended } = await inNode('users/accounts/enumeration/checkAtOnce.ts', [], atOnce)
    expect(ended).toEqual({ checked: 66, codes: ['service_unavailable'], isRightAfterwards: true })
    // What a function is beside its hashes has the other half. glibc keeps what a hash took for the next one, in an arena of each of libuv's threads.
    expect(grownMib).toBeLessThan(Math.min(...hashing.map(({ memoryMb }) => memoryMb)) / 2)
  })
})
