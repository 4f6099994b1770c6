import { rawEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { openidConfiguration } from '../../lib/oauth/client/metadata.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { issuerFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const body = openidConfiguration(issuerFromEnvironment())

/** GET /.well-known/openid-configuration: the OpenID provider's metadata, which OpenID clients read first. */
export const handler = rawEndpoint(contract, { clock, logger, readers: 'any' }, async () => ({ status: 200, body }))
