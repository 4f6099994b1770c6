import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'

/** A client of the provider. */
interface OidcProviderClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** For back-channel logout. */
  readonly logoutUri?: string
}

/**
 * Starts panva's oidc-provider in a process of its own: in Jest's contexts it answers 500.
 * @param now the time in Unix milliseconds at which its clock stands still; the machine's clock if undefined
 */
export async function startOidcProvider(
  client: OidcProviderClient,
  now?: number,
): Promise<{ readonly issuer: string; close(): void }> {
  const script = fileURLToPath(new URL('runOidcProvider.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ ...client, now })], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`oidc-provider ended with ${code}`)
    }),
  ])
  return { issuer: String(line), close: () => void child.kill() }
}

/**
 * Runs it for a test file, on the clock of the test.
 * @returns its issuer
 */
export function useOidcProvider({
  now,
  ...client
}: OidcProviderClient & {
  /** Unix milliseconds. */
  readonly now: () => number
}): () => string {
  let provider: Awaited<ReturnType<typeof startOidcProvider>> | undefined
  beforeAll(async () => {
    provider = await startOidcProvider(client, now())
  })
  afterAll(() => provider?.close())
  return () => provider?.issuer ?? ''
}
