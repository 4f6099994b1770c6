import { type FunctionName, manifest } from '../../../infra/manifest.ts'

/** How many requests a minute a function admits; fails for one without a limit. */
export function limitOf(functionName: FunctionName): number {
  const limit = manifest.find(({ name }) => name === functionName)?.rateLimit
  if (limit === undefined) throw new Error(`${functionName} has no rate limit`)
  return limit.requestsPerMinute
}
