import type { KMSClient } from '@aws-sdk/client-kms'
import { afterAll, beforeAll } from '@jest/globals'
import { COMPUTED_KEYS } from '../../../infra/emulators/kms/rsa2048.ts'
import { type KmsServer, type KmsServerOptions, startKmsServer } from '../../../infra/emulators/kms/startKmsServer.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'

export const CUSTOMER_KEY = '11111111-1111-4111-8111-111111111111'
export const SECOND_KEY = '22222222-2222-4222-8222-222222222222'
export const TOKEN_KEY = '33333333-3333-4333-8333-333333333333'
export const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999'

export const keys = [
  { keyId: CUSTOMER_KEY, keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT', alias: 'alias/customer' },
  { keyId: SECOND_KEY, keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT' },
  { keyId: TOKEN_KEY, keySpec: 'RSA_2048', keyUsage: 'SIGN_VERIFY', alias: 'alias/token' },
] as const

// What these tests see is computed, and by each server anew.
Reflect.deleteProperty(globalThis, COMPUTED_KEYS)

/** A server with three keys and the service's own client, from before the first test of a file until after its last. */
export function useKms(): { server: () => KmsServer; client: () => KMSClient } {
  let running: { server: KmsServer; client: KMSClient } | undefined
  const state = () => {
    if (running === undefined) throw new Error('KMS is not started yet')
    return running
  }
  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = 'local'
    process.env.AWS_SECRET_ACCESS_KEY = 'local'
    const server = await startKmsServer({ seed: 'test seed', keys })
    running = { server, client: createKmsClient({ endpoint: server.endpoint, region: 'us-east-1' }) }
  })
  afterAll(async () => {
    running?.client.destroy()
    await running?.server.close()
  })
  return { server: () => state().server, client: () => state().client }
}

/** Runs `use` with a client of a second server that has the same keys, and stops that server afterwards, also on an error. */
export async function withKms<Result>(
  options: Partial<KmsServerOptions>,
  use: (client: KMSClient) => Promise<Result>,
): Promise<Result> {
  const server = await startKmsServer({ seed: 'test seed', keys, ...options })
  const client = createKmsClient({ endpoint: server.endpoint, region: 'us-east-1' })
  try {
    return await use(client)
  } finally {
    client.destroy()
    await server.close()
  }
}
