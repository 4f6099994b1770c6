import { matchPath } from '../../../lib/http/request/pathTemplate.ts'
import { methodsOf } from '../../data/routes.ts'
import { type FunctionRow, manifest } from '../../manifest.ts'
import type { EventRoute } from './apiGatewayEvent.ts'

/** A function and the route that leads to it. */
export interface Match {
  readonly row: FunctionRow
  readonly route: EventRoute
}

const rows: readonly FunctionRow[] = manifest

/** The row whose method and path template match, or the row for unmatched routes if none does. */
export function matchApiRoute(method: string, path: string): Match {
  for (const row of rows) {
    const { trigger } = row
    if (trigger.kind !== 'http' || !methodsOf(trigger).some((known) => known === method)) continue
    const pathParameters = matchPath(trigger.path, path)
    if (pathParameters) return { row, route: { kind: 'http', routeKey: `${method} ${trigger.path}`, pathParameters } }
  }
  return { row: onlyRow('unmatched'), route: { kind: 'http', routeKey: '$default' } }
}

/** The function behind the Lambda URL, for every method and path. */
export function matchUrl(): Match {
  return { row: onlyRow('url'), route: { kind: 'url', routeKey: '$default' } }
}

/** The row of a function; undefined if the manifest does not have the name. */
export function findRow(name: string): FunctionRow | undefined {
  return rows.find((row) => row.name === name)
}

function onlyRow(kind: 'unmatched' | 'url'): FunctionRow {
  const row = rows.find(({ trigger }) => trigger.kind === kind)
  if (row === undefined) throw new Error(`the manifest has no row with the trigger '${kind}'`)
  return row
}
