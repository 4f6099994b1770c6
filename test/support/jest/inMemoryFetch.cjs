const { AsyncLocalStorage } = require('node:async_hooks')
const { EventEmitter } = require('node:events')
const http = require('node:http')
const { isUint8Array } = require('node:util/types')

/** The servers of this process by their ports. */
const servers = new Map()
const { listen } = http.Server.prototype
http.Server.prototype.listen = function (...args) {
  this.once('listening', () => {
    const { port } = this.address()
    servers.set(port, this)
    this.once('close', () => servers.get(port) === this && servers.delete(port))
  })
  return Reflect.apply(listen, this, args)
}

/** A server serves in its own asynchronous context, not in its caller's. */
const outside = AsyncLocalStorage.snapshot()

/** Nearly what Node takes at most of a request line with its headers: a larger one is refused by Node. */
const MAX_HEAD = 12_000
/** What a client of HTTP decides. */
const ofTheConnection = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']
const withoutBody = [204, 205, 304]

/** What a server answers by: the part of Node's that ours use. */
class Answer extends EventEmitter {
  statusCode = 200
  sendDate = true
  headersSent = false
  headers = new Headers()
  #chunks = []
  #done
  #failed
  constructor(done, failed) {
    super()
    this.#done = done
    this.#failed = failed
  }
  setHeader(name, value) {
    this.headers.delete(name)
    for (const one of [value].flat()) this.headers.append(name, String(one))
    return this
  }
  writeHead(status, headers = {}) {
    this.statusCode = status
    this.headersSent = true
    // As received from another server: names and values in turn.
    if (Array.isArray(headers)) {
      for (let at = 0; at < headers.length; at += 2) this.headers.append(headers[at], headers[at + 1])
      return this
    }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value)
    return this
  }
  write(chunk) {
    this.headersSent = true
    this.#chunks.push(Buffer.from(chunk))
    return true
  }
  end(chunk) {
    if (chunk !== undefined) this.write(chunk)
    const body = Buffer.concat(this.#chunks)
    if (this.sendDate && !this.headers.has('date')) this.headers.set('date', new Date().toUTCString())
    if (!withoutBody.includes(this.statusCode) && !this.headers.has('content-length'))
      this.headers.set('content-length', String(body.length))
    this.#done(body)
    this.emit('finish')
    this.emit('close')
    return this
  }
  destroy() {
    this.#failed(new TypeError('fetch failed', { cause: new Error('other side closed') }))
    this.emit('close')
    return this
  }
}

/** The request as a server of this process would be sent it; undefined if only the network can send it. */
function localRequest(input, { body, method = 'GET', headers: given } = {}) {
  if (typeof input !== 'string' && !(input instanceof URL)) return undefined
  const url = URL.parse(input)
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(url.hostname)) return undefined
  const server = servers.get(Number(url.port))
  if (!server?.listening) return undefined
  const isForm = body instanceof URLSearchParams
  if (body != null && (/^(get|head)$/i.test(method) || !(typeof body === 'string' || isForm || isUint8Array(body))))
    return undefined
  const headers = new Headers(given)
  if (ofTheConnection.some((name) => headers.has(name))) return undefined
  const bytes = Buffer.from(isForm ? body.toString() : (body ?? ''))
  if (isForm && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  if (typeof body === 'string' && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8')
  if (!headers.has('accept')) headers.set('accept', '*/*')
  if (!headers.has('accept-language')) headers.set('accept-language', '*')
  if (!headers.has('user-agent')) headers.set('user-agent', 'node')
  if (body != null || /^(post|put)$/i.test(method)) headers.set('content-length', String(bytes.length))
  const lines = [['host', url.host], ['connection', 'keep-alive'], ...headers]
  const path = url.pathname + url.search
  if (lines.join().length + path.length > MAX_HEAD) return undefined
  const verb = /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method
  return { server, url, method: verb, path, lines, bytes }
}

function carry({ server, method, path, lines, bytes }, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const settle = (how, what) => {
      signal?.removeEventListener('abort', abort)
      how(what)
    }
    const outgoing = new Answer(
      (body) => {
        const { statusCode: status, headers } = outgoing
        const hasBody = method !== 'HEAD' && !withoutBody.includes(status)
        const init = { status, statusText: http.STATUS_CODES[status], headers }
        settle(resolve, new Response(hasBody ? body : null, init))
      },
      (error) => settle(reject, error),
    )
    const socket = { remoteAddress: '127.0.0.1', destroy: () => outgoing.destroy() }
    const incoming = Object.assign(new http.IncomingMessage(socket), {
      httpVersion: '1.1',
      complete: true,
      method,
      url: path,
      rawHeaders: lines.flat(),
      headers: Object.fromEntries(lines),
    })
    if (bytes.length > 0) incoming.push(bytes)
    incoming.push(null)
    signal?.addEventListener('abort', abort, { once: true })
    outside(setImmediate, () => server.emit('request', incoming, outgoing))
  })
}

/**
 * `fetch` that hands a request for a server of this process to the server: the network takes half a millisecond of a core for each, most of a
 * request's time. What only the network can send still goes there, and what others send to the server comes over the network.
 * A test file of what is on the wire says `@over-the-wire` in its first comment.
 */
function inMemoryFetch(network) {
  return async function fetch(input, init) {
    const request = localRequest(input, init)
    if (request === undefined) return network(input, init)
    const { signal, redirect = 'follow' } = init ?? {}
    signal?.throwIfAborted()
    const answer = await carry(request, signal)
    const location = answer.headers.get('location')
    if (redirect === 'manual' || location === null || ![301, 302, 303, 307, 308].includes(answer.status)) return answer
    if (redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
    const isSame = answer.status > 303 || ['GET', 'HEAD'].includes(request.method)
    return fetch(new URL(location, request.url), isSame ? init : { headers: { accept: '*/*' }, signal })
  }
}

module.exports = { inMemoryFetch }
