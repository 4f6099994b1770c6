import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import * as z from 'zod'

const request = z.looseObject({ SecretId: z.string() })

/** As much of Secrets Manager as the functions use: GetSecretValue of fixed texts, by ARN. */
export async function startSecretsManager(secrets: Readonly<Record<string, string>>) {
  const server = createServer(async (incoming, outgoing) => {
    const { SecretId: ARN } = request.parse(await json(incoming))
    outgoing
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify({ ARN, SecretString: secrets[ARN] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('Secrets Manager has no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
