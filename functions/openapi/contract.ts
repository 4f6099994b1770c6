import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'

/** GET /api/openapi.json: `lib/http/openapi.json`, which `npm run openapi` generates from the contracts. 304 if unchanged. */
export const contract = {
  responses: {
    200: z.looseObject({
      openapi: described('The version of OpenAPI', z.literal('3.1.1')),
      info: described('Title, version and what applies to every operation', z.looseObject({})),
      paths: described('The operations by path and method', z.looseObject({})),
    }),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
