import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

/** GET /.well-known/change-password (W3C, A Well-Known URL for Changing Passwords §3): 303 leads to the form. */
export const contract = { responses: { 303: z.undefined() } } as const satisfies Contract
