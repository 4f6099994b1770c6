import { GetPublicKeyCommand, type KMSClient } from '@aws-sdk/client-kms'
import pRetry from 'p-retry'

/** Retries of a refused call, and milliseconds between them. Together two minutes: IAM needs seconds, rarely more than a minute. */
const patience = { retries: 24, minTimeout: 5_000 }

/**
 * The public half of a key, DER SubjectPublicKeyInfo. The reader's role is made in the same deployment, and what a new role, or a new
 * key's policy, allows is known everywhere a while after it was made: a refusal is therefore asked again, for two minutes.
 * @throws what KMS throws, a refusal that lasts among it
 */
export function readPublicKey(kms: Pick<KMSClient, 'send'>, KeyId: string, limits = patience): Promise<Uint8Array> {
  return pRetry(
    async () => {
      const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }))
      if (PublicKey === undefined) throw new Error(`KMS gave no public key for ${KeyId}`)
      return PublicKey
    },
    { ...limits, factor: 1, shouldRetry: ({ error }) => error.name === 'AccessDeniedException' },
  )
}
