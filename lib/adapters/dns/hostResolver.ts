import { Resolver } from 'node:dns/promises'
import * as z from 'zod/mini'
import type { ResolveHost } from '../../events/endpointUrl.ts'

/** The one name that is resolved without asking anyone (RFC 6761 §6.3). */
const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/

/** Milliseconds for an answer of a name server, and how often it is asked. */
const ASKING = { timeout: 2000, tries: 2 }

/**
 * Resolves host names by asking the name servers, IPv4 first, because Lambda reaches no IPv6 address. Not by `dns.lookup`: its look-ups
 * share four threads, so slow name servers of one endpoint would delay every other connection.
 * @param servers addresses with ports; those of the system if left out
 */
export function createHostResolver({ servers }: { readonly servers?: readonly string[] } = {}): ResolveHost {
  const resolver = new Resolver(ASKING)
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    if (LOOPBACK_NAME.test(hostname)) return ['127.0.0.1']
    const addresses = await noneIfUnknown(resolver.resolve4(hostname))
    return addresses.length > 0 ? addresses : noneIfUnknown(resolver.resolve6(hostname))
  }
}

/** The name does not exist, or has no address of this kind. */
const unknown = z.object({ code: z.enum(['ENODATA', 'ENOTFOUND']) })

/** The records of an answer; none if the name does not exist or has none of the type that was asked for. */
export async function noneIfUnknown<Entry>(answer: Promise<Entry[]>): Promise<Entry[]> {
  try {
    return await answer
  } catch (error) {
    if (unknown.safeParse(error).success) return []
    throw error
  }
}
