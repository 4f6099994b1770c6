import { createServer } from 'node:http'
import { answerSecrets } from '../../../infra/bench/secretsOverTls.ts'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'

/** A Secrets Manager with these texts, by ARN. */
export async function startSecretsManager(secrets: Readonly<Record<string, string>>) {
  const { url, close } = await listenOnLoopback(createServer(answerSecrets(secrets)))
  return { endpoint: url, close }
}
