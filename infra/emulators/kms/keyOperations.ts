import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { aliasArn, type Key, type KeyStore } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import { assertNotPendingDeletion, keyIdentifier, type Operation, operation } from './operation.ts'
import { signingAlgorithmsOf } from './signingOperations.ts'

const DAY = 86_400_000
const seconds = (milliseconds: number): number => milliseconds / 1000
const byKey = z.object({ KeyId: keyIdentifier })
const page = { Limit: z.int().min(1).max(1000).optional(), Marker: z.string().regex(/^\d+$/).optional() }

function metadata(key: Key): object {
  const algorithms =
    key.keySpec === 'SYMMETRIC_DEFAULT'
      ? { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }
      : { SigningAlgorithms: signingAlgorithmsOf(key) }
  return {
    AWSAccountId: '000000000000',
    KeyId: key.keyId,
    Arn: key.arn,
    CreationDate: seconds(key.createdAt),
    Description: key.description,
    Enabled: key.state === 'Enabled',
    KeyState: key.state,
    KeyUsage: key.keyUsage,
    KeySpec: key.keySpec,
    CustomerMasterKeySpec: key.keySpec,
    Origin: 'AWS_KMS',
    KeyManager: 'CUSTOMER',
    MultiRegion: false,
    ...algorithms,
    ...(key.deletionAt === undefined ? {} : { DeletionDate: seconds(key.deletionAt) }),
  }
}

function paginate<Item>(items: readonly Item[], input: { Limit?: number | undefined; Marker?: string | undefined }) {
  const start = Number(input.Marker ?? 0)
  const end = start + (input.Limit ?? 100)
  const more = end < items.length
  return { items: items.slice(start, end), rest: { Truncated: more, ...(more ? { NextMarker: `${end}` } : {}) } }
}

/** The operations on keys and aliases themselves. Nothing is ever deleted: a key past its deletion date stays unusable. */
export function keyOperations(store: KeyStore, now: () => number) {
  const setEnabled = (state: 'Enabled' | 'Disabled') =>
    operation(byKey, ({ KeyId }) => {
      const key = store.byId(KeyId)
      assertNotPendingDeletion(key)
      key.state = state
      return {}
    })

  return {
    CreateKey: operation(
      z.object({
        KeySpec: z.enum(['SYMMETRIC_DEFAULT', 'RSA_2048']).default('SYMMETRIC_DEFAULT'),
        KeyUsage: z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY']).default('ENCRYPT_DECRYPT'),
        Description: z.string().max(8192).optional(),
      }),
      ({ KeySpec, KeyUsage, Description }) => {
        // RSA keys of KMS may encrypt as well; here they sign.
        if ((KeySpec === 'SYMMETRIC_DEFAULT') !== (KeyUsage === 'ENCRYPT_DECRYPT')) {
          throw new KmsError('ValidationException', `KeyUsage ${KeyUsage} is not compatible with KeySpec ${KeySpec}`)
        }
        const key = store.add({ keyId: randomUUID(), keySpec: KeySpec, keyUsage: KeyUsage }, Description)
        return { KeyMetadata: metadata(key) }
      },
    ),
    CreateAlias: operation(
      z.object({
        AliasName: z
          .string()
          .max(256)
          .regex(/^alias\/[a-zA-Z0-9/_-]+$/),
        TargetKeyId: keyIdentifier,
      }),
      ({ AliasName, TargetKeyId }) => {
        const key = store.byId(TargetKeyId)
        assertNotPendingDeletion(key)
        store.addAlias(AliasName, key)
        return {}
      },
    ),
    DescribeKey: operation(byKey, ({ KeyId }) => ({ KeyMetadata: metadata(store.find(KeyId)) })),
    EnableKey: setEnabled('Enabled'),
    DisableKey: setEnabled('Disabled'),
    ScheduleKeyDeletion: operation(
      byKey.extend({ PendingWindowInDays: z.int().min(7).max(30).default(30) }),
      ({ KeyId, PendingWindowInDays }) => {
        const key = store.byId(KeyId)
        assertNotPendingDeletion(key)
        key.state = 'PendingDeletion'
        key.deletionAt = now() + PendingWindowInDays * DAY
        return { KeyId: key.arn, DeletionDate: seconds(key.deletionAt), KeyState: key.state, PendingWindowInDays }
      },
    ),
    CancelKeyDeletion: operation(byKey, ({ KeyId }) => {
      const key = store.byId(KeyId)
      if (key.state !== 'PendingDeletion') {
        throw new KmsError('KMSInvalidStateException', `${key.arn} is not pending deletion.`)
      }
      key.state = 'Disabled'
      key.deletionAt = undefined
      return { KeyId: key.arn }
    }),
    ListKeys: operation(z.object(page), (input) => {
      const { items, rest } = paginate(store.keys(), input)
      return { Keys: items.map((key) => ({ KeyId: key.keyId, KeyArn: key.arn })), ...rest }
    }),
    ListAliases: operation(z.object({ ...page, KeyId: keyIdentifier.optional() }), (input) => {
      const target = input.KeyId === undefined ? undefined : store.byId(input.KeyId).keyId
      const wanted = store.aliases().filter((alias) => target === undefined || alias.keyId === target)
      const { items, rest } = paginate(wanted, input)
      const aliases = items.map((alias) => ({
        AliasName: alias.name,
        AliasArn: aliasArn(alias.name),
        TargetKeyId: alias.keyId,
        CreationDate: seconds(alias.createdAt),
        LastUpdatedDate: seconds(alias.createdAt),
      }))
      return { Aliases: aliases, ...rest }
    }),
  } as const satisfies Record<string, Operation>
}
