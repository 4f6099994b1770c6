import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

/** GET /api/openapi.json: `lib/http/openapi.json`, which `npm run openapi` generates from the contracts. */
export const contract = {
  responses: {
    200: z.looseObject({ openapi: z.literal('3.1.1'), info: z.looseObject({}), paths: z.looseObject({}) }),
  },
} as const satisfies Contract
