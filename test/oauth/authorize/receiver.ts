import { createServer } from 'node:http'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

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
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    /** The query of each response that came, oldest first. */
    responses: () => received.map((path) => Object.fromEntries(new URL(path, 'http://client').searchParams)),
    redirectUri: `${url}/callback`,
    close,
  }
}
