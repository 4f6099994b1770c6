import { randomBytes, randomUUID } from 'node:crypto'
import type { Ids } from '../../core/ids.ts'

/** Ids and secrets of the operating system's cryptographic generator. */
export const ids: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
}
