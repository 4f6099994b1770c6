import type { Contract } from '../../lib/http/contract.ts'
import { notificationsResource } from '../../lib/users/activity/notifications.ts'

/** GET /api/users/me/notifications */
export const contract = { responses: { 200: notificationsResource } } as const satisfies Contract
