import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'

/** A listening server. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Stops listening and cuts open connections. Does nothing the second time. */
  close(): Promise<void>
}

/** Listens on 127.0.0.1, by default on a free port. Rejects when the port is taken. */
export async function listenOnLoopback(server: Server | TlsServer, port = 0): Promise<LoopbackServer> {
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

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { url, close } = await listenOnLoopback(createServer())
  await close()
  return Number(new URL(url).port)
}
