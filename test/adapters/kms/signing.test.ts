import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import {
  GetPublicKeyCommand,
  InvalidKeyUsageException,
  KMSInvalidSignatureException,
  SignCommand,
  UnsupportedOperationException,
  VerifyCommand,
} from '@aws-sdk/client-kms'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { CUSTOMER_KEY, TOKEN_KEY, useKms, withKms } from './kmsTestBed.ts'

const kms = useKms()
const scheme = { KeyId: TOKEN_KEY, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' } as const
const sha256 = (message: Uint8Array) => createHash('sha256').update(message).digest()

async function publicKeyOf(KeyId: string, client = kms.client()): Promise<KeyObject> {
  const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }))
  return createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' })
}

describe('KMS Sign', () => {
  let publicKey: KeyObject
  beforeAll(async () => {
    publicKey = await publicKeyOf(scheme.KeyId)
  })

  it('signs 100 messages and 100 digests so that node:crypto verifies each, and none for another message', async () => {
    for (let round = 0; round < 100; round += 1) {
      const message = randomBytes(1 + round)
      const raw = await kms.client().send(new SignCommand({ ...scheme, Message: message, MessageType: 'RAW' }))
      const digest = await kms
        .client()
        .send(new SignCommand({ ...scheme, Message: sha256(message), MessageType: 'DIGEST' }))
      for (const { Signature } of [raw, digest]) {
        expect(verify('sha256', message, publicKey, Buffer.from(Signature ?? []))).toBe(true)
        expect(verify('sha256', randomBytes(16), publicKey, Buffer.from(Signature ?? []))).toBe(false)
      }
    }
  })

  it('refuses a message over 4096 bytes and a digest of another length with ValidationException', async () => {
    const tooLong = new SignCommand({ ...scheme, Message: Buffer.alloc(4097) })
    const tooShort = new SignCommand({ ...scheme, Message: Buffer.alloc(31), MessageType: 'DIGEST' })
    await expect(kms.client().send(tooLong)).rejects.toMatchObject({ name: 'ValidationException' })
    await expect(kms.client().send(tooShort)).rejects.toMatchObject({ name: 'ValidationException' })
  })

  it('refuses a symmetric key and an algorithm of other keys with InvalidKeyUsageException', async () => {
    const symmetric = new SignCommand({ ...scheme, KeyId: CUSTOMER_KEY, Message: Buffer.from('m') })
    await expect(kms.client().send(symmetric)).rejects.toBeInstanceOf(InvalidKeyUsageException)
    const foreign = new SignCommand({ ...scheme, SigningAlgorithm: 'ECDSA_SHA_256', Message: Buffer.from('m') })
    await expect(kms.client().send(foreign)).rejects.toBeInstanceOf(InvalidKeyUsageException)
  })
})

describe('KMS Verify', () => {
  const Message = Buffer.from('message')

  it('accepts its own signature, as message and as digest', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { Signature } = await kms.client().send(new SignCommand({ ...scheme, Message }))
      const raw = new VerifyCommand({ ...scheme, Message, Signature })
      const digest = new VerifyCommand({ ...scheme, Message: sha256(Message), MessageType: 'DIGEST', Signature })
      expect(await kms.client().send(raw)).toMatchObject({ SignatureValid: true })
      expect(await kms.client().send(digest)).toMatchObject({ SignatureValid: true })
    }
  })

  it('refuses another message, another key’s signature and what is no signature with KMSInvalidSignatureException', async () => {
    const { Signature } = await kms.client().send(new SignCommand({ ...scheme, Message }))
    const foreign = sign('sha256', Message, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    const zero = Buffer.alloc(256)
    for (const request of [
      { Message: Buffer.from('another'), Signature },
      { Message, Signature: foreign },
      { Message, Signature: zero },
      { Message, Signature: Buffer.from('no signature') },
    ]) {
      const command = new VerifyCommand({ ...scheme, ...request })
      await expect(kms.client().send(command)).rejects.toBeInstanceOf(KMSInvalidSignatureException)
    }
  })
})

describe('KMS GetPublicKey', () => {
  it('answers the SPKI of an alias’ key with the key’s ARN and algorithms', async () => {
    const answer = await kms.client().send(new GetPublicKeyCommand({ KeyId: 'alias/token' }))
    expect(answer.PublicKey).toHaveLength(294)
    expect(answer).toMatchObject({
      KeyId: `arn:aws:kms:us-east-1:000000000000:key/${TOKEN_KEY}`,
      KeySpec: 'RSA_2048',
      KeyUsage: 'SIGN_VERIFY',
      SigningAlgorithms: expect.arrayContaining(['RSASSA_PKCS1_V1_5_SHA_256']),
    })
  })

  it('answers the same key from a second server with the same seed', async () => {
    const first = await publicKeyOf(TOKEN_KEY)
    const second = await withKms({}, (client) => publicKeyOf(TOKEN_KEY, client))
    expect(second.equals(first)).toBe(true)
  })

  it('refuses a symmetric key with UnsupportedOperationException', async () => {
    const command = new GetPublicKeyCommand({ KeyId: CUSTOMER_KEY })
    await expect(kms.client().send(command)).rejects.toBeInstanceOf(UnsupportedOperationException)
  })
})
