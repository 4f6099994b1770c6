import { Webhook } from 'standardwebhooks'
import type { SignWebhook } from '../../events/delivery/ports.ts'

/** Signs with HMAC-SHA256, as the receivers' libraries verify it. */
export const signWebhook: SignWebhook = ({ id, at, body }, secrets) =>
  secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body)).join(' ')
