import type { RawParams } from '../params/form.ts'

/** A request as the control interface lists it. `status` null: the connection was cut, or no answer went out yet. */
export interface LoggedRequest {
  id: string
  at: number
  method: string
  path: string
  idempotency_key: string | null
  /** Card numbers and security codes are masked. */
  params: RawParams
  /** The kind of the key that was sent; null if there was none. */
  key_type: 'secret' | 'publishable' | null
  status: number | null
  replayed: boolean
}

/** Requests kept at most; older requests are forgotten. */
const kept = 50_000

/** The requests in the order they came. */
export function createRequestLog() {
  let rows: LoggedRequest[] = []
  return {
    add(row: LoggedRequest): LoggedRequest {
      if (rows.length >= kept) rows = rows.slice(kept / 2)
      rows.push(row)
      return row
    },
    list: (): LoggedRequest[] => rows,
    /** The last `count` requests without their answers. */
    tail: (count: number) =>
      rows.slice(-count).map(({ status: _status, replayed: _replayed, key_type: _key, ...request }) => request),
    clear(): void {
      rows = []
    },
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>
