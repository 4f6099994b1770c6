import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import type { FunctionRow, Trigger } from '../manifest.ts'

/** A row that is reached by a route of the HTTP API: a JSON endpoint or a hosted page. */
export interface HttpRow extends FunctionRow {
  readonly trigger: Extract<Trigger, { kind: 'http' }>
}

/** Whether a row is reached so. The webhook, schedules and unmatched routes are not for readers of the document. */
export function isHttpRow(row: FunctionRow): row is HttpRow {
  return row.trigger.kind === 'http'
}

/** A JSON endpoint: a row with its contract, and its name in the document. */
export interface Operation {
  readonly row: HttpRow & { readonly operationId: string }
  readonly contract: Contract
}

/**
 * The operation of a row; undefined for a hosted page, which people open with a browser and no client calls: its answers are HTML and what
 * is sent to it are their forms. Throws Error for a JSON endpoint without an `operationId`, and for a page with one.
 */
export function operationOf(row: HttpRow, contract: Contract): Operation | undefined {
  const { operationId } = row
  const isPage = answersPages(contract)
  if (isPage !== (operationId === undefined))
    throw new Error(`${row.name}: JSON endpoints have an operationId, pages none`)
  return operationId === undefined ? undefined : { row: { ...row, operationId }, contract }
}

/** An operation, and that of POST if its route takes POST too: `ByPost` ends its name. */
export function withPost(operation: Operation): Operation[] {
  const { row, contract } = operation
  if (row.trigger.alsoPost !== true) return [operation]
  const trigger = { ...row.trigger, method: 'POST' } as const
  const post = { ...row, operationId: `${row.operationId}ByPost`, summary: `${row.summary}, by POST`, trigger }
  return [operation, { row: post, contract }]
}

/** Whether it answers browsers: with HTML, or only by leading them to another page. */
function answersPages({ responses }: Contract): boolean {
  const onlyRedirects = Object.keys(responses).every((status) => status === '303')
  return onlyRedirects || Object.values(responses).some((schema) => schema instanceof z.ZodMiniString)
}
