import { CommonError } from '../../../lib/core/errors.ts'
import type { TokenSigner } from '../../../lib/oauth/ports.ts'
import type { TokenDeps } from '../../../lib/oauth/token/tokenRequest.ts'
import type { Enter } from '../../proof/world/gate.ts'

type OauthPorts = Pick<TokenDeps, 'clients' | 'codes' | 'refreshTokens' | 'accounts'>

const unavailable = (): never => {
  throw new CommonError('service_unavailable')
}
/** The port says that a signer fails with any error. */
const signerAway = (): never => {
  throw new Error('KMS is unavailable')
}

/** The stores of the token endpoint, of which every call passes the gate. */
export function gatedOauthPorts({ clients, codes, refreshTokens, accounts }: OauthPorts, enter: Enter): OauthPorts {
  return {
    clients: { find: (...args) => enter('clients.find', () => clients.find(...args), unavailable) },
    accounts: { find: (...args) => enter('accounts.find', () => accounts.find(...args), unavailable) },
    codes: {
      find: (...args) => enter('codes.find', () => codes.find(...args), unavailable),
      consume: (...args) => enter('codes.consume', () => codes.consume(...args), unavailable),
      issue: (...args) => enter('codes.issue', () => codes.issue(...args), unavailable),
    },
    refreshTokens: {
      find: (...args) => enter('refreshTokens.find', () => refreshTokens.find(...args), unavailable),
      rotate: (...args) => enter('refreshTokens.rotate', () => refreshTokens.rotate(...args), unavailable),
      isFamilyRevoked: (...args) =>
        enter('refreshTokens.isFamilyRevoked', () => refreshTokens.isFamilyRevoked(...args), unavailable),
      revokeFamily: (...args) =>
        enter('refreshTokens.revokeFamily', () => refreshTokens.revokeFamily(...args), unavailable),
    },
  }
}

/** A signer that signs by `signatureOf`, every signature through the gate. */
export function gatedSigner(signatureOf: (signingInput: string) => string, enter: Enter): TokenSigner {
  return {
    keyId: 'key-of-the-world',
    algorithm: 'RS256',
    sign: (signingInput) => enter('signer.sign', async () => signatureOf(signingInput), signerAway),
  }
}
