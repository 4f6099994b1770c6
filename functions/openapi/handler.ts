import { rawEndpoint } from '../../lib/http/endpoint.ts'
import document from '../../lib/http/openapi.json' with { type: 'json' }
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { contract } from './contract.ts'

const body = contract.responses[200].parse(document)

/** GET /api/openapi.json: the API's description, OpenAPI 3.1. */
export const handler = rawEndpoint(contract, { clock, logger }, async () => ({ status: 200, body }))
