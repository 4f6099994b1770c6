import { createServer } from 'node:http'

/** An endpoint that accepts everything and records the path of each request. */
export async function openReceiver() {
  const received: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received.push(request.url ?? '')
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { received, url: `http://127.0.0.1:${port}/hook`, close }
}
