import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import {
  createWireFaults,
  faultAnswer,
  operationOf,
  type WireCall,
  type WireEmulator,
  type WireFault,
  wireFaultSchema,
} from '../wireFaults.ts'
import { encryptionOperations } from './encryptionOperations.ts'
import { keyOperations } from './keyOperations.ts'
import { createKeyStore, type KeyDescription } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import type { Operation } from './operation.ts'
import { signingOperations } from './signingOperations.ts'

const CONTENT_TYPE = 'application/x-amz-json-1.1'
const CONTROL_PATH = '/_control/faults'

/** Which port, which seed and which keys; `fail` orders faults from the first call on. */
export interface KmsServerOptions {
  /** A free port when left out. */
  readonly port?: number
  /** All key material is derived from it; the same seed and key ids give the same keys. */
  readonly seed: string
  readonly keys: readonly KeyDescription[]
  readonly fail?: readonly WireFault[]
}

/** A running emulator for AWS KMS. */
export interface KmsServer extends WireEmulator {
  /** Every KMS call on the wire since the start or the last reset. */
  calls(): readonly WireCall[]
  /** Clears calls and faults, as `DELETE /_control/faults` does. Keys stay. */
  reset(): void
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPE, 'x-amzn-requestid': randomUUID() }).end(body)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new KmsError('SerializationException')
  }
}

/** Answers one KMS call: status and JSON. A signature is asked for, as AWS does, but not verified. */
function answer(core: KmsCore, request: IncomingMessage, body: string): { status: number; body: string } {
  try {
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
      throw new KmsError('MissingAuthenticationTokenException', 'Missing Authentication Token')
    }
    const result = core.handle(operationOf(request.headers['x-amz-target']) ?? '', parseJson(body))
    return { status: 200, body: JSON.stringify(result) }
  } catch (error) {
    const known = error instanceof KmsError ? error : new KmsError('KMSInternalException', String(error), 500)
    return faultAnswer({
      after: 0,
      times: 1,
      kind: 'error',
      error: { type: known.type, message: known.message },
      status: known.status,
    })
  }
}

/**
 * Starts the emulator on 127.0.0.1: AWS KMS's JSON 1.1 protocol over HTTP, and `POST` and `DELETE /_control/faults` to inject
 * faults. Rejects when the port is taken.
 */
export async function startKmsServer(options: KmsServerOptions): Promise<KmsServer> {
  const core = createKmsCore(options)
  const faults = createWireFaults()
  for (const fault of options.fail ?? []) faults.fail(fault)

  function control(request: IncomingMessage, response: ServerResponse, body: string): void {
    if (request.method === 'DELETE') faults.reset()
    else faults.fail(wireFaultSchema.parse(parseJson(body)))
    response.writeHead(204).end()
  }

  function call(request: IncomingMessage, response: ServerResponse, body: string): void {
    const fault = faults.take(operationOf(request.headers['x-amz-target']) ?? '')
    if (fault?.kind === 'drop_before') return void request.socket.destroy()
    const { status, body: json } = fault?.kind === 'error' ? faultAnswer(fault) : answer(core, request, body)
    if (fault?.kind === 'drop_after') return void request.socket.destroy()
    send(response, status, json)
  }

  const server = createServer(async (request, response) => {
    try {
      const body = await text(request)
      if (request.url === CONTROL_PATH) control(request, response, body)
      else call(request, response, body)
    } catch (error) {
      // A malformed fault order is answered; anything else here means that the connection is gone.
      if (error instanceof z.ZodError || error instanceof KmsError)
        send(response, 400, JSON.stringify({ message: error.message }))
      else request.socket.destroy()
    }
  })
  const { url, close } = await listenOnLoopback(server, options.port)

  return { endpoint: url, fail: faults.fail, calls: faults.calls, reset: faults.reset, close }
}

/**
 * AWS KMS without a network: operation name and request in, answer out, errors as KmsError with the names AWS gives them.
 * Source: AWS KMS API Reference. `now` is Unix time in milliseconds and only dates the metadata.
 */
function createKmsCore(options: { seed: string; keys: readonly KeyDescription[]; now?: () => number }) {
  const now = options.now ?? Date.now
  const store = createKeyStore({ seed: options.seed, keys: options.keys, now })
  const operations = new Map<string, Operation>(
    Object.entries({ ...keyOperations(store, now), ...encryptionOperations(store), ...signingOperations(store) }),
  )

  return {
    /** Runs one operation. Throws KmsError; an unknown name is UnknownOperationException. */
    handle(name: string, request: unknown): object {
      const run = operations.get(name)
      if (run === undefined) throw new KmsError('UnknownOperationException')
      return run(request)
    },
  }
}

type KmsCore = ReturnType<typeof createKmsCore>
