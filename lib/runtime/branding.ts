import { type Branding, branding } from '../core/branding.ts'
import { environment } from './environment.ts'

/** What pages and mails look like. Throws z.core.$ZodError or SyntaxError where the environment does not hold it. */
export function brandingFromEnvironment(): Branding {
  return branding.parse(JSON.parse(environment.BRANDING))
}
