import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LoopbackServer, listenOnLoopback } from '../../listenOnLoopback.ts'
import { invokeFunction } from '../invokeFunction.ts'
import { apiGatewayAnswer, json, type WireAnswer } from './apiGatewayAnswer.ts'
import { apiGatewayEvent, splitTarget, type WireRequest } from './apiGatewayEvent.ts'
import { createPatientServer, listenOnLocalhost } from './listenOnLocalhost.ts'
import type { RequestLog } from './requestLog.ts'
import type { Match } from './router.ts'

interface HttpServerOptions {
  /** 0 for a free port. */
  readonly port: number
  /** `localhost` has two addresses, and is the name in the URL. By default 127.0.0.1. */
  readonly host?: 'localhost' | '127.0.0.1'
  readonly match: (method: string, path: string) => Match
  /**
   * Answers the paths of the local stack itself. If it returns undefined, `match` gets the request. Requests wait for the promise: the
   * server binds the port before its dependencies start, so that a port in use fails at once.
   */
  readonly controls: Promise<(request: WireRequest) => Promise<WireAnswer | undefined>>
  /** Changes what a function answered. By default nothing. */
  readonly adorn?: (request: WireRequest, answer: WireAnswer) => Promise<WireAnswer>
  /** Runs a function. By default its source, in this process. */
  readonly invoke?: typeof invokeFunction
  readonly log: RequestLog
}

/** API Gateway's answer says no more than `message`. */
const WHERE_TO_LOOK = 'The terminal in which npm start runs has the error with its stack trace'

/** The payload limit of an HTTP API. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

/**
 * Serves functions over HTTP on loopback like API Gateway: bodies of at most 10 MB, and a 500 if a function
 * throws, which says in addition where to look.
 * @throws NodeJS.ErrnoException `EADDRINUSE` if the port is taken
 */
export async function startHttpServer(options: HttpServerOptions): Promise<LoopbackServer> {
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    respond(incoming, outgoing, options).catch((error: unknown) => {
      options.log.failed(incoming.method ?? '', incoming.url ?? '', error)
      outgoing.destroy()
    })
  }
  if (options.host === 'localhost') return listenOnLocalhost(listener, options.port)
  return listenOnLoopback(createPatientServer(listener), options.port)
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, options: HttpServerOptions): Promise<void> {
  const started = performance.now()
  const requestId = randomUUID()
  const method = incoming.method ?? 'GET'
  const url = incoming.url ?? '/'
  let answer = json(413, { message: 'Request Entity Too Large' })
  try {
    const body = await readBody(incoming)
    if (body !== undefined) answer = await answerOf(wireRequest(incoming, { method, url, requestId, body }), options)
  } catch (error) {
    options.log.failed(method, url, error)
    answer = json(500, { message: 'Internal Server Error', detail: WHERE_TO_LOOK })
  }
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    'apigw-requestid': requestId,
    ...(answer.status !== 204 && answer.status !== 304 && { 'content-length': answer.body.length }),
  })
  outgoing.end(answer.body)
  const { path } = splitTarget(url)
  if (!isOwnPage(method, path, answer.status))
    options.log.answered(method, path, answer.status, performance.now() - started)
}

/** The local stack's own pages poll: their requests would hide those to the service. */
function isOwnPage(method: string, path: string, status: number): boolean {
  return method === 'GET' && (path === '/' || path.startsWith('/_local/')) && status < 400
}

async function answerOf(
  request: WireRequest,
  { match, controls, adorn, invoke = invokeFunction }: HttpServerOptions,
): Promise<WireAnswer> {
  const own = await (await controls)(request)
  if (own !== undefined) return own
  const { row, route } = match(request.method, splitTarget(request.url).path)
  const answer = apiGatewayAnswer(await invoke(row, apiGatewayEvent(request, route)))
  return adorn === undefined ? answer : adorn(request, answer)
}

/** The body; undefined if it is too large. Reads it to the end even then, so that the client receives the answer. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks)
}

function wireRequest(
  incoming: IncomingMessage,
  known: Pick<WireRequest, 'method' | 'url' | 'requestId' | 'body'>,
): WireRequest {
  const { rawHeaders } = incoming
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []))
  const { remoteAddress = '127.0.0.1' } = incoming.socket
  // A browser and a command line of this machine are of one network, whichever address of `localhost` each takes.
  const sourceIp = remoteAddress === '::1' ? '127.0.0.1' : remoteAddress
  return { ...known, headers, sourceIp, time: Date.now() }
}
