import { documentEndpoint } from '../../lib/http/endpoint/documentEndpoint.ts'
import { authorizationServerMetadata } from '../../lib/oauth/client/metadata.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { issuerFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

/** GET /.well-known/oauth-authorization-server: the authorization server's metadata, which OAuth client libraries read first. */
export const handler = documentEndpoint(
  { clock, logger },
  contract.responses[200].parse(authorizationServerMetadata(issuerFromEnvironment())),
)
