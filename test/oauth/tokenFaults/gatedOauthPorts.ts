import { CommonError } from '../../../lib/core/errors.ts'
import type { TokenSigner } from '../../../lib/oauth/ports.ts'
import type { TokenDeps } from '../../../lib/oauth/token/tokenRequest.ts'
import type { Enter } from '../../proof/world/orders/gate.ts'
import { gated } from '../../support/gated.ts'

type OauthPorts = Pick<TokenDeps, 'clients' | 'codes' | 'devices' | 'refreshTokens' | 'accounts'>

const unavailable = (): never => {
  throw new CommonError('service_unavailable')
}
/** The port says that a signer fails with any error. */
const signerAway = (): never => {
  throw new Error('KMS is unavailable')
}

/** The stores of the token endpoint, of which every call passes the gate. */
export function gatedOauthPorts(
  { clients, codes, devices, refreshTokens, accounts }: OauthPorts,
  enter: Enter,
): OauthPorts {
  return {
    clients: gated('clients', clients, enter, unavailable),
    accounts: gated('accounts', accounts, enter, unavailable),
    codes: gated('codes', codes, enter, unavailable),
    devices: gated('devices', devices, enter, unavailable),
    refreshTokens: gated('refreshTokens', refreshTokens, enter, unavailable),
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
