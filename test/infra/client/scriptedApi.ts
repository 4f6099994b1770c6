import { createServer, type IncomingMessage } from 'node:http'
import { createConsoleClient } from '../../../infra/client/src/createConsoleClient.ts'
import { memoryStorage, storedTokens, type TokenStore, type Tokens } from '../../../infra/client/src/tokenStore.ts'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

/** A request as it came. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Scripted {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or text as it is. */
  readonly body?: unknown
}

/** What is answered; `cut` closes the connection without an answer. */
export type Script = (request: Received, earlier: readonly Received[]) => Scripted | 'cut'

export interface ScriptedApi {
  readonly baseUrl: string
  /** Every request but those for the metadata, oldest first. */
  readonly received: Received[]
  /** How often a path was asked for. */
  count(path: string): number
  /** A client of it with these tokens, kept in this store, and how often it said that its sign-in ended. */
  client(tokens?: Tokens, tokenStore?: TokenStore): ReturnType<typeof clientOf>
  close(): Promise<void>
}

/** A server that answers as a test says, with the metadata of an authorization server. */
export async function scriptedApi(script: Script): Promise<ScriptedApi> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    if (path === '/.well-known/openid-configuration') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata(baseUrl)))
      return
    }
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
    const answer = script(one, [...received])
    received.push(one)
    if (answer === 'cut') return void request.socket.destroy()
    const { status, body = '' } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...answer.headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const { url: baseUrl, close } = await listenOnLoopback(server)
  return {
    baseUrl,
    received,
    count: (path) => received.filter((one) => one.path === path).length,
    client: (tokens = freshTokens, tokenStore = storedTokens(memoryStorage(), 'tokens')) =>
      clientOf(baseUrl, tokens, tokenStore),
    close,
  }
}

/** Tokens that need no refresh. */
export const freshTokens: Tokens = { accessToken: 'first', expiresAt: Date.now() + 600_000, refreshToken: 'refresh-1' }

/** Tokens whose access token has ended. */
export const endedTokens: Tokens = { ...freshTokens, expiresAt: Date.now() - 1000 }

async function clientOf(baseUrl: string, tokens: Tokens, tokenStore: TokenStore) {
  await tokenStore.set(tokens)
  const ends = { count: 0 }
  const client = createConsoleClient({
    ...{ baseUrl, tokenStore, clientId: 'console', redirectUri: 'http://127.0.0.1/callback' },
    onSignedOut: () => {
      ends.count += 1
    },
  })
  return { client, tokenStore, ends }
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/api/oauth/authorize`,
    token_endpoint: `${issuer}/api/oauth/token`,
    revocation_endpoint: `${issuer}/api/oauth/revoke`,
    end_session_endpoint: `${issuer}/api/oauth/logout`,
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  }
}
