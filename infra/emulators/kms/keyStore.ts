import { hkdfSync, type KeyObject } from 'node:crypto'
import { KmsError } from './kmsError.ts'
import { toPrivateKey } from './rsa2048.ts'

export type KeySpec = 'SYMMETRIC_DEFAULT' | 'RSA_2048'
export type KeyUsage = 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY'

/** A key that exists when the server starts. `alias` has the form `alias/name`. */
export interface KeyDescription {
  readonly keyId: string
  readonly keySpec: KeySpec
  readonly keyUsage: KeyUsage
  readonly alias?: string
}

/** A key and its state. Times are Unix milliseconds. */
export interface Key {
  readonly keyId: string
  readonly arn: string
  readonly keySpec: KeySpec
  readonly keyUsage: KeyUsage
  readonly description: string
  readonly createdAt: number
  state: 'Enabled' | 'Disabled' | 'PendingDeletion'
  deletionAt: number | undefined
}

const ARN = 'arn:aws:kms:us-east-1:000000000000'
const ARN_PATTERN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:((?:key|alias)\/.+)$/

/** The ARN of an alias `alias/name`. */
export const aliasArn = (name: string): string => `${ARN}:${name}`

/**
 * The keys and aliases of one emulator. Key material is never stored: it is derived from the seed and the key id (HKDF,
 * RFC 5869), so that a restart, or a second stack with the same seed and ids, holds the same keys.
 */
export function createKeyStore(options: { seed: string; keys: readonly KeyDescription[]; now: () => number }) {
  const keys = new Map<string, Key>()
  const aliases = new Map<string, { readonly name: string; readonly keyId: string; readonly createdAt: number }>()
  const rsaKeys = new Map<string, KeyObject>()
  const derive = (key: Key, purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', options.seed, key.keyId, purpose, bytes))

  function add(description: Pick<Key, 'keyId' | 'keySpec' | 'keyUsage'>, text = ''): Key {
    const { keyId, keySpec, keyUsage } = description
    const key: Key = {
      keyId,
      arn: `${ARN}:key/${keyId}`,
      keySpec,
      keyUsage,
      description: text,
      createdAt: options.now(),
      state: 'Enabled',
      deletionAt: undefined,
    }
    keys.set(keyId, key)
    return key
  }

  /** Finds a key by id or ARN. Throws NotFoundException, and InvalidArnException for what starts like an ARN and is none. */
  function byId(identifier: string): Key {
    const resource = identifier.startsWith('arn:') ? ARN_PATTERN.exec(identifier)?.[1] : `key/${identifier}`
    if (resource === undefined) throw new KmsError('InvalidArnException', `Invalid arn ${identifier}`)
    if (resource.startsWith('alias/')) {
      throw new KmsError('InvalidArnException', 'Key Aliases are not supported for this operation.')
    }
    const key = keys.get(resource.slice('key/'.length))
    if (key === undefined) throw new KmsError('NotFoundException', `Key '${identifier}' does not exist`)
    return key
  }

  /** Finds a key by id, ARN, alias or alias ARN. */
  function find(identifier: string): Key {
    const name = ARN_PATTERN.exec(identifier)?.[1] ?? identifier
    if (!name.startsWith('alias/')) return byId(identifier)
    const alias = aliases.get(name)
    if (alias === undefined) throw new KmsError('NotFoundException', `Alias ${aliasArn(name)} is not found.`)
    return byId(alias.keyId)
  }

  /** Names a key. Throws AlreadyExistsException when the alias is taken. */
  function addAlias(name: string, key: Key): void {
    if (aliases.has(name)) throw new KmsError('AlreadyExistsException', `An alias with the name ${name} already exists`)
    aliases.set(name, { name, keyId: key.keyId, createdAt: options.now() })
  }

  for (const description of options.keys) {
    const key = add(description)
    if (description.alias !== undefined) addAlias(description.alias, key)
  }

  return {
    add,
    addAlias,
    byId,
    find,
    keys: () => [...keys.values()],
    aliases: () => [...aliases.values()],
    /** 32 bytes for AES-256. */
    encryptionKey: (key: Key): Buffer => derive(key, 'aes-256-gcm', 32),
    /** The RSA key, which takes a tenth of a second to compute: once for each key. */
    rsaKey(key: Key): KeyObject {
      const known = rsaKeys.get(key.keyId) ?? toPrivateKey(derive(key, 'rsa-2048', 256))
      rsaKeys.set(key.keyId, known)
      return known
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>
