import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { localKeys, localSecrets } from '../../data/demo.ts'
import { startKmsServer } from '../../emulators/kms/startKmsServer.ts'
import type { ResourceScope } from '../resourceScope.ts'
import type { Settings } from '../settings.ts'

/** The endpoint of KMS. Starts an emulator with the fixed keys of the local stack unless the settings name an endpoint. */
export async function openKms(settings: Settings, resources: ResourceScope): Promise<string> {
  if (settings.kmsEndpoint !== undefined) return settings.kmsEndpoint
  const starting = startKmsServer({
    seed: localSecrets.kmsSeed,
    keys: [
      { keyId: localKeys.customer, keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT', alias: 'alias/customer' },
      { keyId: localKeys.token, keySpec: 'RSA_2048', keyUsage: 'SIGN_VERIFY', alias: 'alias/token' },
    ],
  })
  const { endpoint } = await resources.add(starting)
  return endpoint
}

/** The value of `TOKEN_PUBLIC_KEY`: the token key's id, and its public half as base64 of DER. */
export async function readTokenPublicKey(endpoint: string, region: string): Promise<string> {
  const client = new KMSClient({ endpoint, region })
  try {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: localKeys.token }))
    if (PublicKey === undefined) throw new Error(`KMS at ${endpoint} returned no public key`)
    return `${localKeys.token}:${Buffer.from(PublicKey).toString('base64')}`
  } finally {
    client.destroy()
  }
}
