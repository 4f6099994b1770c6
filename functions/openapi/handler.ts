import { documentEndpoint } from '../../lib/http/endpoint/documentEndpoint.ts'
import document from '../../lib/http/openapi.json' with { type: 'json' }
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { contract } from './contract.ts'

/** GET /api/openapi.json: the API's description, OpenAPI 3.1. */
export const handler = documentEndpoint({ clock, logger }, contract.responses[200].parse(document))
