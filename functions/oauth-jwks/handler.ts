import { documentEndpoint } from '../../lib/http/endpoint/documentEndpoint.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { publicJwksFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

/** GET /.well-known/jwks.json: the public keys that verify access tokens. */
export const handler = documentEndpoint(
  { clock, logger },
  contract.responses[200].parse({ keys: publicJwksFromEnvironment() }),
)
