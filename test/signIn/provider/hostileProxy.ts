import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as z from 'zod'
import type { Tampering } from '../../../infra/emulators/openid/startOpenIdServer.ts'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

/** What a hostile provider makes wrong in its id_tokens. */
export type HostileAnswer = Pick<Tampering, 'claims' | 'foreignKey'>

const metadataSchema = z.looseObject({ jwks_uri: z.url() })
const tokensSchema = z.looseObject({ id_token: z.string() })

const ALGORITHM = 'RS256'
const KEY_ID = 'proxy'

/**
 * A provider that is sound until you tell it what to make wrong: every page and answer comes from another one behind it, whatever language that
 * is written in. It has an issuer and a key of its own, so it signs each id_token anew.
 * @param issuer of the provider behind it, on a loopback address
 */
export async function startHostileProxy(issuer: string) {
  const { origin: behind } = new URL(issuer)
  const [key, foreign] = await Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)])
  const keys = [{ ...(await exportJWK(key.publicKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' }]
  let hostile: HostileAnswer = {}

  const own = (text: string) =>
    text.replaceAll(behind, url).replaceAll(encodeURIComponent(behind), encodeURIComponent(url))

  async function tokens(body: string): Promise<string> {
    const answer = tokensSchema.safeParse(JSON.parse(body)).data
    if (answer === undefined) return own(body)
    const claims = { ...decodeJwt(answer.id_token), iss: own(issuer) }
    const signed = new SignJWT(hostile.claims?.(claims) ?? claims).setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
    return JSON.stringify({ ...answer, id_token: await signed.sign((hostile.foreignKey ? foreign : key).privateKey) })
  }

  let keysPath = ''
  async function answerTo(path: string, method: string, body: string): Promise<string> {
    if (path === '/.well-known/openid-configuration')
      keysPath = new URL(metadataSchema.parse(JSON.parse(body)).jwks_uri).pathname
    if (path === keysPath) return JSON.stringify({ keys })
    return method === 'POST' && body.startsWith('{') ? tokens(body) : own(body)
  }

  const server = createServer(async (message, response) => {
    const { method = 'GET', url: path = '/' } = message
    const sent = await buffer(message)
    const headers = new Headers()
    for (const name of ['accept', 'authorization', 'content-type', 'cookie']) {
      const value = message.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const body = method === 'POST' ? new Uint8Array(sent) : null
    const answer = await fetch(behind + path, { method, headers, body, redirect: 'manual' })
    for (const name of ['content-type', 'cache-control']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.setHeader('set-cookie', answer.headers.getSetCookie())
    const location = answer.headers.get('location')
    if (location !== null) response.setHeader('location', own(location))
    const text = await answerTo(new URL(path, behind).pathname, method, await answer.text())
    response.writeHead(answer.status).end(text)
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    issuer: own(issuer),
    close,
    /** Applies from the next id_token on. */
    tamper(answer: HostileAnswer): void {
      hostile = answer
    },
  }
}
