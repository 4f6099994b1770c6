import { createServer, type RequestListener, type Server } from 'node:http'
import pRetry from 'p-retry'
import { type LoopbackServer, listenOnLoopback } from '../../listenOnLoopback.ts'

/** Without IPv6, `localhost` is 127.0.0.1 only. */
const withoutIpv6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/**
 * Listens at both addresses of `localhost`: 127.0.0.1 and, if the machine has IPv6, ::1. Otherwise a browser could reach another program there.
 * @param port 0 takes a port that is free at both
 * @returns the URL `http://localhost:PORT`
 * @throws NodeJS.ErrnoException `EADDRINUSE` if the port is taken at either address
 */
export async function listenOnLocalhost(listener: RequestListener, port: number): Promise<LoopbackServer> {
  const options = { retries: port === 0 ? 4 : 0, minTimeout: 0 }
  return pRetry(() => listenAtBoth(listener, port), {
    ...options,
    shouldRetry: ({ error }) => codeOf(error) === 'EADDRINUSE',
  })
}

async function listenAtBoth(listener: RequestListener, wanted: number): Promise<LoopbackServer> {
  const first = await listenOnLoopback(createPatientServer(listener), wanted)
  const { port } = new URL(first.url)
  try {
    const second = await listenOnLoopback(createPatientServer(listener), Number(port), '::1')
    return {
      url: `http://localhost:${port}`,
      close: async () => {
        await Promise.all([first.close(), second.close()])
      },
    }
  } catch (error) {
    if (withoutIpv6.includes(codeOf(error))) return { ...first, url: `http://localhost:${port}` }
    await first.close()
    throw error
  }
}

/** A server that keeps idle connections longer than clients do: otherwise it may close a connection when a client reuses it. */
export function createPatientServer(listener: RequestListener): Server {
  const server = createServer(listener)
  server.keepAliveTimeout = 120_000
  return server
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
