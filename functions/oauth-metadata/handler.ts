import { rawEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { authorizationServerMetadata } from '../../lib/oauth/client/metadata.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { issuerFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const body = authorizationServerMetadata(issuerFromEnvironment())

/** GET /.well-known/oauth-authorization-server: the authorization server's metadata, which OAuth client libraries read first. */
export const handler = rawEndpoint(contract, { clock, logger, readers: 'any' }, async () => ({ status: 200, body }))
