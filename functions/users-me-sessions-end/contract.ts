import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

/** DELETE /api/users/me/sessions */
export const contract = { responses: { 204: z.undefined() } } as const satisfies Contract
