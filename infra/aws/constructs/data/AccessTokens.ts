import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import type { KmsUse } from '../../../manifest.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'
import type { Keys } from './Keys.ts'
import { TokenPublicKey } from './TokenPublicKey.ts'

/** The issuer (`iss`) of access tokens and the key that signs them; the stage sets the audience (`aud`). */
interface AccessTokensProps {
  readonly stage: StageSettings
  readonly keys: Keys
  readonly issuer: string
  readonly codeDirectory: string
}

/** Access tokens (RFC 9068): `oauth-token` signs them, and every function with a signed-in caller verifies them. */
export class AccessTokens extends Construct {
  private readonly props: AccessTokensProps
  private readonly publicKey: TokenPublicKey

  constructor(scope: Construct, id: string, props: AccessTokensProps) {
    super(scope, id)
    this.props = props
    this.publicKey = new TokenPublicKey(this, 'PublicKey', {
      stage: props.stage,
      keys: props.keys.verifying,
      codeDirectory: props.codeDirectory,
    })
  }

  /** Lets a function sign tokens, and sets the variables with key, issuer and audience. */
  grantSign(fn: ServiceFunction, uses: readonly KmsUse[]): void {
    this.props.keys.grantToken(fn, uses)
    this.setClaims(fn)
  }

  /** Sets the issuer of tokens in a function's environment. */
  nameIssuer(fn: ServiceFunction): void {
    fn.setVariable('TOKEN_ISSUER', this.props.issuer)
  }

  /** Gives a function the public keys and claims to verify tokens by itself. It needs no permission. */
  grantVerify(fn: ServiceFunction): void {
    fn.setVariable('TOKEN_PUBLIC_KEY', this.publicKey.value)
    this.setClaims(fn)
  }

  private setClaims(fn: ServiceFunction): void {
    this.nameIssuer(fn)
    fn.setVariable('TOKEN_AUDIENCE', this.props.stage.audience)
  }
}
