import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { LocalInfo } from '../info.ts'
import { type ApiExchange, type ApiRequest, type LocalClient, localClient, type Observe } from '../localClient.ts'

/** Receives the story as it is played. */
export interface Narrator {
  /** A new chapter. */
  readonly title: (text: string) => void
  /** An event outside the API: in Stripe.js, in a browser, of the clock. */
  readonly note: (text: string) => void
  readonly exchange: Observe
}

interface Sent extends Pick<ApiRequest, 'body' | 'headers'> {
  /** The expected status. Defaults to 200. */
  readonly status?: number
}

const methods = z.enum(['GET', 'POST', 'PATCH', 'DELETE'])
type Line = `${ApiRequest['method']} /api/${string}`

/** A signed-in owner at a page of an organization. Every method throws an Error if an answer is not as expected. */
export interface Scene extends Narrator {
  readonly info: LocalInfo
  readonly stripe: LocalClient['stripe']
  /** A control of the gateway, such as its clock, which the service follows. */
  readonly control: LocalClient['control']
  /** Signs the owner in. Sign in again when you have advanced the clock: an access token is valid for 15 minutes. */
  signIn(): Promise<void>
  /** Selects an organization: `send` adds its id to the query of every path under `/api/billing/`. */
  enter(organizationId: string): void
  /** Sends a request, and parses its answer with `schema`. */
  send<Schema extends z.ZodType>(line: Line, schema: Schema, sent?: Sent): Promise<z.output<Schema>>
  /** Like `send`, and returns the answer's ETag. */
  sendForETag<Schema extends z.ZodType>(line: Line, schema: Schema, sent?: Sent): Promise<[z.output<Schema>, string]>
  /** Events arrive late: reads without narration until `view` of an answer is `expected`, for at most five seconds, then once more with it. */
  until<Schema extends z.ZodType>(
    line: Line,
    schema: Schema,
    view: (answer: z.output<Schema>) => unknown,
    expected: unknown,
  ): Promise<z.output<Schema>>
  /** Sets a card up like Stripe.js. Returns its id. */
  addCard(testCard: string): Promise<string>
  /** Finishes a payment, like its buyer in the dialog that Stripe.js opens for `clientSecret`. */
  authenticate(clientSecret: string | null | undefined): Promise<void>
}

/** @see Scene */
export function createScene(info: LocalInfo, narrator: Narrator): Scene {
  const aloud = localClient(info, narrator.exchange)
  const quiet = localClient(info)
  let token = ''
  let organizationId = ''

  async function request(client: LocalClient, line: Line, { status = 200, ...sent }: Sent): Promise<ApiExchange> {
    const request = toRequest(line, organizationId)
    const answer = await client.sendForHeaders({ ...request, ...sent, token })
    expectEqual(`${line}: the status`, answer.status, status)
    return answer
  }

  return {
    ...narrator,
    info,
    stripe: aloud.stripe,
    control: aloud.control,
    async signIn() {
      token = (await quiet.signIn('owner')).access_token
    },
    enter(id) {
      organizationId = id
    },
    send: async (line, schema, sent = {}) => schema.parse((await request(aloud, line, sent)).body),
    async sendForETag(line, schema, sent = {}) {
      const { body, headers } = await request(aloud, line, sent)
      return [schema.parse(body), headers.etag ?? '']
    },
    async until(line, schema, view, expected) {
      const read = async (client: LocalClient) => schema.parse((await request(client, line, {})).body)
      for (let attempt = 0; attempt < 50 && !isDeepStrictEqual(view(await read(quiet)), expected); attempt += 1) {
        await delay(100)
      }
      const answer = await read(aloud)
      expectEqual(line, view(answer), expected)
      return answer
    },
    addCard: (testCard) => aloud.addCard({ token, organizationId, testCard }),
    authenticate: (secret) => aloud.authenticate(secret?.split('_secret_')[0] ?? '', 'succeed'),
  }
}

/** @throws Error that names both values if they differ */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
}

function toRequest(line: Line, organizationId: string): Pick<ApiRequest, 'method' | 'path'> {
  const [, method = '', path = ''] = /^(\w+) (.+)$/.exec(line) ?? []
  const query = `${path.includes('?') ? '&' : '?'}organization_id=${organizationId}`
  return { method: methods.parse(method), path: path.startsWith('/api/billing/') ? path + query : path }
}
