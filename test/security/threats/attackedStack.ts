import { createPublicKey } from 'node:crypto'
import { request } from 'node:http'
import * as z from 'zod'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { VERIFIER } from '../../oauth/authorize/people.ts'
import { openWorkshop, type Workshop } from '../../oauth/token/forgeries.ts'
import { useBillingStack } from '../../support/billingStack.ts'

/** A local stack for all attacks of a file, and a client that calls it. */
export function useAttackedStack(): () => LocalClient {
  const bed = useBillingStack()
  return () => bed.stack.client
}

const keySet = z.object({ keys: z.tuple([z.record(z.string(), z.string())]) })

/** Opens a workshop for a token of the stack. @param now what the workshop takes for the time, in Unix seconds */
export async function workshopsOf({ info, send }: LocalClient, now: number): Promise<(token: string) => Workshop> {
  const { keys } = keySet.parse((await send({ method: 'GET', path: '/.well-known/jwks.json' })).body)
  const spki = createPublicKey({ key: keys[0], format: 'jwk' }).export({ format: 'der', type: 'spki' })
  const from = {
    kms: { endpoint: info.kms_endpoint },
    clock: { now: () => now * 1000 },
    publicKeySpki: spki.toString('base64'),
  }
  return (token) => openWorkshop(from, token, info.kms.token_key_id)
}

/** Callers of the manifest that need an access token. */
const tokenCallers: readonly FunctionRow['caller'][] = ['user', 'member', 'billing admin', 'owner']

/** A route of the manifest with an id in the place of each parameter. */
export interface Target {
  readonly name: string
  readonly method: string
  readonly path: string
  /** A page: the published document leaves it out. */
  readonly isPage: boolean
  readonly needsToken: boolean
}

/** Every route of the HTTP API, by the manifest. */
export const targets: readonly Target[] = manifest.flatMap(({ name, trigger, caller, operationId }) => {
  if (trigger.kind !== 'http') return []
  const path = trigger.path.replaceAll(/\{\w+\}/g, '4ea16e72-9150-4f9b-b087-5d6cb1cfde05')
  const isPage = operationId === undefined && path !== '/api/openapi.json'
  return [{ name, method: trigger.method, path, isPage, needsToken: tokenCallers.includes(caller) }]
})

export interface RawAnswer {
  readonly status: number
  /** As sent, names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends what `fetch` would not: a `Host` of the attacker's, or a target that is no URL. */
export function sendRaw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders, headers } = response
        resolve({ status, rawHeaders, headers, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A sound authorization request of the demo's client; a member that is empty is left out. */
export function authorizationQuery(
  { info: { demo } }: LocalClient,
  change: Readonly<Record<string, string>> = {},
): string {
  const members = {
    client_id: demo.client_id,
    redirect_uri: demo.redirect_uri,
    response_type: 'code',
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    scope: 'profile',
    state: 'mine',
    ...change,
  }
  return new URLSearchParams(Object.entries(members).filter(([, value]) => value !== '')).toString()
}
