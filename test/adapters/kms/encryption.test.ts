import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  InvalidKeyUsageException,
  NotFoundException,
} from '@aws-sdk/client-kms'
import { describe, expect, it } from '@jest/globals'
import { CUSTOMER_KEY, SECOND_KEY, TOKEN_KEY, UNKNOWN_KEY, useKms, withKms } from './kmsTestBed.ts'

const kms = useKms()
const arn = `arn:aws:kms:us-east-1:000000000000:key/${CUSTOMER_KEY}`
const plaintext = Buffer.from('a secret')
const context = { organization_id: 'one', attribute: 'id' }

async function encrypt(EncryptionContext?: Record<string, string>): Promise<Uint8Array> {
  const command = new EncryptCommand({
    KeyId: CUSTOMER_KEY,
    Plaintext: plaintext,
    ...(EncryptionContext && { EncryptionContext }),
  })
  return (await kms.client().send(command)).CiphertextBlob ?? new Uint8Array()
}

describe('KMS Encrypt and Decrypt', () => {
  describe('Given the context that was used to encrypt', () => {
    it('decrypts, whatever the order of the context, and names the key by its ARN', async () => {
      const CiphertextBlob = await encrypt(context)
      const reversed = { attribute: 'id', organization_id: 'one' }
      const answer = await kms.client().send(new DecryptCommand({ CiphertextBlob, EncryptionContext: reversed }))
      expect(Buffer.from(answer.Plaintext ?? [])).toEqual(plaintext)
      expect(answer).toMatchObject({ KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' })
    })

    it('encrypts the same plaintext to different bytes each time', async () => {
      expect(Buffer.from(await encrypt(context)).equals(await encrypt(context))).toBe(false)
    })

    it.each([CUSTOMER_KEY, arn, 'alias/customer', 'arn:aws:kms:us-east-1:000000000000:alias/customer'])(
      'finds the key as %s',
      async (KeyId) => {
        const sealed = await kms.client().send(new EncryptCommand({ KeyId, Plaintext: plaintext }))
        const opened = await kms.client().send(new DecryptCommand({ KeyId, CiphertextBlob: sealed.CiphertextBlob }))
        expect(Buffer.from(opened.Plaintext ?? [])).toEqual(plaintext)
      },
    )
  })

  describe('Given another context', () => {
    it.each([
      ['a changed value', { ...context, organization_id: 'two' }],
      ['a missing pair', { organization_id: 'one' }],
      ['one pair more', { ...context, more: 'x' }],
      ['exchanged key and value', { one: 'organization_id', id: 'attribute' }],
      ['no context', undefined],
    ])('refuses %s with InvalidCiphertextException', async (_, other) => {
      const CiphertextBlob = await encrypt(context)
      const command = new DecryptCommand({ CiphertextBlob, ...(other && { EncryptionContext: other }) })
      await expect(kms.client().send(command)).rejects.toBeInstanceOf(InvalidCiphertextException)
    })
  })

  describe('Given a changed ciphertext', () => {
    it('refuses a flip of any single byte, the key id included, and any truncation', async () => {
      const whole = Buffer.from(await encrypt(context))
      const changed = [...whole.keys()].map((position) => {
        const copy = Buffer.from(whole)
        copy.writeUInt8(copy.readUInt8(position) ^ 1, position)
        return copy
      })
      const cut = [1, 2, 20, 38, 50, whole.length - 1].map((length) => whole.subarray(0, length))
      for (const CiphertextBlob of [...changed, ...cut]) {
        const command = new DecryptCommand({ CiphertextBlob, EncryptionContext: context })
        await expect(kms.client().send(command)).rejects.toBeInstanceOf(InvalidCiphertextException)
      }
    })
  })

  describe('Given a key that does not fit', () => {
    it('refuses to decrypt by another key with IncorrectKeyException', async () => {
      const CiphertextBlob = await encrypt()
      const command = new DecryptCommand({ CiphertextBlob, KeyId: SECOND_KEY })
      await expect(kms.client().send(command)).rejects.toBeInstanceOf(IncorrectKeyException)
    })

    it('refuses a signing key with InvalidKeyUsageException and an unknown one with NotFoundException', async () => {
      const by = (KeyId: string) => kms.client().send(new EncryptCommand({ KeyId, Plaintext: plaintext }))
      await expect(by(TOKEN_KEY)).rejects.toBeInstanceOf(InvalidKeyUsageException)
      await expect(by(UNKNOWN_KEY)).rejects.toBeInstanceOf(NotFoundException)
      await expect(by('alias/unknown')).rejects.toBeInstanceOf(NotFoundException)
    })
  })

  describe('Given a plaintext at the limit', () => {
    it('takes 4096 bytes and refuses 0 and 4097 with ValidationException', async () => {
      const of = (bytes: number) =>
        kms.client().send(new EncryptCommand({ KeyId: CUSTOMER_KEY, Plaintext: Buffer.alloc(bytes) }))
      await expect(of(4096)).resolves.toMatchObject({ KeyId: arn })
      await expect(of(4097)).rejects.toMatchObject({ name: 'ValidationException' })
      await expect(of(0)).rejects.toMatchObject({ name: 'ValidationException' })
    })
  })

  describe('Given a second server', () => {
    const decryptWith = async (seed: string) => {
      const CiphertextBlob = await encrypt(context)
      const command = new DecryptCommand({ CiphertextBlob, EncryptionContext: context })
      return withKms({ seed }, (client) => client.send(command))
    }

    it('decrypts what the first one stored when the seed is the same', async () => {
      expect(Buffer.from((await decryptWith('test seed')).Plaintext ?? [])).toEqual(plaintext)
    })

    it('refuses with InvalidCiphertextException when the seed is another', async () => {
      await expect(decryptWith('other seed')).rejects.toBeInstanceOf(InvalidCiphertextException)
    })
  })
})

describe('KMS GenerateDataKey', () => {
  it('answers a key of the size asked for, and a ciphertext that decrypts to it', async () => {
    const request = { KeyId: CUSTOMER_KEY, EncryptionContext: context }
    for (const [size, bytes] of [
      [{ KeySpec: 'AES_256' }, 32],
      [{ KeySpec: 'AES_128' }, 16],
      [{ NumberOfBytes: 64 }, 64],
    ] as const) {
      const { CiphertextBlob, Plaintext } = await kms.client().send(new GenerateDataKeyCommand({ ...request, ...size }))
      const opened = await kms.client().send(new DecryptCommand({ CiphertextBlob, EncryptionContext: context }))
      expect(Plaintext).toHaveLength(bytes)
      expect(opened.Plaintext).toEqual(Plaintext)
    }
  })

  it('leaves the plaintext out when asked to', async () => {
    const command = new GenerateDataKeyWithoutPlaintextCommand({ KeyId: CUSTOMER_KEY, KeySpec: 'AES_256' })
    const answer = await kms.client().send(command)
    const opened = await kms.client().send(new DecryptCommand({ CiphertextBlob: answer.CiphertextBlob }))
    expect(answer).not.toHaveProperty('Plaintext')
    expect(opened.Plaintext).toHaveLength(32)
  })

  it('refuses no size and two sizes with ValidationException', async () => {
    const none = new GenerateDataKeyCommand({ KeyId: CUSTOMER_KEY })
    const both = new GenerateDataKeyCommand({ KeyId: CUSTOMER_KEY, KeySpec: 'AES_256', NumberOfBytes: 32 })
    await expect(kms.client().send(none)).rejects.toMatchObject({ name: 'ValidationException' })
    await expect(kms.client().send(both)).rejects.toMatchObject({ name: 'ValidationException' })
  })
})
