import type { ParamNames } from '../params/paramNames.ts'
import operations from './operations.json' with { type: 'json' }
import { routes } from './routes.ts'

/**
 * An operation of Stripe's API, such as `GET /v1/customers/*`, and the parameters that the emulator takes. If `params` is undefined, it
 * answers 501.
 */
export interface CoveredOperation {
  readonly method: string
  readonly path: string
  readonly params: ParamNames | undefined
}

/** Every operation of Stripe's API that `operations.json` names, by path and method. */
export function coverage(): CoveredOperation[] {
  const params = new Map(routes.map((row) => [`${row.method} ${row.path.replaceAll(/:\w+/g, '*')}`, row.params]))
  return Object.entries(operations).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => ({ method, path, params: params.get(`${method} ${path}`) })),
  )
}
