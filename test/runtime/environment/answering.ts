import { createServer, type IncomingMessage } from 'node:http'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

/** A server on a free port that answers every request with JSON, until it is disposed of. */
export async function answering(answer: (request: IncomingMessage) => { status: number; body: object }) {
  const server = createServer((request, response) => {
    const { status, body } = answer(request)
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const { url, close } = await listenOnLoopback(server)
  return { url, [Symbol.asyncDispose]: close }
}
