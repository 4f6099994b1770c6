import type { z } from 'zod'
import { type listShape, page, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { Tables } from '../state/state.ts'
import { forBrowsers, type Route, route } from '../wire/route.ts'
import { type NamedKind, requireRow } from './requireRow.ts'

type Sent<Shape extends Record<string, z.ZodType>> = { [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }

/** Parameters of a list; some have no filter on `created`. */
type ListSent = Sent<typeof listShape>

/** The endpoints of a kind of object. What is left out, the emulator does not have. */
interface Resource<K extends NamedKind, Create, List extends ListSent, Update> {
  create?: { params: p.ParamsOf<Create>; run: (context: Context, sent: Create) => object }
  /**
   * `check` refuses a list. `same` names the parameters that the member of that name must equal; `where` checks all others except `created`.
   */
  list: {
    params: p.ParamsOf<List>
    check?: (context: Context, sent: List) => void
    same?: readonly (keyof List & keyof Tables[K])[]
    where?: (row: Tables[K], sent: List, context: Context) => boolean
  }
  /** What else the id of the path may name. */
  retrieve?: (context: Context, id: string) => object | undefined
  /** Whether Stripe.js reads the object with its client secret. */
  browsers?: 'setup_intents' | 'payment_intents'
  update?: { params: p.ParamsOf<Update>; run: (context: Context, row: Tables[K], sent: Update) => object }
  remove?: (context: Context, row: Tables[K]) => object
}

function createdAt(row: { created: number } | { date: number }): number {
  return 'date' in row ? row.date : row.created
}

/** The endpoints under `/v1/<kind>`: create, list, retrieve, update and delete. An unknown id is a 404. */
export function resourceRoutes<K extends NamedKind, Create, List extends ListSent, Update>(
  kind: K,
  { create, list, retrieve, browsers, update, remove }: Resource<K, Create, List, Update>,
): Route[] {
  const url = `/v1/${kind}`
  const one = `${url}/:id`
  const read = route('GET', one, p.noParams, (context, _sent, id) => {
    return retrieve?.(context, id) ?? requireRow(context, kind, id)
  })
  const isListed = (row: Tables[K], sent: List, context: Context) => {
    const same = (list.same ?? []).every((name) => sent[name] === undefined || Object.is(sent[name], row[name]))
    return same && (list.where?.(row, sent, context) ?? true) && within(createdAt(row), sent.created)
  }
  const routes = [
    browsers ? forBrowsers(browsers, read) : read,
    route('GET', url, list.params, (context, sent) => {
      list.check?.(context, sent)
      const every = context.store.all(kind)
      const rows = every.filter((row) => isListed(row, sent, context))
      return page(rows, sent, url, every)
    }),
  ]
  if (create) routes.push(route('POST', url, create.params, create.run))
  if (update)
    routes.push(
      route('POST', one, update.params, (context, sent, id) =>
        update.run(context, requireRow(context, kind, id), sent),
      ),
    )
  if (remove)
    routes.push(
      route('DELETE', one, p.noParams, (context, _sent, id) => remove(context, requireRow(context, kind, id))),
    )
  return routes
}
