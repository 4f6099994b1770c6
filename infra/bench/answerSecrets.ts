import type { RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import * as z from 'zod'

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
