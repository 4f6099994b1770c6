import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createWebhookSender } from '../../../lib/adapters/webhooks/webhookSender.ts'
import { inNode } from '../../support/inNode.ts'

/** A key and a certificate for `hook.example`. */
const pem = execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=hook.example', '-addext', 'subjectAltName=DNS:hook.example', '-keyout', '-', '-out', '-'],
  ],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
)
const certificate = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'))
const seen: string[] = []
const secure = await listenOnLoopback(
  createTlsServer({ key: pem, cert: pem }, (request, response) => {
    seen.push(`${request.headers.host}`)
    response.end('ok')
  }),
)
afterAll(secure.close)
const port = new URL(secure.url).port

const send = (url: string) =>
  createWebhookSender({ destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'] })({
    url,
    headers: {},
    body: '{}',
  })

describe('A webhook over TLS', () => {
  it('reaches only a server whose certificate is trusted and names the host, not the address', async () => {
    const before = getCACertificates('default')
    const refused = { kind: 'not_answered', fault: 'bad_certificate' }
    expect(await send(`https://hook.example:${port}/`)).toEqual(refused)
    setDefaultCACertificates([...before, certificate])
    try {
      expect(await send(`https://other.example:${port}/`)).toEqual(refused)
      expect(await send(`https://127.0.0.1:${port}/`)).toEqual(refused)
      expect(seen).toEqual([])
      expect(await send(`https://hook.example:${port}/`)).toEqual({ kind: 'answered', status: 200, body: 'ok' })
      expect(seen).toEqual([`hook.example:${port}`])
    } finally {
      setDefaultCACertificates(before)
    }
  })
})

describe('A proxy of the environment', () => {
  it('gets no webhook', async () => {
    const asked: (string | undefined)[] = []
    const proxy = await listenOnLoopback(
      createServer((request, response) => response.end(String(asked.push(request.url)))),
    )
    const server = await listenOnLoopback(createServer((_, response) => response.writeHead(204).end()))
    const variables = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      NO_PROXY: '',
      no_proxy: '',
    }
    const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
    Object.assign(process.env, variables)
    try {
      const result = await inNode('adapters/webhooks/sendOnce.ts', [`${server.url}/in`], z.looseObject({}))
      expect(result).toEqual({ kind: 'answered', status: 204, body: '' })
      expect(asked).toEqual([])
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      await proxy.close()
      await server.close()
    }
  })
})
