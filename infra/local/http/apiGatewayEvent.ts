import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DateTime } from 'luxon'

/** One HTTP request as received. */
export interface WireRequest {
  readonly method: string
  /** The request target, still percent-encoded: `/api/users/me?x=1`. */
  readonly url: string
  /** Every header in the order sent, names in any case, repeats kept apart. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly sourceIp: string
  /** Unix milliseconds. */
  readonly time: number
  readonly requestId: string
}

/** The route of a request: `$default` if none matched, and always for a Lambda URL. */
export interface EventRoute {
  readonly kind: 'http' | 'url'
  readonly routeKey: string
  readonly pathParameters?: Readonly<Record<string, string>>
}

/**
 * The event that Lambda receives for a request, in payload format 2.0, which HTTP APIs and Lambda URLs share.
 * Source: AWS, "Create AWS Lambda proxy integrations for HTTP APIs".
 */
export function apiGatewayEvent(request: WireRequest, route: EventRoute): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.url)
  // An HTTP API passes the decoded path, a Lambda URL the encoded one.
  const rawPath = route.kind === 'http' ? decodePath(path) : path
  const headers = joinedHeaders(request)
  const cookies = cookiesOf(request)
  const domainName = hostname(headers.host)
  const isText = isTextType(headers['content-type'])
  return {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== '' && { queryStringParameters: joined(new URLSearchParams(query)) }),
    ...(Object.keys(route.pathParameters ?? {}).length > 0 && { pathParameters: { ...route.pathParameters } }),
    requestContext: {
      accountId: route.kind === 'http' ? '000000000000' : 'anonymous',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey: route.routeKey,
      stage: '$default',
      time: DateTime.fromMillis(request.time, { zone: 'utc', locale: 'en' }).toFormat('dd/LLL/yyyy:HH:mm:ss ZZZ'),
      timeEpoch: request.time,
    },
    ...(request.body.length > 0 && { body: Buffer.from(request.body).toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !isText,
  }
}

/** The cookies of a request, each as `name=value`. */
export function cookiesOf({ headers }: Pick<WireRequest, 'headers'>): string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'cookie').flatMap(([, value]) => value.split(/; */))
}

/** The value of a header by its name in lower case. */
export function headerOf({ headers }: Pick<WireRequest, 'headers'>, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** Splits a request target at its first `?`. The query is empty if there is no `?`. */
export function splitTarget(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at === -1 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Leaves out cookies, which payload format 2.0 lists separately. */
function joinedHeaders({ headers, sourceIp }: WireRequest): Record<string, string> {
  const all = [...headers, ['x-forwarded-for', sourceIp] as const, ['x-forwarded-proto', 'http'] as const]
  return joined(all.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => name !== 'cookie'))
}

/** The values by name, those of the same name with a comma between them. */
function joined(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : `${earlier},${value}`)
  }
  return Object.fromEntries(values)
}

/** AWS encodes every other type in base64, also `application/x-www-form-urlencoded`, `+json` types and a body without a type. */
function isTextType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return type.startsWith('text/') || ['application/json', 'application/xml', 'application/javascript'].includes(type)
}

function hostname(host: string | undefined): string {
  return host?.replace(/:\d+$/, '') || 'localhost'
}
