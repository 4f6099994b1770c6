import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as z from 'zod'
import { type Subsegment, subsegmentSchema } from './subsegment.ts'

/** Bytes of a document, read strictly: 65,536 and a header fit into no datagram. @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html */
const LARGEST = 64_000

const headerSchema = z.looseObject({ format: z.string().regex(/^json$/i), version: z.literal(1) })

/** A running emulator for the daemon of X-Ray. */
export interface XrayDaemon {
  /** `127.0.0.1:PORT`, to be given to a function as `AWS_XRAY_DAEMON_ADDRESS`. */
  readonly address: string
  /** Every document that was taken, in the order of arrival. */
  documents(): readonly Subsegment[]
  /** Each datagram as it came, whether it was taken or not. */
  datagrams(): readonly string[]
  /** Why the others were refused, of which the sender learns nothing. */
  refusals(): readonly string[]
  reset(): void
  close(): Promise<void>
}

/**
 * Starts the emulator on a free UDP port of 127.0.0.1. It takes a datagram where the daemon would (a header, a newline, a document) and the
 * service behind it: @see {@link subsegmentSchema}.
 */
export async function startXrayDaemon(): Promise<XrayDaemon> {
  const socket = createSocket('udp4')
  const datagrams: string[] = []
  const documents: Subsegment[] = []
  const refusals: string[] = []

  socket.on('message', (message) => {
    const datagram = message.toString()
    datagrams.push(datagram)
    try {
      documents.push(read(datagram))
    } catch (error) {
      refusals.push(error instanceof z.ZodError ? z.prettifyError(error) : String(error))
    }
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  return {
    address: `127.0.0.1:${socket.address().port}`,
    documents: () => [...documents],
    datagrams: () => [...datagrams],
    refusals: () => [...refusals],
    reset() {
      for (const list of [datagrams, documents, refusals]) list.length = 0
    },
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** @see https://github.com/aws/aws-xray-daemon/blob/master/cmd/tracing/daemon.go, which splits at the first newline */
function read(datagram: string): Subsegment {
  const end = datagram.indexOf('\n')
  const document = end === -1 ? '' : datagram.slice(end + 1)
  if (document === '') throw new Error('Missing header or segment')
  headerSchema.parse(JSON.parse(datagram.slice(0, end)))
  if (Buffer.byteLength(document) > LARGEST) throw new Error('Larger than 64 kB')
  return subsegmentSchema.parse(JSON.parse(document))
}
