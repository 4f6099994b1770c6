import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { formatForm } from '../../params/form.ts'
import { usualSecretKeys } from '../../wire/apiKey.ts'
import { isRecord } from '../../wire/wire.ts'

const program = fileURLToPath(new URL('emulatorProcess.ts', import.meta.url))

/** An emulator in a process of its own, and a client of it. */
async function openClient() {
  const emulator = fork(program, { execArgv: ['--expose-gc', '--no-warnings'] })
  const [{ url }] = await once(emulator, 'message')
  const authorization = `Bearer ${usualSecretKeys[0]}`

  /** Sends a request. Resolves with the id of its answer; empty if it is refused. */
  async function send(method: string, path: string, params: object = {}, key?: string): Promise<string> {
    const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) }
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(method === 'POST' && { body: formatForm(params) }),
    })
    const body: unknown = await response.json()
    return isRecord(body) && typeof body.id === 'string' ? body.id : ''
  }

  /** A customer with a card. Resolves with its id. */
  function newCustomer(): Promise<string> {
    const card = 'pm_card_visa'
    const invoice_settings = { default_payment_method: card }
    return send('POST', '/v1/customers', { payment_method: card, invoice_settings })
  }

  const product = await send('POST', '/v1/products', { name: 'Mug of the month' })
  const recurring = { interval: 'month' }
  const price = await send('POST', '/v1/prices', { product, currency: 'usd', unit_amount: 900, recurring })
  return {
    url: String(url),
    send,
    newCustomer,
    subscribe: (customer: string) => send('POST', '/v1/subscriptions', { customer, items: [{ price }] }),
    /** Bytes of the heap after a collection. */
    async heap(): Promise<number> {
      const answer = once(emulator, 'message')
      emulator.send('heap')
      const [{ heap }] = await answer
      return Number(heap)
    },
    async close() {
      const closed = once(emulator, 'close')
      emulator.kill()
      await closed
    },
  }
}

/** Runs with an emulator of its own, which is closed afterwards. */
export async function withClient<T>(use: (client: Awaited<ReturnType<typeof openClient>>) => Promise<T>): Promise<T> {
  const client = await openClient()
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
