import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'

/** A listening server. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`, or the address that it listens at. */
  readonly url: string
  /** Stops listening and cuts open connections. Does nothing the second time. */
  close(): Promise<void>
}

/** Listens on a loopback address, by default on a free port of 127.0.0.1. Rejects when the port is taken. */
export async function listenOnLoopback(
  server: Server | TlsServer,
  port = 0,
  address: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<LoopbackServer> {
  server.listen(port, address)
  await once(server, 'listening')
  const bound = server.address()
  const host = address === '::1' ? '[::1]' : address
  return {
    url: `http://${host}:${typeof bound === 'object' && bound !== null ? bound.port : port}`,
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
