import { rawEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { publicJwksFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const body = { keys: publicJwksFromEnvironment() }

/** GET /.well-known/jwks.json: the public keys that verify access tokens. */
export const handler = rawEndpoint(contract, { clock, logger, readers: 'any' }, async () => ({ status: 200, body }))
