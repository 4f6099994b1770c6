import { answerPublicDocument, publicDocument } from '../../lib/http/answer/publicDocument.ts'
import { pipeline } from '../../lib/http/endpoint/pipeline.ts'
import document from '../../lib/http/openapi.json' with { type: 'json' }
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { contract } from './contract.ts'

const answered = publicDocument(contract.responses[200].parse(document))

/** GET /api/openapi.json: the API's description, OpenAPI 3.1. */
export const handler = pipeline(
  { clock, logger },
  { readers: 'any', handle: async (event) => answerPublicDocument(answered, event) },
)
