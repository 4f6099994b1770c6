import type Stripe from 'stripe'
import type { Page } from '../../billing/gateway/page.ts'

/** The parameters of the page of 100 rows, Stripe's limit, that begins after the row with this id. */
export function pageAfter(cursor: string | undefined): { limit: number; starting_after?: string } {
  return { limit: 100, ...(cursor !== undefined && { starting_after: cursor }) }
}

/** A page of Stripe's with its rows reduced; its cursor is the id of its last row (https://docs.stripe.com/api/pagination). */
export function pageOf<Row extends { id: string }, Value>(
  { data, has_more }: Stripe.ApiList<Row>,
  read: (row: Row) => Value | readonly Value[],
): Page<Value> {
  const last = data.at(-1)
  return { rows: data.flatMap(read), ...(has_more && last && { next: last.id }) }
}
