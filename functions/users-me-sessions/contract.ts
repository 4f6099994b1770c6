import type { Contract } from '../../lib/http/contract.ts'
import { sessionList } from '../../lib/oauth/session/listUserSessions.ts'

/** GET /api/users/me/sessions */
export const contract = { responses: { 200: sessionList } } as const satisfies Contract
