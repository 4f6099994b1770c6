import { Resolver } from 'node:dns/promises'
import type { LookUpTxt } from '../../organizations/domains/ports.ts'
import { noneIfUnknown } from './hostResolver.ts'

/** Milliseconds for an answer of a name server, and how often it is asked. */
const ASKING = { timeout: 1500, tries: 2 }

/** Milliseconds for all of it. */
const BUDGET = 5000

/**
 * Looks up TXT records by asking the name servers, whose answers it does not keep.
 * @param servers addresses with ports; those of the system if left out
 */
export function createTxtResolver({
  servers,
  budget = BUDGET,
}: {
  readonly servers?: readonly string[] | undefined
  readonly budget?: number
} = {}): LookUpTxt {
  return async (name) => {
    const resolver = new Resolver(ASKING)
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), budget)
    try {
      const records = await noneIfUnknown(resolver.resolveTxt(name))
      return { kind: 'answered', values: records.map((parts) => parts.join('')) }
    } catch {
      return { kind: 'no_answer' }
    } finally {
      clearTimeout(timer)
    }
  }
}
