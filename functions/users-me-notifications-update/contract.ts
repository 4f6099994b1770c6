import type { Contract } from '../../lib/http/contract.ts'
import { notificationsResource, notificationsUpdate } from '../../lib/users/activity/notifications.ts'

/** PATCH /api/users/me/notifications */
export const contract = {
  body: notificationsUpdate,
  responses: { 200: notificationsResource },
} as const satisfies Contract
