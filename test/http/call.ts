import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import * as z from 'zod'
import { byPassword } from '../../lib/core/authentication.ts'
import type { Identity } from '../../lib/core/identity.ts'
import { userIdSchema } from '../../lib/core/ids.ts'
import type { HttpDeps, HttpHandler } from '../../lib/http/contract.ts'
import type { LogFields } from '../../lib/log/logger.ts'

export interface Sent {
  query?: string
  headers?: Record<string, string>
  body?: string | undefined
  isBase64Encoded?: boolean
  requestId?: string
}

export const lambdaContext: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'under-test',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:under-test',
  memoryLimitInMB: '512',
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  logGroupName: 'under-test',
  logStreamName: 'under-test',
  getRemainingTimeInMillis: () => 10_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
}

/** The event of a request as API Gateway makes it. */
export function eventOf({
  query = '',
  headers = {},
  body,
  isBase64Encoded = false,
  requestId = 'request',
}: Sent): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: 'POST /api/thing',
    rawPath: '/api/thing',
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'local',
      http: { method: 'POST', path: '/api/thing', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId,
      routeKey: 'POST /api/thing',
      stage: '$default',
      time: '20/Nov/2026:08:00:00 +0000',
      timeEpoch: 1_795_161_600_000,
    },
    isBase64Encoded,
    ...(body !== undefined && { body }),
  }
}

/** Sends one request to a handler and reads its answer as a client would. */
export async function call(handler: HttpHandler, sent: Sent, remainingMs = 10_000) {
  const result = await handler(eventOf(sent), { ...lambdaContext, getRemainingTimeInMillis: () => remainingMs })
  return {
    status: result.statusCode,
    headers: result.headers ?? {},
    body: z.json().parse(JSON.parse(result.body ?? 'null')),
  }
}

const token = 'good.access-token'
export const signedIn = { authorization: `Bearer ${token}` }
export const json = { 'content-type': 'application/json' }

export const identity: Identity = {
  userId: userIdSchema.parse('5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01'),
  clientId: 'console',
  scope: '',
  isFirstParty: true,
  familyId: 'a3a3e1f4-5b1f-4a57-8f0e-0d7c1d2f7a10',
  securityRev: 0,
  authentication: { at: 0, methods: byPassword },
}

/** Deps that know one token, count clock syncs and keep the log. */
export function fakeDeps() {
  const lines: { level: string; message: string; fields: LogFields | undefined }[] = []
  const write = (level: string) => (message: string, fields?: LogFields) => {
    lines.push({ level, message, fields })
  }
  const seen = { syncs: 0, verified: 0 }
  const deps: HttpDeps = {
    accessTokens: {
      verify: async (presented) => {
        seen.verified += 1
        return presented === token ? identity : null
      },
    },
    allowsOrigin: async (origin) => origin === 'https://console.example.com',
    clock: {
      now: () => 0,
      sync: async () => {
        seen.syncs += 1
      },
    },
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
  }
  return { deps, lines, seen }
}
