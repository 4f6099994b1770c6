import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What CBOR is made of here (RFC 8949). */
type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** How an authenticator answers; each may be set to something a right one never does. */
export interface Ceremony {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  readonly userVerified?: boolean
  readonly userPresent?: boolean
  /** The signature counter that it shows. */
  readonly counter?: number
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly type?: string
}

/** An authenticator in software: one ES256 credential, made with `@simplewebauthn/browser`'s JSON. */
export function softwareAuthenticator(userId: string, place: { origin: string; rpId: string }) {
  const credentialId = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  function clientDataOf({ challenge, origin = place.origin }: Ceremony, type: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  function authenticatorData(ceremony: Ceremony, attested: Buffer): Buffer {
    const { rpId = place.rpId, userVerified = true, userPresent = true, counter = 0 } = ceremony
    const { backupEligible = true, backedUp = true } = ceremony
    const flags =
      (userPresent ? 1 : 0) |
      (userVerified ? 4 : 0) |
      (backupEligible ? 8 : 0) |
      (backupEligible && backedUp ? 16 : 0) |
      (attested.length > 0 ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }

  const id = base64url(credentialId)
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }

  return {
    id,
    /** `RegistrationResponseJSON`. */
    register(ceremony: Ceremony) {
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255])
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(ceremony, attested)],
      ])
      const clientData = clientDataOf(ceremony, ceremony.type ?? 'webauthn.create')
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    /** `AuthenticationResponseJSON`. `userHandle` of another user is what a foreign authenticator may say. */
    signIn(ceremony: Ceremony, userHandle: string | undefined = userId) {
      const clientData = clientDataOf(ceremony, ceremony.type ?? 'webauthn.get')
      const data = authenticatorData(ceremony, Buffer.alloc(0))
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(userHandle !== undefined && { userHandle: base64url(userHandle) }),
        },
      }
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>

/** RFC 9053 §7.1.1: an ES256 key on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const parameters: [number, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map<number | string, Cbor>(parameters))
}
