import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'

/** GET /api/openapi.json: `lib/http/openapi.json`, which `npm run openapi` generates from the contracts. 304 if unchanged. */
export const contract = {
  responses: {
    200: z.looseObject({ openapi: z.literal('3.1.1'), info: z.looseObject({}), paths: z.looseObject({}) }),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
