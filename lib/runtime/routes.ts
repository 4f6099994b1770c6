import * as z from 'zod/mini'
import { environment } from './environment.ts'

const methodsByPath = z.record(z.string(), z.array(z.string()))
const routesSchema = z.object({ any: methodsByPath, registered: methodsByPath, none: methodsByPath })

/** A path of the API, the methods of its routes, and which pages of other origins may read the answers. */
export interface KnownPath {
  readonly template: string
  readonly methods: readonly string[]
  readonly crossOrigin: keyof z.infer<typeof routesSchema>
}

/** Every path of the API, from the variable `ROUTES`. Throws z.core.$ZodError or SyntaxError at cold start. */
export function pathsFromEnvironment(): readonly KnownPath[] {
  const { ROUTES } = environment
  const { any, registered, none } = routesSchema.parse(JSON.parse(ROUTES))
  const paths = (crossOrigin: KnownPath['crossOrigin'], routes: z.infer<typeof methodsByPath>) =>
    Object.entries(routes).map(([template, methods]) => ({ template, methods, crossOrigin }))
  return [...paths('any', any), ...paths('registered', registered), ...paths('none', none)]
}
