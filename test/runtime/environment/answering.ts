import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** A server on a free port that answers every request with JSON, until it is disposed of. */
export async function answering(answer: (request: IncomingMessage) => { status: number; body: object }) {
  const server = createServer((request, response) => {
    const { status, body } = answer(request)
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP port was asked for')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
