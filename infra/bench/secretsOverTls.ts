import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import * as z from 'zod'
import { listenOnLoopback } from '../listenOnLoopback.ts'

/** Variables that hold a secret if they are set. */
const holders = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'KNOWN_BROWSER_KEY'] as const

type Variables = Readonly<Record<string, string | undefined>>

interface SecretsOverTls {
  /** The same variables, with the ARN of each secret in place of its value. */
  readonly withArns: (variables: Variables) => Variables
  /** Set these for every process of a comparison, because it takes time to read a certificate. Lambda has none to read. */
  readonly trust: Variables
  close(): Promise<void>
}

/**
 * A Secrets Manager behind TLS, as on AWS. `openssl` makes a certificate for each run.
 * @param values the variables that hold the secrets
 * @throws Error if there is no `openssl`
 */
export async function startSecretsOverTls(values: Variables): Promise<SecretsOverTls> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', '-', '-out', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const certificate = join(folder, 'certificate.pem')
  await writeFile(certificate, pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----')))

  const { url, close } = await listenOnLoopback(createServer({ key: pem, cert: pem }, answerSecrets(values)))

  return {
    trust: { NODE_EXTRA_CA_CERTS: certificate },
    withArns: (variables) => ({
      ...variables,
      ...Object.fromEntries(
        holders.flatMap((name) => [
          [name, undefined],
          [`${name}_ARN`, name],
        ]),
      ),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: url.replace('http:', 'https:'),
    }),
    async close() {
      await close()
      await rm(folder, { recursive: true })
    },
  }
}

const asked = z.looseObject({ SecretId: z.string() })

/** The part of Secrets Manager that the functions use: GetSecretValue of fixed texts, by ARN. */
export function answerSecrets(secrets: Readonly<Record<string, string | undefined>>): RequestListener {
  return async (request, response) => {
    const { SecretId: ARN } = asked.parse(await json(request))
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify({ ARN, SecretString: secrets[ARN] }))
  }
}
