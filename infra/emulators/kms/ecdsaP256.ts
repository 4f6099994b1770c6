import { createECDH, createPublicKey, type KeyObject } from 'node:crypto'
import { derToJose, joseToDer } from 'ecdsa-sig-formatter'

/** Order of the base point of NIST P-256 (SEC 2, section 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const toBytes = (scalar: bigint): Buffer => Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')

/** The uncompressed point `scalar * G`: 0x04, x, y. */
function multiplyBase(scalar: bigint): Buffer {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(toBytes(scalar))
  return curve.getPublicKey()
}

const xOf = (point: Buffer): bigint => toNumber(point.subarray(1, 33)) % ORDER

/** Modular inverse by Fermat: the order is prime. */
function invert(value: bigint): bigint {
  let result = 1n
  let base = value % ORDER
  for (let exponent = ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % ORDER
    base = (base * base) % ORDER
  }
  return result
}

/** Reduces at least 40 random bytes to a private scalar between 1 and the order less 1 (FIPS 186-5, A.2.1). */
export function toPrivateScalar(bytes: Uint8Array): bigint {
  return (toNumber(bytes) % (ORDER - 1n)) + 1n
}

/** The public key that belongs to a private scalar. */
export function toPublicKey(scalar: bigint): KeyObject {
  const point = multiplyBase(scalar)
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
}

/**
 * Signs a SHA-256 digest with a fresh nonce and returns the signature in DER (FIPS 186-5, 6.4.1).
 * Done by hand because `crypto.sign(null, digest, key)` hashes an EC digest once more. Not constant time: local use only.
 */
export function signDigest(scalar: bigint, digest: Uint8Array): Buffer {
  const nonce = createECDH('prime256v1')
  const r = xOf(nonce.generateKeys())
  const s = (invert(toNumber(nonce.getPrivateKey())) * (toNumber(digest) + r * scalar)) % ORDER
  return joseToDer(Buffer.concat([toBytes(r), toBytes(s)]).toString('base64url'), 'ES256')
}

/**
 * Whether a DER signature over a digest was made by this private scalar; a malformed one was not.
 * The holder of the private scalar `d` needs no point addition: `u1*G + u2*Q = (u1 + u2*d)*G`.
 */
export function verifyDigest(scalar: bigint, digest: Uint8Array, signature: Buffer): boolean {
  let joined: Buffer
  try {
    joined = Buffer.from(derToJose(signature, 'ES256'), 'base64url')
  } catch {
    return false
  }
  const r = toNumber(joined.subarray(0, 32))
  const s = toNumber(joined.subarray(32))
  if (r < 1n || r >= ORDER || s < 1n || s >= ORDER) return false
  const nonce = (invert(s) * (toNumber(digest) + r * scalar)) % ORDER
  return nonce !== 0n && xOf(multiplyBase(nonce)) === r
}
