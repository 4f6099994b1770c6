import document from '../../lib/http/openapi.json' with { type: 'json' }
import { rawEndpoint } from '../../lib/http/rawEndpoint.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'

/** GET /api/openapi.json: what the API takes and answers, as OpenAPI 3.1. */
export const handler = rawEndpoint({ clock, logger }, async () => ({ status: 200, body: document }))
