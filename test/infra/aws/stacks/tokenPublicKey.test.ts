import { KMSClient } from '@aws-sdk/client-kms'
import { describe, expect, it } from '@jest/globals'
import { readPublicKey } from '../../../../infra/aws/constructs/data/tokenPublicKey/readPublicKey.ts'

const publicKey = Uint8Array.of(1, 2, 3)

/** Fails with these errors, one call after the other, and then answers. */
function kmsRefusing(names: readonly string[]) {
  const kms = new KMSClient({ region: 'eu-central-1' })
  let calls = 0
  kms.middlewareStack.add(
    () => async () => {
      const name = names[calls]
      calls += 1
      if (name !== undefined) throw Object.assign(new Error(name), { name })
      return { response: {}, output: { $metadata: {}, PublicKey: publicKey } }
    },
    { step: 'initialize' },
  )
  return { kms, calls: () => calls }
}

const quickly = { retries: 3, minTimeout: 1 }

describe('The resource that reads a token key’s public half', () => {
  it('asks again where its permission is not known yet', async () => {
    const { kms, calls } = kmsRefusing(['AccessDeniedException', 'AccessDeniedException'])
    expect(await readPublicKey(kms, 'key', quickly)).toEqual(publicKey)
    expect(calls()).toBe(3)
  })

  it('fails where the permission does not come', async () => {
    const { kms, calls } = kmsRefusing(Array(9).fill('AccessDeniedException'))
    await expect(readPublicKey(kms, 'key', quickly)).rejects.toThrow('AccessDeniedException')
    expect(calls()).toBe(4)
  })

  it('fails at once for any other reason', async () => {
    const { kms, calls } = kmsRefusing(['NotFoundException'])
    await expect(readPublicKey(kms, 'key', quickly)).rejects.toThrow('NotFoundException')
    expect(calls()).toBe(1)
  })
})
