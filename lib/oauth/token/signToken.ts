import { CommonError, reasonOf } from '../../core/errors.ts'
import type { TokenDeps } from './tokenRequest.ts'

/**
 * Signs a JWT (RFC 7519) with the key of this service.
 * @param typ the type in its header (RFC 8725 §3.11), so that a token of one kind does not pass as another kind
 * @throws CommonError `service_unavailable` when KMS does not sign
 */
export async function signToken(
  { signer, logger }: Pick<TokenDeps, 'signer' | 'logger'>,
  typ: 'at+jwt' | 'JWT',
  claims: object,
): Promise<string> {
  const header = { typ, alg: signer.algorithm, kid: signer.keyId }
  const signingInput = `${encodePart(header)}.${encodePart(claims)}`
  try {
    return `${signingInput}.${await signer.sign(signingInput)}`
  } catch (cause) {
    logger.error('KMS call failed', { key: 'token', reason: reasonOf(cause) })
    throw new CommonError('service_unavailable', { message: 'token could not be signed', cause })
  }
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
