import { once } from 'node:events'
import type { Server } from 'node:http'

/** A listening server. */
interface LoopbackServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Stops listening and cuts open connections. Does nothing the second time. */
  close(): Promise<void>
}

/** Listens on 127.0.0.1, by default on a free port. Rejects when the port is taken. */
export async function listenOnLoopback(server: Server, port = 0): Promise<LoopbackServer> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
