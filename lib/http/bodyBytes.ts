import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { RequestError } from './errors.ts'

const maxBytes = 32 * 1024

/**
 * The body as it was sent, empty where there is none.
 * @throws RequestError `payload_too_large` over 32 KiB
 */
export function bodyBytes(event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > maxBytes) throw new RequestError('payload_too_large')
  return bytes
}
