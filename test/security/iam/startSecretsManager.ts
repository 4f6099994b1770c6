import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerSecrets } from '../../../infra/bench/secretsOverTls.ts'

/** A Secrets Manager with these texts, by ARN. */
export async function startSecretsManager(secrets: Readonly<Record<string, string>>) {
  const server = createServer(answerSecrets(secrets)).listen(0, '127.0.0.1')
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
