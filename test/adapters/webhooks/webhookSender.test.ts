import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createHostResolver } from '../../../lib/adapters/dns/hostResolver.ts'
import { createWebhookSender } from '../../../lib/adapters/webhooks/webhookSender.ts'
import { signWebhook } from '../../../lib/adapters/webhooks/webhookSigner.ts'
import type { EndpointUrlDeps, ResolveHost } from '../../../lib/events/endpointUrl.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A server that answers as the test says, and the requests that it has seen. */
async function serve(answer: RequestListener) {
  const seen: { url: string | undefined; headers: object; body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    seen.push({ url: request.url, headers: request.headers, body })
    answer(request, response)
  })
  const { url, close } = await listenOnLoopback(server)
  opened.push(() => server.closeAllConnections(), close)
  return { url, port: new URL(url).port, seen }
}

/** A server that speaks no HTTP, or a broken kind of it. */
async function serveSocket(onConnection: (socket: Socket) => unknown) {
  const sockets: Socket[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', () => onConnection(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

const onOwnMachine: EndpointUrlDeps = { destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'] }

const post = (url: string, deps = onOwnMachine, budget = 2000) =>
  createWebhookSender(deps, { budget })({ url, headers: { 'content-type': 'application/json' }, body: '{"ä":1}' })

describe('Sending a webhook', () => {
  it('posts the exact body on a connection of its own, and answers with status and body', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(202).end('taken'))
    expect(await post(`${url}/in?to=x`)).toEqual({ kind: 'answered', status: 202, body: 'taken' })
    expect(seen).toEqual([
      {
        url: '/in?to=x',
        body: '{"ä":1}',
        headers: {
          'content-type': 'application/json',
          'content-length': '8',
          host: new URL(url).host,
          connection: 'close',
        },
      },
    ])
  })

  // [asvs 15.3.2] [threat 130]
  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    const { url, seen } = await serve((_, response) => response.writeHead(status, { location: '/elsewhere' }).end())
    expect(await post(`${url}/in`)).toEqual({ kind: 'answered', status, body: '' })
    expect(seen.map((request) => request.url)).toEqual(['/in'])
  })

  // [threat 131]
  it('reads 1 KB of an endless answer and hangs up', async () => {
    const closed = Promise.withResolvers<void>()
    const { url } = await serve((_, response) => {
      response.writeHead(500).write('x'.repeat(700))
      const more = setInterval(() => response.write('y'.repeat(700)), 5)
      response.on('close', () => {
        clearInterval(more)
        closed.resolve()
      })
    })
    const result = await post(url)
    expect(result).toEqual({ kind: 'answered', status: 500, body: `${'x'.repeat(700)}${'y'.repeat(324)}` })
    await closed.promise
  })

  it('keeps the status if the answer then stalls or breaks off', async () => {
    const stalled = await serve((_, response) => response.writeHead(200).write('begun'))
    expect(await post(stalled.url, onOwnMachine, 150)).toEqual({ kind: 'answered', status: 200, body: 'begun' })
    const broken = await serveSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun')
      setTimeout(() => socket.destroy(), 20)
    })
    expect(await post(broken)).toEqual({ kind: 'answered', status: 200, body: 'begun' })
  })

  // [threat 131]
  it('gives up after the time for an attempt, whatever is slow', async () => {
    const silent = await serveSocket(() => undefined)
    const dripping = await serveSocket((socket) => {
      const drip = setInterval(() => socket.write('H'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const headers = await serveSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('a: b\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const early = await serveSocket((socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5)))
    const unresolved: EndpointUrlDeps = { ...onOwnMachine, resolveHost: () => new Promise(() => undefined) }
    const started = Date.now()
    const results = await Promise.all([
      ...[silent, headers, early].map((url) => post(url, onOwnMachine, 200)),
      post('https://hook.example/', unresolved, 200),
    ])
    expect(results).toEqual(results.map(() => ({ kind: 'not_answered', fault: 'timeout' })))
    expect(Date.now() - started).toBeLessThan(1500)
    expect((await post(dripping, onOwnMachine, 200)).kind).toBe('not_answered')
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('takes %s for a bad answer', async (_, text) => {
    expect(await post(await serveSocket((socket) => socket.write(text)))).toEqual({
      kind: 'not_answered',
      fault: 'bad_answer',
    })
  })

  // [catch checkedRequest.exchange]
  it('says if nobody listens, or the connection breaks', async () => {
    const { url } = await serve(() => undefined)
    for (const close of opened.splice(0)) await close()
    expect(await post(url)).toEqual({ kind: 'not_answered', fault: 'connection_failed' })
    expect(await post(await serveSocket((socket) => socket.resetAndDestroy()))).toEqual({
      kind: 'not_answered',
      fault: 'connection_failed',
    })
  })

  // [asvs 1.3.6]
  it('connects to nothing if an address is forbidden', async () => {
    const { port, seen } = await serve((_, response) => response.end())
    const asPublic: EndpointUrlDeps = { destinations: 'public', resolveHost: async () => ['127.0.0.1'] }
    const refused = { kind: 'not_answered', fault: 'forbidden_address' }
    expect(await post(`https://hook.example:${port}/`, asPublic)).toEqual(refused)
    expect(await post(`https://127.0.0.1:${port}/`, asPublic)).toEqual(refused)
    expect(seen).toEqual([])
  })

  // [asvs 1.3.6] [threat 129]
  it('asks for a name once, so an answer that changes after the check is never used', async () => {
    const { port, seen } = await serve((_, response) => response.end())
    const asked: string[] = []
    // First an address that is allowed and does not listen, then the server's.
    const changing: ResolveHost = async (hostname) => [asked.push(hostname) === 1 ? '127.0.0.2' : '127.0.0.1']
    const result = await post(`http://rebound.example:${port}/`, { ...onOwnMachine, resolveHost: changing })
    expect(result).toEqual({ kind: 'not_answered', fault: 'connection_failed' })
    expect(asked).toEqual(['rebound.example'])
    expect(seen).toEqual([])
  })
})

const A = 1
const AAAA = 28

/** A name server that knows these addresses, by type; it refuses to answer about `broken.example`. */
async function serveNames(addresses: Readonly<Record<string, { [A]?: Buffer; [AAAA]?: Buffer }>>) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  opened.push(() => socket.close())
  socket.on('message', (query, { port }) => {
    const end = query.indexOf(0, 12) + 5
    const labels: string[] = []
    for (let at = 12; query[at]; at += (query[at] ?? 0) + 1)
      labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString())
    const name = labels.join('.').toLowerCase()
    const type = query.readUInt16BE(end - 4)
    const found = type === A || type === AAAA ? addresses[name]?.[type] : undefined
    const answer = Buffer.from(query.subarray(0, end))
    const code = name === 'broken.example' ? 5 : addresses[name] === undefined ? 3 : 0
    answer.writeUInt16BE(0x8180 | code, 2)
    answer.writeUInt16BE(found ? 1 : 0, 6)
    answer.writeUInt16BE(0, 10)
    const record = found && Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, found.length, ...found])
    socket.send(Buffer.concat([answer, ...(record ? [record] : [])]), port, '127.0.0.1')
  })
  return createHostResolver({ servers: [`127.0.0.1:${socket.address().port}`] })
}

describe('The addresses of a host', () => {
  it('are those of this machine for its own names, without a name server', async () => {
    const resolve = createHostResolver()
    expect(await resolve('localhost')).toEqual(['127.0.0.1'])
    expect(await resolve('a.localhost.')).toEqual(['127.0.0.1'])
  })

  // [catch hostResolver.noneIfUnknown]
  it('are of IPv4 if there are any, else of IPv6, or none', async () => {
    const six = Buffer.from('26064700000000000000000000001111', 'hex')
    const resolve = await serveNames({
      'both.example': { [A]: Buffer.from([93, 184, 216, 34]), [AAAA]: six },
      'six.example': { [AAAA]: six },
      'empty.example': {},
    })
    expect(await resolve('both.example')).toEqual(['93.184.216.34'])
    expect(await resolve('six.example')).toEqual(['2606:4700::1111'])
    expect(await resolve('empty.example')).toEqual([])
    expect(await resolve('unknown.example')).toEqual([])
    await expect(resolve('broken.example')).rejects.toThrow('EREFUSED')
  })
})

describe('The signature of a webhook', () => {
  const secret = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`
  const message = { id: 'evt_1', at: Date.now(), body: '{"ä":1}' }
  const headersOf = (signature: string) => ({
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at / 1000)),
    'webhook-signature': signature,
  })

  // [asvs 4.1.5]
  it('is verified with either secret during a rotation, and with no other', () => {
    const signature = signWebhook(message, [secret('a'), secret('b')])
    expect(signature).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
    const verify = (key: string) => new Webhook(key).verify(message.body, headersOf(signature))
    expect(verify(secret('a'))).toEqual({ ä: 1 })
    expect(verify(secret('b'))).toEqual({ ä: 1 })
    expect(() => verify(secret('c'))).toThrow('No matching signature')
  })

  it('is that of the standard’s own example', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' }
    expect(signWebhook(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })
})
