import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt, SignJWT } from 'jose'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { createTokenSigner } from '../../../lib/adapters/kms/tokenSigner.ts'
import { type AccountsStack, OTHER_KEY, PREVIOUS_TOKEN_KEY, TOKEN_KEY } from '../../support/accountsStack.ts'

type Members = Readonly<Record<string, unknown>>

/** What a forger has: a genuine token, the public key, keys of his own; and signatures that no forger gets, for what is wrong in a signed token. */
export interface Workshop {
  readonly token: string
  /** The three parts of the genuine token. */
  readonly parts: readonly [header: string, payload: string, signature: string]
  readonly header: Members
  readonly claims: Members
  /** Unix seconds. */
  readonly now: number
  readonly publicKeySpki: string
  /** A token of these members, signed by a key of the service's own KMS. */
  sign(header: Members, claims: Members | string, keyId?: string): Promise<string>
}

/** Where the tokens come from. */
interface ForgedStack {
  readonly kms: { readonly endpoint: string }
  readonly clock: { now(): number }
}

/** A member of a JWS, encoded as it is. */
function encode(part: Members | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

function decode(part: string): Members {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

/** @param keyId the key that signs the stack's tokens */
export function openWorkshop(
  { kms, clock, publicKeySpki }: Pick<AccountsStack, 'publicKeySpki'> & ForgedStack,
  token: string,
  tokenKeyId = TOKEN_KEY,
): Workshop {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return {
    token,
    parts: [header, payload, signature],
    header: decode(header),
    claims: decode(payload),
    now: clock.now() / 1000,
    publicKeySpki,
    async sign(head, claims, keyId = tokenKeyId) {
      const input = `${encode(head)}.${encode(claims)}`
      const client = createKmsClient({ endpoint: kms.endpoint, region: 'us-east-1' })
      const signature = await createTokenSigner({ client, keyId }).sign(input)
      client.destroy()
      return `${input}.${signature}`
    },
  }
}

const mine = generateKeyPairSync('rsa', { modulusLength: 2048 })
const mineOfP256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const myJwk = mine.publicKey.export({ format: 'jwk' })
const bySelf = ({ claims }: Workshop, header: Members) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', ...header }).sign(mine.privateKey)

function hs256({ header, parts, publicKeySpki }: Workshop, key: (spki: Buffer) => string | Buffer): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${parts[1]}`
  return `${input}.${createHmac('sha256', key(Buffer.from(publicKeySpki, 'base64')))
    .update(input)
    .digest('base64url')}`
}

const unsigned = ({ header, parts }: Workshop, alg: string, signature = '') =>
  `${encode({ ...header, alg })}.${parts[1]}.${signature}`

const without = (members: Members, name: string) =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))

const withClaims = (changes: Members) => (shop: Workshop) => shop.sign(shop.header, { ...shop.claims, ...changes })
const withHeader = (changes: Members) => (shop: Workshop) => shop.sign({ ...shop.header, ...changes }, shop.claims)

/** One way to make a token that is not good, by its name. */
export const forgeries: Readonly<Record<string, (shop: Workshop) => string | Promise<string>>> = {
  ...Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [
      `alg "${alg}" without a signature`,
      (shop) => unsigned(shop, alg),
    ]),
  ),
  'alg none with the genuine signature': (shop) => unsigned(shop, 'none', shop.parts[2]),
  'no alg': ({ header, parts }) => `${encode(without(header, 'alg'))}.${parts[1]}.${parts[2]}`,
  'HS256 with the public key in PEM as the secret': (shop) =>
    hs256(shop, (spki) =>
      createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' }),
    ),
  'HS256 with the public key in DER as the secret': (shop) => hs256(shop, (spki) => spki),
  'HS256 with the public key in base64 as the secret': (shop) => hs256(shop, (spki) => spki.toString('base64')),
  ...Object.fromEntries(
    ['RS384', 'PS256', 'ES256', 'rs256'].map((alg) => [
      `alg ${alg} on a genuine signature`,
      ({ header, parts }: Workshop) => `${encode({ ...header, alg })}.${parts[1]}.${parts[2]}`,
    ]),
  ),
  ...Object.fromEntries(
    ['RS384', 'PS256', 'ES256'].map((alg) => [`alg ${alg} in what our key signed with RS256`, withHeader({ alg })]),
  ),
  'alg ES256 with our kid, signed by a key of P-256': ({ header, claims }) =>
    new SignJWT({ ...claims }).setProtectedHeader({ ...header, alg: 'ES256' }).sign(mineOfP256.privateKey),
  'a key of the forger’s under our kid': (shop) => bySelf(shop, shop.header),
  'a key of the forger’s under its own kid': (shop) => bySelf(shop, { ...shop.header, kid: 'mine' }),
  'a key of the forger’s in the header as jwk': (shop) => bySelf(shop, { ...shop.header, jwk: myJwk }),
  'a jku that leads to the forger’s keys': (shop) =>
    bySelf(shop, { ...shop.header, kid: 'mine', jku: 'https://evil.example.com/jwks.json' }),
  'an x5c of the forger’s': (shop) =>
    bySelf(shop, { ...shop.header, x5c: [mine.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] }),
  'an x5u that leads to the forger': (shop) => bySelf(shop, { ...shop.header, x5u: 'https://evil.example.com/cert' }),
  'a kid that is a path': (shop) => bySelf(shop, { ...shop.header, kid: '../../../dev/null' }),
  'another key of the same KMS under our kid': ({ sign, header, claims }) => sign(header, claims, OTHER_KEY),
  'the kid of the key before on a signature of the key of today': withHeader({ kid: PREVIOUS_TOKEN_KEY }),
  'the kid of a key that signs no tokens, signed by it': ({ sign, header, claims }) =>
    sign({ ...header, kid: OTHER_KEY }, claims, OTHER_KEY),
  'no kid': ({ sign, header, claims }) => sign(without(header, 'kid'), claims),
  'a kid that is no string': withHeader({ kid: [TOKEN_KEY] }),
  'a header with a signed jwk': withHeader({ jwk: myJwk }),
  'typ JWT': withHeader({ typ: 'JWT' }),
  'typ of an id_token of old, none at all': ({ sign, header, claims }) => sign(without(header, 'typ'), claims),
  'typ of another kind of token': withHeader({ typ: 'logout+jwt' }),
  'crit that names an unknown extension': withHeader({ crit: ['extension'], extension: 1 }),
  'an unencoded payload (b64 false)': withHeader({ crit: ['b64'], b64: false }),
  expired: (shop) => withClaims({ exp: shop.now })(shop),
  'exp that is no number': withClaims({ exp: '4000000000' }),
  'nbf in the future': (shop) => withClaims({ nbf: shop.now + 3600 })(shop),
  'iat far ahead': (shop) => withClaims({ iat: shop.now + 3600, exp: shop.now + 7200 })(shop),
  'another iss': withClaims({ iss: 'https://evil.example.com' }),
  'the iss with a slash behind it': (shop) => withClaims({ iss: `${shop.claims.iss}/` })(shop),
  'another aud': withClaims({ aud: 'https://other.example.com' }),
  'our aud in a list of two': (shop) => withClaims({ aud: [shop.claims.aud, 'https://other.example.com'] })(shop),
  'sub that is no user’s id': withClaims({ sub: 'admin' }),
  ...Object.fromEntries(
    ['iss', 'sub', 'aud', 'client_id', 'iat', 'exp', 'jti', 'sid', 'rev'].map((claim) => [
      `no ${claim}`,
      ({ sign, header, claims }) => sign(header, without(claims, claim)),
    ]),
  ),
  'another sub under the genuine signature': ({ parts, claims }) =>
    `${parts[0]}.${encode({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${parts[2]}`,
  'a payload that says a thing twice': ({ parts, claims }) =>
    `${parts[0]}.${encode(`${JSON.stringify(claims).slice(0, -1)},"scope":"admin"}`)}.${parts[2]}`,
  'a header that says its alg twice': ({ parts, header }) =>
    `${encode(`{"alg":"none",${JSON.stringify(header).slice(1)}`)}.${parts[1]}.${parts[2]}`,
  'a payload that is no object': ({ sign, header }) => sign(header, '["no object"]'),
  'the signature cut off': ({ parts }) => `${parts[0]}.${parts[1]}`,
  'an empty signature': ({ parts }) => `${parts[0]}.${parts[1]}.`,
  'half a signature': ({ parts }) => `${parts[0]}.${parts[1]}.${parts[2].slice(0, 171)}`,
  'a fourth part': ({ token, parts }) => `${token}.${parts[2]}`,
  'an empty part before it': ({ token }) => `.${token}`,
  'a signature of zeros': ({ parts }) => `${parts[0]}.${parts[1]}.${Buffer.alloc(256).toString('base64url')}`,
  'a signature of ones, the number 1 of every modulus': ({ parts }) =>
    `${parts[0]}.${parts[1]}.${Buffer.concat([Buffer.alloc(255), Buffer.from([1])]).toString('base64url')}`,
  'padding behind its parts': ({ parts }) => `${parts[0]}.${parts[1]}.${parts[2]}==`,
  'standard base64 in the place of base64url': ({ parts }) =>
    `${parts[0]}.${parts[1]}.${Buffer.from(parts[2], 'base64url').toString('base64')}`,
  'other last bits that decode to the same signature': ({ parts }) =>
    `${parts[0]}.${parts[1]}.${parts[2].slice(0, -1)}${nextLetter(parts[2].slice(-1))}`,
  'a letter outside ASCII in it': ({ token }) => `${token.slice(0, 20)}é${token.slice(20)}`,
  'a space in it': ({ token }) => `${token.slice(0, 20)} ${token.slice(20)}`,
  'a tab behind its header': ({ parts }) => `${parts[0]}\t.${parts[1]}.${parts[2]}`,
  'two tokens with a comma between them': ({ token }) => `${token}, ${token}`,
  'two tokens with a space between them': ({ token }) => `${token} ${token}`,
  'two headers in one': ({ token }) => `${token}, Bearer ${token}`,
  'a JWE for our public key': ({ claims, publicKeySpki }) =>
    new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', typ: 'at+jwt', kid: TOKEN_KEY })
      .encrypt(createPublicKey({ key: Buffer.from(publicKeySpki, 'base64'), format: 'der', type: 'spki' })),
  'the JSON serialization of a JWS': ({ parts }) =>
    JSON.stringify({ protected: parts[0], payload: parts[1], signature: parts[2] }),
  'nothing but dots': () => '..',
}

/** The letter of base64url whose highest two bits are the same: a 256-byte signature leaves four bits of its last letter unused. */
function nextLetter(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(letter) ^ 1] ?? ''
}
