import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import {
  createEmulatedProvider,
  type EmulatedProvider,
  type EmulatorOptions,
  type Tampering,
} from './emulatedProvider.ts'

export { createEmulatedProvider, type EmulatedProvider, type Tampering }

/** Starts an emulated provider on a port of its own; its issuer is the address. */
export async function startOpenIdServer(
  options: Omit<EmulatorOptions, 'issuer'>,
): Promise<EmulatedProvider & { close(): Promise<void> }> {
  const { promise: provider, resolve } = Promise.withResolvers<EmulatedProvider>()
  const server = createServer(async (message, response) => {
    const { authorization } = message.headers
    const body = await text(message)
    const answer = await (await provider).handle({ path: message.url ?? '/', authorization, body })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const { url, close } = await listenOnLoopback(server)
  const created = await createEmulatedProvider({ ...options, issuer: url })
  resolve(created)
  return { ...created, close }
}
