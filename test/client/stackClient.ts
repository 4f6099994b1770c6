import { type ConsoleClient, createConsoleClient } from '../../infra/client/src/createConsoleClient.ts'
import { memoryStorage, storedTokens, type TextStorage, type TokenStore } from '../../infra/client/src/tokenStore.ts'
import { demoPublicClient } from '../../infra/data/demo.ts'
import type { LocalStack } from '../../infra/local/stack.ts'

interface StackClient {
  readonly client: ConsoleClient
  readonly tokenStore: TokenStore
}

/** The demo's public client, as a page of its own would make it. */
export function stackClient({ info }: LocalStack, signInStorage: TextStorage = memoryStorage()): StackClient {
  const tokenStore = storedTokens(memoryStorage(), 'tokens')
  const { clientId, redirectUri } = demoPublicClient
  const { base_url: baseUrl } = info
  const client = createConsoleClient({ baseUrl, clientId, redirectUri, tokenStore, signInStorage })
  return { client, tokenStore }
}
