import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

let serve: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown = () => {}
const { url, close } = await listenOnLoopback(createServer((incoming, outgoing) => void serve(incoming, outgoing)))
afterAll(close)

/** Answers with what the server was sent. */
async function echo(incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url: path, headers } = incoming
  const body = await text(incoming)
  outgoing.writeHead(203, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
  outgoing.end(JSON.stringify({ method, path, headers, body }))
}

const overTheWire = (path: string, init?: RequestInit) => fetch(new Request(url + path, init))
const inMemory = (path: string, init?: RequestInit) => fetch(url + path, init)
const ways = [
  ['over the wire', overTheWire],
  ['in memory', inMemory],
] as const

/** An answer, but for what the connection and the moment decide. */
async function seen(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  const { status, statusText } = answer
  return { status, statusText, headers, body: await answer.text() }
}

/** What the server saw, but for headers by which a client negotiates what ours do not read. */
function received(body: string) {
  const { headers, ...rest } = JSON.parse(body)
  const { 'sec-fetch-mode': _mode, 'accept-encoding': _encoding, ...others } = headers
  return { ...rest, headers: others }
}

describe('A request of a test to a server of its own process', () => {
  it.each<[string, string, RequestInit]>([
    ['a read', '/a/b?c=d%20e', {}],
    ['JSON', '/', { method: 'POST', body: '{"a":"ü"}', headers: { 'Content-Type': 'application/json', 'X-Own': 'a' } }],
    ['text', '/', { method: 'PATCH', body: 'a' }],
    ['a form', '/', { method: 'post', body: new URLSearchParams({ a: 'b c' }) }],
    ['bytes', '/', { method: 'PUT', body: new Uint8Array([0, 255]) }],
    ['no body', '/', { method: 'DELETE', headers: { accept: 'text/html', 'user-agent': 'own' } }],
    ['an empty body', '/', { method: 'POST' }],
  ])('arrives and is answered as over the wire: %s', async (_, path, init) => {
    serve = echo
    const [wire, memory] = [await seen(await overTheWire(path, init)), await seen(await inMemory(path, init))]
    expect(received(memory.body)).toEqual(received(wire.body))
    const [{ body: _wire, ...expected }, { body: _memory, ...actual }] = [wire, memory]
    const withoutLength = ({ headers, ...rest }: typeof expected) => ({
      ...rest,
      headers: headers.filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding'),
    })
    expect(withoutLength(actual)).toEqual(withoutLength(expected))
  })

  it.each(ways)('follows redirects unless told otherwise, %s', async (_, send) => {
    serve = async (incoming, outgoing) =>
      incoming.url === '/from' ? outgoing.writeHead(303, { location: '/to' }).end() : echo(incoming, outgoing)
    const followed = await send('/from', { method: 'POST', body: 'a' })
    expect(received(await followed.text())).toMatchObject({ method: 'GET', path: '/to', body: '' })
    expect((await send('/from', { redirect: 'manual' })).status).toBe(303)
    await expect(send('/from', { redirect: 'error' })).rejects.toThrow('fetch failed')
  })

  it.each(ways)('fails when the server cuts the connection, %s', async (_, send) => {
    serve = (incoming) => incoming.socket.destroy()
    await expect(send('/')).rejects.toThrow('fetch failed')
    serve = (_incoming, outgoing) => outgoing.destroy()
    await expect(send('/')).rejects.toThrow('fetch failed')
  })

  it.each(ways)('ends when its signal does, %s', async (_, send) => {
    serve = () => {}
    await expect(send('/', { signal: AbortSignal.timeout(10) })).rejects.toThrow(
      'The operation was aborted due to timeout',
    )
    await expect(send('/', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  })

  it('is refused by Node if its headers are too large', async () => {
    serve = echo
    expect((await inMemory('/', { headers: { large: 'a'.repeat(20_000) } })).status).toBe(431)
  })
})
