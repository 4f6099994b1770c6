import { createPublicKey } from 'node:crypto'
import { DecryptCommand, GetPublicKeyCommand, InvalidCiphertextException } from '@aws-sdk/client-kms'
import { describe, expect, it } from '@jest/globals'
import { compactVerify } from 'jose'
import { createCustomerCipher, createTotpCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createTokenSigner } from '../../../lib/adapters/kms/tokenSigner.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { CUSTOMER_KEY, TOKEN_KEY, useKms } from './kmsTestBed.ts'

const kms = useKms()

describe('customerCipher', () => {
  const cipher = () => createCustomerCipher({ client: kms.client(), keyId: CUSTOMER_KEY })

  it('decrypts for the organization it encrypted for', async () => {
    const sealed = await cipher().encrypt('organization-1', 'cus_123')
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(sealed, 'base64').includes('cus_123')).toBe(false)
    expect(await cipher().decrypt('organization-1', sealed)).toBe('cus_123')
  })

  it('refuses another organization with InvalidCiphertextException', async () => {
    const sealed = await cipher().encrypt('organization-1', 'cus_123')
    await expect(cipher().decrypt('organization-2', sealed)).rejects.toBeInstanceOf(InvalidCiphertextException)
  })

  it('passes errors of KMS on unchanged', async () => {
    kms.server().fail({ times: 3, error: { type: 'KMSInternalException', message: 'unavailable' }, status: 500 })
    await expect(cipher().encrypt('organization-1', 'cus_123')).rejects.toMatchObject({
      name: 'KMSInternalException',
      message: 'unavailable',
      $fault: 'server',
    })
  })
})

describe('totpCipher', () => {
  const cipher = () => createTotpCipher({ client: kms.client(), keyId: CUSTOMER_KEY })
  const ada = userIdSchema.parse('00000000-0000-4000-8000-000000000001')
  const eve = userIdSchema.parse('00000000-0000-4000-8000-000000000002')
  const unavailable = { code: 'service_unavailable' }

  it('decrypts for the user it encrypted for, under the context of a TOTP secret', async () => {
    const sealed = await cipher().encrypt(ada, 'GEZDGNBV')
    expect(Buffer.from(sealed, 'base64').includes('GEZDGNBV')).toBe(false)
    expect(await cipher().decrypt(ada, sealed)).toBe('GEZDGNBV')
    const { Plaintext } = await kms.client().send(
      new DecryptCommand({
        KeyId: CUSTOMER_KEY,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: { user_id: ada, purpose: 'totp' },
      }),
    )
    expect(Buffer.from(Plaintext ?? []).toString()).toBe('GEZDGNBV')
  })

  // [catch contextCipher.orUnavailable]
  it('decrypts nothing of another user or another purpose, and says that it is unavailable', async () => {
    const sealed = await cipher().encrypt(ada, 'GEZDGNBV')
    await expect(cipher().decrypt(eve, sealed)).rejects.toMatchObject(unavailable)
    const customer = await createCustomerCipher({ client: kms.client(), keyId: CUSTOMER_KEY }).encrypt(ada, 'cus_1')
    await expect(cipher().decrypt(ada, customer)).rejects.toMatchObject(unavailable)
    kms.server().fail({ times: 3, error: { type: 'KMSInternalException', message: 'unavailable' }, status: 500 })
    await expect(cipher().encrypt(ada, 'GEZDGNBV')).rejects.toMatchObject(unavailable)
  })
})

describe('tokenSigner', () => {
  const keyId = TOKEN_KEY
  const algorithm = 'RS256'
  const signer = () => createTokenSigner({ client: kms.client(), keyId })

  it('names its key and what it signs with', () => {
    expect(signer()).toMatchObject({ keyId, algorithm })
  })

  it.each([
    ['as message', 100],
    ['as message at the limit', 4096],
    ['as digest above it', 4097],
  ])('makes a JWS that jose verifies, signed %s', async (_, length) => {
    const { PublicKey } = await kms.client().send(new GetPublicKeyCommand({ KeyId: keyId }))
    const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' })
    const header = Buffer.from(JSON.stringify({ alg: algorithm })).toString('base64url')
    const signingInput = `${header}.`.padEnd(length, 'A')
    for (let round = 0; round < 20; round += 1) {
      const signature = await signer().sign(signingInput)
      expect(signature).toHaveLength(342)
      await expect(compactVerify(`${signingInput}.${signature}`, key)).resolves.toMatchObject({
        protectedHeader: { alg: algorithm },
      })
    }
  })
})
