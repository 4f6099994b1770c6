import { expect } from '@jest/globals'

/** The body of an error as tests compare it: every member of it, with any request's id. */
export function errorBody(detail: string, code: string) {
  return { detail, code, request_id: expect.stringMatching(/./) }
}

/** How a query is refused: the type of each parameter's problem, in the order of the parameters. */
export function queryProblems(types: Record<string, string>) {
  const detail = Object.entries(types).map(([name, type]) => ({ loc: ['query', name], type }))
  return { status: 422, body: { detail } }
}

/** The bytes of an error, once `maskRequestId` has taken the one part that differs from one request to the next. */
export function errorText(detail: string, code: string): string {
  return JSON.stringify({ detail, code, request_id: '...' })
}

/** A body without the id of its request. */
export function maskRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]+"/, '"request_id":"..."')
}
