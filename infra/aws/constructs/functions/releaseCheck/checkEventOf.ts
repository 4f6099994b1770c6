import { edgeHeaders } from '../../../../../lib/http/security/clientNetwork.ts'
import type { FunctionRow } from '../../../../manifest.ts'

/**
 * An event that a function answers without side effects: a call without a token, signature, parameter or body, as API Gateway or a Lambda
 * URL sends it (payload format 2.0). If the function serves a public document, it serves it. A scheduled function gets a check, not a run.
 * @param edgeKey the key that the firewall sends, if the stage has a firewall
 */
export function checkEventOf({ trigger }: Pick<FunctionRow, 'trigger'>, edgeKey?: string): object {
  if (trigger.kind === 'schedule') return { release_check: true }
  const method = trigger.kind === 'http' ? trigger.method : trigger.kind === 'url' ? 'POST' : 'GET'
  const path = trigger.kind === 'http' ? trigger.path.replace(/\{\w+\}/g, 'release-check') : '/release-check'
  const routeKey = trigger.kind === 'http' ? `${method} ${trigger.path}` : '$default'
  const now = new Date()
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'release-check.invalid', accept: '*/*', ...(edgeKey && { [edgeHeaders.key]: edgeKey }) },
    requestContext: {
      accountId: 'release-check',
      apiId: 'release-check',
      domainName: 'release-check.invalid',
      domainPrefix: 'release-check',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'release-check' },
      requestId: `release-check-${now.getTime()}`,
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    isBase64Encoded: false,
  }
}
