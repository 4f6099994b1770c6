import * as z from 'zod'

/** The HTTP answer for a function's result. */
export interface WireAnswer {
  readonly status: number
  /** Lower-case names; several values only for `set-cookie`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

const structured = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
})

/**
 * Reads a function's result as API Gateway does in payload format 2.0. An object with a `statusCode` is the answer, or 500 if it is
 * invalid. Any other value is the JSON body of a 200.
 */
export function apiGatewayAnswer(result: unknown): WireAnswer {
  if (!isStructured(result)) return json(200, result ?? null)
  const parsed = structured.safeParse(result)
  if (!parsed.success) return internalServerError
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(named),
      ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  }
}

export function json(status: number, body: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
}

/** API Gateway's answer if a function throws, times out or returns an invalid result. */
export const internalServerError = json(500, { message: 'Internal Server Error' })

function isStructured(result: unknown): result is object {
  return typeof result === 'object' && result !== null && 'statusCode' in result
}
