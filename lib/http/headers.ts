import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/**
 * A request header's value; `undefined` where it was not sent. API Gateway lower-cases names and joins repeated headers
 * with a comma; events written by hand may do neither.
 */
export function header(event: Pick<APIGatewayProxyEventV2, 'headers'>, name: string): string | undefined {
  return Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1]
}

/** The media type of the body in lower case, without its parameters; `''` where none was sent. */
export function mediaType(event: Pick<APIGatewayProxyEventV2, 'headers'>): string {
  const [type = ''] = (header(event, 'content-type') ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Whether a media type announces JSON as FastAPI reads it: `application/json` or `application/…+json`. */
export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[^\s/,]+\+json$/.test(type)
}
