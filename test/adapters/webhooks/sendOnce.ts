import { createWebhookSender } from '../../../lib/adapters/webhooks/webhookSender.ts'

/** Sends a webhook to a loopback address, in a process whose environment the test chooses, and prints what came of it. */
const [url = ''] = process.argv.slice(2)
const send = createWebhookSender({ destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'] })
process.stdout.write(JSON.stringify(await send({ url, headers: {}, body: '{}' })))
