import * as z from 'zod'
import { type ConsoleClient, createConsoleClient } from '../../../infra/client/src/createConsoleClient.ts'
import { memoryStorage, storedTokens, type TextStorage, type TokenStore } from '../../../infra/client/src/tokenStore.ts'
import { demoPublicClient } from '../../../infra/data/demo.ts'
import type { LocalStack } from '../../../infra/local/stack.ts'

interface StackClient {
  readonly client: ConsoleClient
  readonly tokenStore: TokenStore
}

const metadata = z.object({ issuer: z.string() })

/**
 * The demo's public client, as a page of its own would make it; `signInStorage` is that of its browser, and `fetch` its network.
 */
export async function stackClient(
  { info }: LocalStack,
  signInStorage: TextStorage = memoryStorage(),
  fetch = globalThis.fetch,
): Promise<StackClient> {
  const tokenStore = storedTokens(memoryStorage(), 'tokens')
  const { clientId, redirectUri } = demoPublicClient
  const { base_url: baseUrl } = info
  const { issuer } = metadata.parse(await (await fetch(`${baseUrl}/.well-known/openid-configuration`)).json())
  const client = createConsoleClient({
    ...{ baseUrl, issuer, clientId, redirectUri, tokenStore, signInStorage },
    // The issuer's address, at the port where the stack listens.
    fetch: (input, init) => fetch(String(input).replace(issuer, baseUrl), init),
  })
  return { client, tokenStore }
}
