import { expect } from '@jest/globals'

/** The body of an error as tests compare it: every member of it, with any request's id. */
export function errorBody(detail: string, code: string) {
  return { detail, code, request_id: expect.stringMatching(/./) }
}

/** The bytes of an error, once `maskRequestId` has taken the one part that differs from one request to the next. */
export function errorText(detail: string, code: string): string {
  return JSON.stringify({ detail, code, request_id: '...' })
}

/** A body without the id of its request. */
export function maskRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]+"/, '"request_id":"..."')
}
