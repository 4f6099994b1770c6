import { startStripeEmulator } from '../../index.ts'

/** An emulator as a process of its own, with `--expose-gc`: sends its address, and its heap in bytes for each message. */
const { url } = await startStripeEmulator()
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
process.send?.({ url })
