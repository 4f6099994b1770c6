import {
  AlreadyExistsException,
  CancelKeyDeletionCommand,
  CreateAliasCommand,
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  DisabledException,
  DisableKeyCommand,
  EnableKeyCommand,
  EncryptCommand,
  InvalidArnException,
  KMSInvalidStateException,
  ListAliasesCommand,
  ListKeysCommand,
  NotFoundException,
  ScheduleKeyDeletionCommand,
  SignCommand,
} from '@aws-sdk/client-kms'
import { describe, expect, it } from '@jest/globals'
import { CUSTOMER_KEY, keys, TOKEN_KEY, UNKNOWN_KEY, useKms } from './kmsTestBed.ts'

const kms = useKms()
const Plaintext = Buffer.from('a secret')

async function createKey(): Promise<string> {
  return (await kms.client().send(new CreateKeyCommand({}))).KeyMetadata?.KeyId ?? ''
}

describe('KMS CreateKey', () => {
  it('answers the metadata of an enabled symmetric key, which can be used at once', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { KeyMetadata } = await kms.client().send(new CreateKeyCommand({ Description: 'words' }))
    expect(KeyMetadata).toMatchObject({
      KeySpec: 'SYMMETRIC_DEFAULT',
      KeyUsage: 'ENCRYPT_DECRYPT',
      KeyState: 'Enabled',
      Enabled: true,
      Description: 'words',
    })
    expect(KeyMetadata?.CreationDate?.getTime()).toBeGreaterThanOrEqual(before)
    const sealed = await kms.client().send(new EncryptCommand({ KeyId: KeyMetadata?.Arn, Plaintext }))
    expect(sealed.KeyId).toBe(KeyMetadata?.Arn)
  })

  it('makes signing keys and refuses a use that does not fit the spec with ValidationException', async () => {
    const signing = new CreateKeyCommand({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' })
    const KeyId = (await kms.client().send(signing)).KeyMetadata?.KeyId
    const sign = new SignCommand({ KeyId, Message: Plaintext, SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' })
    expect((await kms.client().send(sign)).Signature).toHaveLength(256)
    const unfit = new CreateKeyCommand({ KeySpec: 'RSA_2048' })
    await expect(kms.client().send(unfit)).rejects.toMatchObject({ name: 'ValidationException' })
  })
})

describe('KMS key states', () => {
  describe('Given a disabled key', () => {
    it('refuses work with DisabledException until it is enabled again', async () => {
      const KeyId = await createKey()
      const { CiphertextBlob } = await kms.client().send(new EncryptCommand({ KeyId, Plaintext }))
      await kms.client().send(new DisableKeyCommand({ KeyId }))
      await expect(kms.client().send(new EncryptCommand({ KeyId, Plaintext }))).rejects.toBeInstanceOf(
        DisabledException,
      )
      await expect(kms.client().send(new DecryptCommand({ CiphertextBlob }))).rejects.toBeInstanceOf(DisabledException)
      await kms.client().send(new EnableKeyCommand({ KeyId }))
      expect((await kms.client().send(new DecryptCommand({ CiphertextBlob }))).Plaintext).toHaveLength(8)
    })
  })

  describe('Given a key pending deletion', () => {
    it('refuses work and changes with KMSInvalidStateException; once deletion is canceled, the key is disabled', async () => {
      const KeyId = await createKey()
      const schedule = new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 })
      const scheduled = await kms.client().send(schedule)
      expect(scheduled).toMatchObject({ KeyState: 'PendingDeletion', PendingWindowInDays: 7 })
      expect(scheduled.DeletionDate?.getTime()).toBeGreaterThan(Date.now() + 6.9 * 86_400_000)
      for (const attempt of [
        kms.client().send(new EncryptCommand({ KeyId, Plaintext })),
        kms.client().send(new EnableKeyCommand({ KeyId })),
        kms.client().send(schedule),
      ]) {
        await expect(attempt).rejects.toBeInstanceOf(KMSInvalidStateException)
      }
      await kms.client().send(new CancelKeyDeletionCommand({ KeyId }))
      const { KeyMetadata } = await kms.client().send(new DescribeKeyCommand({ KeyId }))
      expect(KeyMetadata).toMatchObject({ KeyState: 'Disabled', Enabled: false })
      expect(KeyMetadata?.DeletionDate).toBeUndefined()
    })

    it('refuses to cancel what is not scheduled, and a window under 7 days', async () => {
      const cancel = new CancelKeyDeletionCommand({ KeyId: CUSTOMER_KEY })
      await expect(kms.client().send(cancel)).rejects.toBeInstanceOf(KMSInvalidStateException)
      const hasty = new ScheduleKeyDeletionCommand({ KeyId: CUSTOMER_KEY, PendingWindowInDays: 6 })
      await expect(kms.client().send(hasty)).rejects.toMatchObject({ name: 'ValidationException' })
    })
  })

  describe('Given an unknown key, or an alias where only keys are taken', () => {
    it('refuses with NotFoundException and InvalidArnException', async () => {
      const by = (KeyId: string) => kms.client().send(new DisableKeyCommand({ KeyId }))
      await expect(by(UNKNOWN_KEY)).rejects.toBeInstanceOf(NotFoundException)
      await expect(by('alias/customer')).rejects.toBeInstanceOf(NotFoundException)
      await expect(by('arn:aws:kms:us-east-1:000000000000:alias/customer')).rejects.toBeInstanceOf(InvalidArnException)
      await expect(by('arn:aws:s3:::bucket')).rejects.toBeInstanceOf(InvalidArnException)
    })
  })
})

describe('KMS aliases and lists', () => {
  it('names a key once and refuses the name a second time with AlreadyExistsException', async () => {
    const TargetKeyId = await createKey()
    const create = new CreateAliasCommand({ AliasName: 'alias/new', TargetKeyId })
    await kms.client().send(create)
    const { KeyMetadata } = await kms.client().send(new DescribeKeyCommand({ KeyId: 'alias/new' }))
    expect(KeyMetadata?.KeyId).toBe(TargetKeyId)
    await expect(kms.client().send(create)).rejects.toBeInstanceOf(AlreadyExistsException)
    const malformed = new CreateAliasCommand({ AliasName: 'new', TargetKeyId })
    await expect(kms.client().send(malformed)).rejects.toMatchObject({ name: 'ValidationException' })
  })

  it('lists the aliases of one key', async () => {
    const { Aliases } = await kms.client().send(new ListAliasesCommand({ KeyId: TOKEN_KEY }))
    expect(Aliases).toMatchObject([{ AliasName: 'alias/token', TargetKeyId: TOKEN_KEY }])
  })

  it('lists every key, page by page', async () => {
    const found: (string | undefined)[] = []
    let Marker: string | undefined
    do {
      const page = await kms.client().send(new ListKeysCommand({ Limit: 2, ...(Marker && { Marker }) }))
      expect(page.Keys?.length).toBeLessThanOrEqual(2)
      found.push(...(page.Keys ?? []).map((key) => key.KeyId))
      Marker = page.NextMarker
    } while (Marker !== undefined)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining(keys.map((key) => key.keyId)))
  })
})
