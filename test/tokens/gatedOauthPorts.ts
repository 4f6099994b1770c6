import { CommonError } from '../../lib/core/errors.ts'
import type { TokenSigner } from '../../lib/oauth/ports.ts'
import type { TokenDeps } from '../../lib/oauth/tokenRequest.ts'
import type { Enter } from '../world/gate.ts'

type OauthPorts = Pick<TokenDeps, 'clients' | 'codes' | 'refreshTokens' | 'accounts'>

const away = (): never => {
  throw new CommonError('service_unavailable')
}
/** The port says that a signer fails with any error. */
const signerAway = (): never => {
  throw new Error('KMS is away')
}

/** The stores of the token endpoint, of which every call passes the gate. */
export function gatedOauthPorts({ clients, codes, refreshTokens, accounts }: OauthPorts, enter: Enter): OauthPorts {
  return {
    clients: { find: (...args) => enter('clients.find', () => clients.find(...args), away) },
    accounts: { find: (...args) => enter('accounts.find', () => accounts.find(...args), away) },
    codes: {
      find: (...args) => enter('codes.find', () => codes.find(...args), away),
      consume: (...args) => enter('codes.consume', () => codes.consume(...args), away),
      issue: (...args) => enter('codes.issue', () => codes.issue(...args), away),
    },
    refreshTokens: {
      find: (...args) => enter('refreshTokens.find', () => refreshTokens.find(...args), away),
      issue: (...args) => enter('refreshTokens.issue', () => refreshTokens.issue(...args), away),
      rotate: (...args) => enter('refreshTokens.rotate', () => refreshTokens.rotate(...args), away),
      isFamilyRevoked: (...args) =>
        enter('refreshTokens.isFamilyRevoked', () => refreshTokens.isFamilyRevoked(...args), away),
      revokeFamily: (...args) => enter('refreshTokens.revokeFamily', () => refreshTokens.revokeFamily(...args), away),
    },
  }
}

/** A signer that signs by `signatureOf`, every signature through the gate. */
export function gatedSigner(signatureOf: (signingInput: string) => string, enter: Enter): TokenSigner {
  return {
    keyId: 'key-of-the-world',
    sign: (signingInput) => enter('signer.sign', async () => signatureOf(signingInput), signerAway),
  }
}
