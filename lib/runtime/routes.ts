import * as z from 'zod'
import { environment, readEnvironment } from './environment.ts'

const routesSchema = z.record(z.string(), z.array(z.string()))

/** Every path of the API and its methods, from the variable `ROUTES`. Throws z.ZodError or SyntaxError at cold start. */
export function routesFromEnvironment(): Readonly<Record<string, readonly string[]>> {
  return routesSchema.parse(JSON.parse(readEnvironment(environment.pick({ ROUTES: true })).ROUTES))
}
