import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, type Packet, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet'
import type { Closable } from '../resourceScope.ts'

/** The most bytes that the values of a name may have, so an answer fits into a datagram. */
export const MAX_BYTES = 900

/** The longest part of a value in a record (RFC 1035 §3.3). */
const PART = 255

/** The codes of answers (RFC 1035 §4.1.1); the package's types have no place for them. */
const [SERVFAIL, NXDOMAIN] = [2, 3]

/** The TXT records of the names that are played. Names are in lower case, without a dot at the end. */
export interface TxtRecords {
  list(): readonly { readonly name: string; readonly values: readonly string[]; readonly fails: boolean }[]
  /** Replaces the records of a name; `fails` answers every question about it with SERVFAIL. */
  set(name: string, played: { readonly values: readonly string[]; readonly fails: boolean }): void
}

/** A name server for the TXT records of the local stack. `address` has its port. */
export interface NameServer extends Closable {
  readonly address: string
  readonly records: TxtRecords
}

/** Starts a name server at 127.0.0.1 that knows the names that are played, and no others. */
export async function startNameServer(): Promise<NameServer> {
  const played = new Map<string, { values: readonly string[]; fails: boolean }>()
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('message', (message, { port, address }) => {
    const answer = answerTo(message, (name) => played.get(keyOf(name)))
    if (answer) socket.send(answer, port, address)
  })
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records: {
      list: () => [...played].map(([name, { values, fails }]) => ({ name, values, fails })),
      set(name, { values, fails }) {
        if (values.length === 0 && !fails) played.delete(keyOf(name))
        else played.set(keyOf(name), { values, fails })
      },
    },
    async close() {
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

type Find = (name: string) => { values: readonly string[]; fails: boolean } | undefined

/** The answer to a question; undefined for a datagram that is no question. */
function answerTo(message: Buffer, find: Find): Buffer | undefined {
  const query = parse(message)
  const question = query?.questions?.[0]
  if (query === undefined || question === undefined) return undefined
  const { name, type } = question
  const found = find(name)
  const code = found?.fails ? SERVFAIL : found === undefined ? NXDOMAIN : 0
  const values = code === 0 && type === 'TXT' ? (found?.values ?? []) : []
  return encode({
    id: query.id ?? 0,
    type: 'response',
    flags: RECURSION_DESIRED | RECURSION_AVAILABLE | code,
    questions: [question],
    answers: values.map((value) => ({ type: 'TXT', name, ttl: 0, data: partsOf(value) })),
  })
}

function parse(message: Buffer): Packet | undefined {
  try {
    return decode(message)
  } catch {
    return undefined
  }
}

function partsOf(value: string): Buffer[] {
  const bytes = Buffer.from(value)
  const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, at) =>
    bytes.subarray(at * PART, (at + 1) * PART),
  )
  return parts.length === 0 ? [bytes] : parts
}
