import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import type { FunctionRow, Trigger } from '../manifest.ts'

/** A row that is reached by a route of the HTTP API: an operation of the document. */
export interface HttpRow extends FunctionRow {
  readonly trigger: Extract<Trigger, { kind: 'http' }>
}

/** Whether a row is an operation. The webhook, schedules and unmatched routes are none: they are not for readers of the document. */
export function isHttpRow(row: FunctionRow): row is HttpRow {
  return row.trigger.kind === 'http'
}

/** A row with its contract. */
export interface Operation {
  readonly row: HttpRow
  readonly contract: Contract
}

/** Whether people with a browser call it: its answers are pages, and what is sent to it are their forms. */
export function answersPages({ responses }: Contract): boolean {
  return Object.values(responses).some((schema) => schema instanceof z.ZodString)
}

/** Whether its caller carries an access token. */
export function needsAccessToken({ caller }: FunctionRow): boolean {
  return caller === 'user' || caller === 'member' || caller === 'billing admin' || caller === 'owner'
}
