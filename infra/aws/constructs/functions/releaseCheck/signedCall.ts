import { Sha256 } from '@smithy/core/checksum'
import { SignatureV4 } from '@smithy/signature-v4'
import { domainOf } from '../../../bundle/lambdaEndpoint.ts'

/** A call to AWS: `service` is the signing name, at `<service>.<region>.<domain of the region>`. */
export interface Call {
  readonly service: 'codedeploy' | 'lambda'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How long to wait for the answer; no limit if left out. */
  readonly timeoutMs?: number
}

/**
 * Makes a call as the function's role (Signature Version 4). Resolves with any status.
 * Rejects if AWS cannot be reached, or with `TimeoutError` after `timeoutMs`.
 */
export type SignedCall = (call: Call) => Promise<Response>

/** Calls with the credentials in Lambda's environment. The SDK would need two clients for so few calls. */
export function signedCalls(environment: Readonly<Record<string, string | undefined>>): SignedCall {
  const { AWS_REGION: region = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = environment
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
  return async ({ service, path, query = {}, headers, body, timeoutMs }) => {
    const domain = domainOf(region)
    if (domain === undefined) throw new Error(`The domain of ${region} is not known`)
    const hostname = `${service}.${region}.${domain}`
    const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 })
    const signed = await signer.sign({
      method: 'POST',
      protocol: 'https:',
      hostname,
      path,
      query: { ...query },
      headers: { host: hostname, ...headers },
      body,
    })
    const search = new URLSearchParams(query).toString()
    return fetch(`https://${hostname}${path}${search && `?${search}`}`, {
      method: 'POST',
      headers: signed.headers,
      body,
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    })
  }
}
