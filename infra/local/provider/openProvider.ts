import { createProviderSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import type { Clock } from '../../../lib/core/clock.ts'
import { demoProvider, localKeys } from '../../data/demo.ts'
import { createEmulatedProvider, type EmulatedProvider } from '../../emulators/openid/startOpenIdServer.ts'
import type { Stores } from '../dependencies/openStores.ts'

/** Where the emulated OpenID provider is, under the address of the stack. */
export const PROVIDER_PATH = '/_local/provider'

/** Creates the provider of the local stack, and registers the service there as an operator would. */
export async function openProvider(
  stores: Pick<Stores, 'providers'>,
  { baseUrl, kmsEndpoint, region, clock }: { baseUrl: string; kmsEndpoint: string; region: string; clock: Clock },
): Promise<EmulatedProvider> {
  const { people, clientSecret, ...registration } = demoProvider
  const issuer = baseUrl + PROVIDER_PATH
  const kms = createKmsClient({ endpoint: kmsEndpoint, region })
  try {
    const cipher = await createProviderSecretCipher({ client: kms, keyId: localKeys.customer }).encrypt(
      'operator',
      clientSecret,
    )
    await stores.providers.put({ ...registration, issuer, cipher, trustAcr: true, createdAt: clock.now() })
  } finally {
    kms.destroy()
  }
  const client = { clientId: registration.clientId, clientSecret }
  return createEmulatedProvider({ client, people, issuer, now: () => clock.now() })
}
