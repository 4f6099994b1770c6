import type { Contract } from '../../lib/http/contract.ts'
import { consentList } from '../../lib/oauth/authorize/userConsents.ts'

/** GET /api/users/me/consents */
export const contract = { responses: { 200: consentList } } as const satisfies Contract
