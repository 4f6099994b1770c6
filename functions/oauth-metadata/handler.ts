import { rawEndpoint } from '../../lib/http/rawEndpoint.ts'
import { authorizationServerMetadata } from '../../lib/oauth/metadata.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { issuerFromEnvironment } from '../../lib/runtime/discovery.ts'
import { logger } from '../../lib/runtime/logger.ts'

const body = authorizationServerMetadata(issuerFromEnvironment())

/** GET /.well-known/oauth-authorization-server: what OAuth client libraries find everything else with. */
export const handler = rawEndpoint({ clock, logger }, async () => ({ status: 200, body }))
