import { edgeHeaders } from '../../../../../lib/http/edgeHeaders.ts'
import type { FunctionRow } from '../../../../manifest.ts'

/**
 * An event that a function answers without doing anything: a call without a token, signature, parameter or body, as API Gateway or a Lambda
 * URL sends it (payload format 2.0). Public documents are served by it. A schedule's function is asked for a check in place of a run.
 * @param edgeKey what the firewall sends, where the stage has one
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
