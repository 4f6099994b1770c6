import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { LambdaEvent } from '../local/invokeFunction.ts'

/** An answer over HTTP; `body` is parsed if it is JSON, else undefined. */
interface SentAnswer {
  readonly status: number
  readonly body: unknown
  /** By their names in lower case. */
  readonly headers: IncomingHttpHeaders
}

/** Sends the request of an event to the API at `baseUrl`, headers included. Throws for an event that is no request. */
export async function sendSampleEvent(event: LambdaEvent, baseUrl: string): Promise<SentAnswer> {
  if (!isRequest(event)) throw new Error('the event of a schedule is no request')
  const { rawPath, rawQueryString, headers, cookies, requestContext, body, isBase64Encoded } = event
  const url = new URL(rawPath + (rawQueryString && `?${rawQueryString}`), baseUrl)
  const sent = request(url, {
    method: requestContext.http.method,
    headers: { ...headersAt(url.origin, headers), ...(cookies && { cookie: cookies.join('; ') }) },
  })
  sent.end(body === undefined ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (answer === undefined) throw new Error(`no answer from ${url.href}`)
  const text = (await buffer(answer)).toString()
  const isJson = answer.headers['content-type']?.startsWith('application/json')
  const parsed = isJson && text !== '' ? JSON.parse(text) : undefined
  return { status: answer.statusCode ?? 0, body: parsed, headers: answer.headers }
}

/** The headers as a browser would send them to `origin`, even if the event names another address; the gateway adds its own headers. */
function headersAt(origin: string, sent: APIGatewayProxyEventV2['headers']): Record<string, string> {
  const own = `https://${sent.host}`
  const headers = Object.entries(sent).flatMap(([name, value = '']) =>
    name === 'host' || name.startsWith('x-forwarded-') ? [] : [[name, value === own ? origin : value]],
  )
  return Object.fromEntries(headers)
}

/** Whether an event is a request and not the tick of a schedule. */
export function isRequest(event: LambdaEvent): event is APIGatewayProxyEventV2 {
  return 'rawPath' in event
}
