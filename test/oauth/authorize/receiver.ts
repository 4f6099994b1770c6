import { once } from 'node:events'
import { createServer } from 'node:http'

/** A native app's listener on a loopback address, which shows a page, or sends the browser on to `next` as some clients do. */
export async function startReceiver(next?: string) {
  const received: string[] = []
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/callback')) received.push(url)
    if (next !== undefined) response.writeHead(302, { location: next }).end()
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Back</title><h1>Back at the client</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the receiver has no port')
  return {
    /** The query of each response that came, oldest first. */
    responses: () => received.map((url) => Object.fromEntries(new URL(url, 'http://client').searchParams)),
    redirectUri: `http://127.0.0.1:${address.port}/callback`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
