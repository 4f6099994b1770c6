import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../server/startStripeServer.ts'

interface Received {
  body: string
  signature: string
}

/** A webhook endpoint that answers `status` and records what it received. */
export async function openReceiver() {
  const received: Received[] = []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    received.push({ body: await text(request), signature: String(request.headers['stripe-signature']) })
    response.writeHead(answer.status).end()
  })
  const url = `${await listen(server, 0)}/hook`
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { received, answer, url, close }
}
