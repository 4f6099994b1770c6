import {
  checkPrimeSync,
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateEncrypt,
  publicDecrypt,
} from 'node:crypto'

const EXPONENT = 65537n
const PRIME_BYTES = 128

/** The DER of `DigestInfo` up to the digest itself (RFC 8017 §9.2, note 1). */
const DIGEST_INFO_SHA_256 = Buffer.from('3031300d060960864801650304020105000420', 'hex')

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

function toMember(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
}

/** The inverse of a number by a modulus that it shares no factor with (extended Euclid). */
function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, value % modulus, 0n, 1n]
  while (b > 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}

/** The first fitting prime from `bytes` on, whose two highest bits are set so that a product of two has 2048 bits (FIPS 186-5, A.1.3). */
function primeFrom(bytes: Uint8Array): bigint {
  let candidate = toNumber(bytes) | (3n << BigInt(PRIME_BYTES * 8 - 2)) | 1n
  while ((candidate - 1n) % EXPONENT === 0n || !checkPrimeSync(candidate)) candidate += 2n
  return candidate
}

/** Under this symbol a process may keep, on its global object, the keys that it has computed: tests start an emulator for each of their files. */
export const COMPUTED_KEYS = Symbol.for('computed RSA keys')

/**
 * The RSA key of 2048 bits that 256 bytes determine, the same on every machine. For local use only: its primes are not drawn as FIPS
 * 186-5 wants them. Takes a tenth of a second, unless it is among the `COMPUTED_KEYS`.
 */
export function toPrivateKey(bytes: Uint8Array): KeyObject {
  const computed: Map<string, KeyObject> | undefined = Reflect.get(globalThis, COMPUTED_KEYS)
  const name = Buffer.from(bytes).toString('hex')
  const key = computed?.get(name) ?? computeKey(bytes)
  computed?.set(name, key)
  return key
}

function computeKey(bytes: Uint8Array): KeyObject {
  const [p, q] = [primeFrom(bytes.subarray(0, PRIME_BYTES)), primeFrom(bytes.subarray(PRIME_BYTES))]
  const d = invert(EXPONENT, (p - 1n) * (q - 1n))
  const members = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: invert(q, p) }
  const encoded = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toMember(value)]))
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...encoded } })
}

/** RSASSA-PKCS1-v1_5 over a SHA-256 digest (RFC 8017 §8.2.1). `crypto.sign` takes messages only, not digests. */
export function signDigest(key: KeyObject, digest: Uint8Array): Buffer {
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([DIGEST_INFO_SHA_256, digest]))
}

/** Whether a signature over a digest was made by this private key; a malformed one was not. */
export function verifyDigest(key: KeyObject, digest: Uint8Array, signature: Uint8Array): boolean {
  try {
    const signed = publicDecrypt({ key: createPublicKey(key), padding: constants.RSA_PKCS1_PADDING }, signature)
    return signed.equals(Buffer.concat([DIGEST_INFO_SHA_256, digest]))
  } catch {
    return false
  }
}
